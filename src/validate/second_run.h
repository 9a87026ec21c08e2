// Runs a program anew along a recorded execution: every thread from its beginning, by the second interpreter, each
// action compared with the next recorded event of its thread. A read gets what the write it reads from wrote in this
// run, never what the record says it read. Threads take turns: one that needs what another has not done yet waits.
//
// Then everything that the record claims has been seen to happen or Refusal is thrown. Tested in validate_test.cpp and
// mutation_test.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bytecode/program.h"
#include "bytecode/recorded_execution.h"
#include "validate/thread_run.h"

namespace heddle::validate {

// Thrown when the record is not what the program does: what disagreed, in one sentence.
struct Refusal {
  std::string what;
};
// Thrown when the run is more than the validator follows.
struct TooLong {
  std::string why;
};

inline constexpr std::uint32_t no_index = 0xffffffff;

// What the second run knows of a recorded event.
struct SeenEvent {
  bool happened = false;
  Value value;
  bool of_block = false;
  bool goes_on_to_write = false;         // the read half of an update that happens
  std::uint32_t created_by = no_index;   // begin: the create event
  std::uint32_t joined = no_index;       // join: the finish event; meet, leave: the arrival or pass it follows
};

struct SeenObject {
  std::uint64_t size = 0;
  bytecode::ObjectKind kind = bytecode::ObjectKind::heap;
  bool zeroed = false;
  std::uint32_t allocated = no_index, released = no_index;  // events
};

struct SeenThread {
  std::unique_ptr<ThreadRun> run;        // once it has begun
  std::vector<std::uint32_t> events;     // recorded ones, in program order
  std::size_t next = 0;                  // the first that has not happened
  std::uint32_t function = 0;
  std::uint64_t argument = 0;
  bool c11_thread = false;
  std::uint32_t created_by = no_index;
  std::uint32_t finished_by = no_index;
  std::uint32_t joined_by = no_index;
  std::uint32_t detached_by = no_index;

  bool exists(std::uint32_t id) const { return id == 0 || created_by != no_index; }
};

class SecondRun : public Surroundings {
 public:
  // The claimed error is used only to divide a block in whose middle it happened. All must outlive this.
  SecondRun(const bytecode::Program& program, const bytecode::Violation& claim, const RunSettings& settings);

  void run();

  const bytecode::Program& program() const { return program_; }
  const bytecode::RecordedExecution& execution() const { return execution_; }
  const bytecode::RecordedEvent& event(std::uint32_t e) const { return execution_.events[e]; }
  const SeenEvent& seen(std::uint32_t e) const { return seen_[e]; }
  const std::vector<SeenThread>& threads() const { return threads_; }
  // What a thread that has begun and not finished does next.
  const Step& next_step(std::uint32_t thread) const { return threads_[thread].run->step(); }
  // The writes of a location in coherence order, without the initial one.
  const std::vector<std::uint32_t>& writes_of(bytecode::Address address, unsigned size) const;
  Value initial_value(bytecode::Address address, unsigned size) const;
  // The object that an address lies in or behind (nothing of its thread lies between), with its address.
  const std::pair<const bytecode::Address, SeenObject>* object_near(bytecode::Address address) const;
  // How many have arrived at a barrier in the same round as this arrival.
  std::uint64_t arrivals_with(std::uint32_t arrival) const;
  bool is_thread_local(bytecode::Address address, unsigned size) const;

 private:
  unsigned next_element(std::uint32_t thread, bytecode::Address one, bytecode::Address other, bool ends) override;
  std::uint64_t object_size(bytecode::Address address) override;

  void check_form();
  void check_coherence();
  bool advance(std::uint32_t thread);
  bool begin(std::uint32_t thread, std::uint32_t e);
  bool happens(std::uint32_t thread, std::uint32_t e, const Step& step, bytecode::RecordedEvent& expected,
               Value& answer);
  bool read(std::uint32_t e, const Step& step, bytecode::RecordedEvent& expected, Value& answer);
  bool wait_at_barrier(std::uint32_t e, const Step& step, bytecode::RecordedEvent& expected);
  void create(std::uint32_t thread, std::uint32_t e, const Step& step, bytecode::RecordedEvent& expected);
  void allocate(std::uint32_t thread, std::uint32_t e, const Step& step);
  void release(std::uint32_t e, const Step& step);
  void check_updates() const;
  void check_memory() const;
  void check_threads() const;
  [[noreturn]] void refuse(std::uint32_t e, const std::string& what) const;

  const bytecode::Program& program_;
  const bytecode::Violation& claim_;
  const bytecode::RecordedExecution& execution_;
  const RunSettings settings_;
  std::vector<SeenEvent> seen_;  // by event
  std::vector<SeenThread> threads_;
  std::map<bytecode::Address, SeenObject> objects_;
  std::set<std::uint32_t> followed_;  // arrivals and passes at barriers that another event follows
  std::map<std::pair<bytecode::Address, unsigned>, std::vector<std::uint32_t>> writes_;
};

}  // namespace heddle::validate
