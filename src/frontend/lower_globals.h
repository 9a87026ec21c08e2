// Global variables, thread-locals and functions: their addresses, initial bytes, names; and the value of constant
// expressions over those addresses.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include <optional>

#include "base/diagnostic.h"
#include "bytecode/program.h"
#include "frontend/lower_types.h"

namespace llvm {
class Constant;
class DataLayout;
class Function;
class GlobalVariable;
class Module;
}  // namespace llvm

namespace heddle::frontend {

class CaptureAnalysis;

class GlobalTable {
 public:
  GlobalTable(const llvm::Module& module, bytecode::Program& program, DebugInformation& debug);

  // Numbers the functions and gives every variable its place. Problems: too many bytes.
  void place(const CaptureAnalysis& captures, Diagnostics& problems);
  // Fills in the initial bytes; needs all places. Problems: initial values that refer to undefined symbols.
  void initialise(Diagnostics& problems);

  std::optional<std::uint32_t> function_index(const llvm::Function* function) const;
  const bytecode::ThreadLocal* thread_local_variable(const llvm::GlobalVariable* variable) const;

  // The 64-bit value of an integer, floating-point or pointer constant of at most 64 bits; nothing if it refers to
  // something undefined or is of a kind that is not supported; `problem()` then says so.
  std::optional<std::uint64_t> evaluate(const llvm::Constant* constant) const;
  const std::string& problem() const { return problem_; }

 private:
  bool has_room(const llvm::GlobalVariable& variable, Diagnostics& problems);
  void place_global(const llvm::GlobalVariable& variable);
  void place_thread_local(const llvm::GlobalVariable& variable, bool shared);
  bytecode::ObjectInfo describe(const llvm::GlobalVariable& variable) const;
  bool write(const llvm::Constant* constant, std::uint8_t* bytes) const;
  std::optional<std::uint64_t> evaluate_expression(const llvm::Constant* constant) const;

  const llvm::Module& module_;
  const llvm::DataLayout& layout_;
  bytecode::Program& program_;
  DebugInformation& debug_;
  bytecode::Address next_address_ = bytecode::globals_begin;
  std::uint64_t bytes_ = 0;  // of all variables placed so far
  llvm::DenseMap<const llvm::Function*, std::uint32_t> functions_;
  llvm::DenseMap<const llvm::GlobalVariable*, std::uint32_t> globals_;
  llvm::DenseMap<const llvm::GlobalVariable*, std::uint32_t> thread_locals_;
  mutable std::string problem_;
};

}  // namespace heddle::frontend
