// Addresses, values and threads in the source's own words: `queue.slots[2].sequence`, `&node.next`, `worker #2`.
// Heap objects have no name in the source; they are called after the line that allocated them: `malloc@stack.c:31[8]`
// (a `#2` before the bracket if that line made several). Tested in name_address_test.cpp.
#pragma once

#include <cstdint>
#include <string>

#include "base/value.h"
#include "bytecode/program.h"
#include "bytecode/recorded_execution.h"

namespace heddle::report {

struct AddressName {
  std::string text;        // a name, or the address in hexadecimal
  std::uint32_t type = 0;  // index into Program::types; 0 if unknown
  bool known = false;      // text is a name
};

class Names {
 public:
  // Both must outlive the Names.
  Names(const bytecode::Program& program, const bytecode::RecordedExecution& execution)
      : program_(program), execution_(execution) {}

  // What `size` bytes at the address are called.
  AddressName address(bytecode::Address address, unsigned size) const;
  // The value of the variable at an address, by that variable's type.
  std::string value(Value value, unsigned size, bytecode::Address of) const;
  std::string value_of_type(Value value, unsigned size, std::uint32_t type) const;
  // "writer", "worker #2" if several threads run worker, "thread 7" if unknown.
  std::string thread(std::uint32_t id) const;
  // "thread 1 (writer)"
  std::string thread_with_number(std::uint32_t id) const;

  // The object that holds the address, or the nearest one below it whose gap does; null if there is none.
  const bytecode::RecordedObject* object_at(bytecode::Address address) const;
  const bytecode::Program& program() const { return program_; }
  const bytecode::RecordedExecution& execution() const { return execution_; }

 private:
  AddressName inside(const std::string& name, std::uint32_t type, std::uint64_t object_size, std::uint64_t offset,
                     unsigned size, bool heap) const;
  std::string object_name(const bytecode::RecordedObject& object) const;
  std::string pointer(std::uint64_t target) const;
  const bytecode::Type& type_of(std::uint32_t type) const;

  const bytecode::Program& program_;
  const bytecode::RecordedExecution& execution_;
};

// A function's name as the source writes it, without parameters.
std::string readable_function(const std::string& name);

}  // namespace heddle::report
