// See judge_error.h. Errors are of three sorts: the claimed thread stands before the action that is wrong; events that
// happened are wrong together (a race, a use of what is freed, a read of what was never written); or no thread can go
// on.
#include "validate/judge_error.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "bytecode/conventions.h"
#include "validate/describe.h"

namespace heddle::validate {

using bytecode::AccessKind;
using bytecode::Address;
using bytecode::ErrorKind;
using bytecode::RecordedEvent;
using bytecode::RecordedKind;
using bytecode::RecordedWait;
using bytecode::Violation;

namespace {

// What is wrong with a step that the thread stands before.
struct Error {
  ErrorKind kind{};
  Address address = 0;
  unsigned size = 0;
  std::vector<std::uint32_t> events;  // that a report must name
};

class Judge {
 public:
  Judge(const SecondRun& run, const Violation& claim, ModelJudgement* model)
      : run_(run), claim_(claim), model_(model) {}

  void judge() {
    if (claim_.thread >= run_.threads().size()) throw Refusal{"the error is claimed of a thread that does not exist"};
    for (const std::uint32_t e : claim_.events)
      if (e >= run_.execution().events.size()) throw Refusal{"the error names an event that does not exist"};
    if (claim_.kind == ErrorKind::deadlock || claim_.kind == ErrorKind::liveness || !claim_.waits.empty()) {
      if (claim_.kind != ErrorKind::deadlock && claim_.kind != ErrorKind::liveness)
        refuse("only a deadlock and a loop without end have threads that wait");
      if (claim_.kind == ErrorKind::liveness && claim_.waits.empty()) refuse("no thread waits");
      return claim_.waits.empty() ? judge_step() : judge_standstill();
    }
    if (claim_.kind == ErrorKind::race) return judge_race();
    if (claim_.kind == ErrorKind::uninitialized && !claim_.events.empty()) return judge_uninitialised();
    if (claim_.kind == ErrorKind::use_after_free && claim_.events.size() == 3) return judge_unordered_use();
    judge_step();
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Refusal{fmt::format("the claimed error ({} in thread {}) does not happen: {}", name_of(claim_.kind),
                              claim_.thread, why)};
  }

  // The error is one of an event that happened.
  void check_place_of(std::uint32_t e) const {
    const RecordedEvent& event = run_.event(e);
    if (event.thread != claim_.thread || !(event.position == claim_.position) || event.address != claim_.address ||
        event.size != claim_.size)
      refuse("it is claimed elsewhere than its event");
  }

  // --- the thread stands before it ---

  void judge_step() const {
    const SeenThread& thread = run_.threads()[claim_.thread];
    if (!thread.run || thread.finished_by != no_index) refuse("the thread has not begun, or has finished");
    const Step& step = run_.next_step(claim_.thread);
    if (step.kind == Step::Kind::beyond) throw TooLong{step.text};
    if (!(step.position == claim_.position)) refuse("the thread stands elsewhere: " + describe_step(step));
    const std::optional<Error> error = error_of(step);
    if (!error) refuse("what the thread does there is fine: " + describe_step(step));
    if (error->kind != claim_.kind) refuse(fmt::format("it is another one: {}", name_of(error->kind)));
    if (error->address != claim_.address || error->size != claim_.size)
      refuse(fmt::format("it concerns {} bytes at {:#x}", error->size, error->address));
    if (error->events != claim_.events) refuse("it concerns other events");
    if (step.kind == Step::Kind::error && !step.text.empty() && step.text != claim_.message)
      refuse("the assertion is another one: " + step.text);
  }

  std::optional<Error> error_of(const Step& step) const {
    switch (step.kind) {
      case Step::Kind::error: return Error{step.error, step.address, step.size, {}};
      case Step::Kind::read:
      case Step::Kind::write: return error_of_access(step);
      case Step::Kind::release: return error_of_release(step);
      case Step::Kind::join:
      case Step::Kind::detach: return error_of_thread_call(claim_.thread, step);
      default: return std::nullopt;
    }
  }

  std::optional<Error> error_of_access(const Step& step) const {
    Error error{ErrorKind::out_of_bounds, step.address, step.size, {}};
    const Address end = step.address + step.size;
    if (bytecode::is_global(step.address)) {
      const bytecode::Global* global = global_at(run_.program(), step.address);
      if (global == nullptr || end > global->address + global->size) return error;
    } else if (!run_.is_thread_local(step.address, step.size)) {
      const auto* object = run_.object_near(step.address);
      if (object == nullptr) return error;
      if (object->second.released != no_index) {
        error.kind = ErrorKind::use_after_free;
        error.events = {object->second.released, object->second.allocated};
        return error;
      }
      if (end > object->first + object->second.size) {
        error.events = {object->second.allocated};
        return error;
      }
    }
    return step.kind == Step::Kind::write ? error_of_setup(step) : std::nullopt;
  }

  // A mutex or barrier may not be set up or destroyed while it is in use.
  std::optional<Error> error_of_setup(const Step& step) const {
    const std::vector<std::uint32_t>& writes = run_.writes_of(step.address, step.size);
    const Value last = writes.empty() ? run_.initial_value(step.address, step.size) : run_.seen(writes.back()).value;
    const bool held = (last.low & bytecode::mutex_held_mask) != 0;
    const bool ready = (last.low & bytecode::barrier_ready) != 0;
    Error error{ErrorKind::lock_misuse, step.address, step.size, {}};
    switch (step.access) {
      case AccessKind::mutex_init:
      case AccessKind::mutex_destroy: return held ? std::optional(error) : std::nullopt;
      case AccessKind::barrier_init:
      case AccessKind::barrier_destroy:
        error.kind = ErrorKind::barrier_misuse;
        return ready == (step.access == AccessKind::barrier_init) ? std::optional(error) : std::nullopt;
      default: return std::nullopt;
    }
  }

  std::optional<Error> error_of_release(const Step& step) const {
    const auto* object = run_.object_near(step.address);
    if (object == nullptr || object->first != step.address || object->second.kind != step.object)
      return Error{ErrorKind::invalid_free, step.address, 0, {}};
    if (object->second.released == no_index) return std::nullopt;
    return Error{ErrorKind::double_free, step.address, 0, {object->second.released, object->second.allocated}};
  }

  std::optional<Error> error_of_thread_call(std::uint32_t t, const Step& step) const {
    const Error error{ErrorKind::thread_misuse, 0, 0, {}};
    if (step.target >= run_.threads().size()) return error;
    const SeenThread& target = run_.threads()[step.target];
    const bool itself = step.target == t && step.kind == Step::Kind::join;
    if (!target.exists(step.target) || itself || target.detached_by != no_index || target.joined_by != no_index)
      return error;
    return std::nullopt;
  }

  // --- events that are wrong together ---

  void judge_race() const {
    if (claim_.events.size() != 2) refuse("a race has two events");
    check_place_of(claim_.events[0]);
    if (model_ != nullptr && !model_->is_error(claim_.events[0], claim_.events[1]))
      refuse("no rule of the model forbids the two events");
  }

  void judge_uninitialised() const {
    if (claim_.events.size() != 1) refuse("it has one event");
    const std::uint32_t e = claim_.events[0];
    const RecordedEvent& read = run_.event(e);
    check_place_of(e);
    if (read.kind != RecordedKind::read || *read.reads_from != bytecode::initial_write)
      refuse("its event reads what was written");
    const auto* object = run_.object_near(read.address);
    if (object == nullptr || object->second.zeroed || run_.is_thread_local(read.address, read.size))
      refuse("the memory starts with a value");
    if (run_.seen(e).of_block) refuse("copying what was never written is fine");
  }

  // An access, the release of its object, and nothing that puts the first before the second.
  void judge_unordered_use() const {
    const std::uint32_t access = claim_.events[0], release = claim_.events[1], allocated = claim_.events[2];
    check_place_of(access);
    const RecordedEvent& event = run_.event(access);
    const auto* object = run_.object_near(event.address);
    if ((event.kind != RecordedKind::read && event.kind != RecordedKind::write) || object == nullptr)
      refuse("its event accesses no object that could be freed");
    if (object->second.released != release || object->second.allocated != allocated)
      refuse("its object is made or released elsewhere");
    if (model_ != nullptr && model_->ordered(access, release)) refuse("the access comes before the release");
  }

  // --- nobody can go on ---

  // A deadlock if every thread waits for another one; a loop without end if some only wait for a value to change.
  void judge_standstill() const {
    std::vector<RecordedWait> waits;
    for (std::uint32_t t = 0; t < run_.threads().size(); ++t) {
      const SeenThread& thread = run_.threads()[t];
      if (!thread.exists(t) || thread.finished_by != no_index) continue;
      if (!thread.run) refuse(fmt::format("thread {} can still begin", t));
      const bool claimed_to_spin = std::any_of(claim_.waits.begin(), claim_.waits.end(), [&](const RecordedWait& wait) {
        return wait.thread == t &&
               (wait.waits_for == RecordedWait::For::change || wait.waits_for == RecordedWait::For::library);
      });
      if (claimed_to_spin) {
        waits.push_back(spin_of(t));
        continue;
      }
      const Step& step = next_step_past_loops(t);
      if (step.kind == Step::Kind::beyond) throw TooLong{step.text};
      if (t == 0 && step.kind == Step::Kind::finish) continue;  // an event only if somebody joins it
      const std::optional<RecordedWait> wait = wait_of(t, step);
      if (!wait) refuse(fmt::format("thread {} does not wait: {}", t, describe_step(step)));
      waits.push_back(*wait);
    }
    if (waits.empty()) refuse("every thread has finished");
    const auto same = [](const RecordedWait& a, const RecordedWait& b) {
      return a.thread == b.thread && a.position == b.position && a.waits_for == b.waits_for && a.address == b.address &&
             a.other_thread == b.other_thread;
    };
    if (!std::equal(waits.begin(), waits.end(), claim_.waits.begin(), claim_.waits.end(), same))
      refuse("the threads wait for something else");
    const auto spins = std::find_if(waits.begin(), waits.end(),
                                    [](const auto& w) { return w.waits_for == RecordedWait::For::change; });
    if ((claim_.kind == ErrorKind::liveness) != (spins != waits.end())) refuse("it is an error of another kind");
    const auto no_join = std::find_if(waits.begin(), waits.end(),
                                      [](const auto& w) { return w.waits_for != RecordedWait::For::thread; });
    const RecordedWait& first = spins != waits.end() ? *spins : no_join != waits.end() ? *no_join : waits[0];
    if (claim_.thread != first.thread || !(claim_.position == first.position) || claim_.address != first.address)
      refuse("it is claimed elsewhere than where the first thread waits");
    check_events_of_standstill();
  }

  // A deadlock has no events; those of a loop without end are what it read last, the newest there is.
  void check_events_of_standstill() const {
    if (claim_.size != 0) refuse("it is about no access");
    if (claim_.kind == ErrorKind::deadlock && !claim_.events.empty()) refuse("it has no events");
    for (const std::uint32_t e : claim_.events) {
      const RecordedEvent& read = run_.event(e);
      if (read.kind != RecordedKind::read) refuse("it names an event that reads nothing");
      const std::vector<std::uint32_t>& writes = run_.writes_of(read.address, read.size);
      const std::uint32_t newest = writes.empty() ? bytecode::initial_write : writes.back();
      if (*read.reads_from == newest) continue;
      // An update may have put the value back.
      const bool updated = newest != bytecode::initial_write &&
                           (run_.event(newest).exclusive || run_.event(newest).access == AccessKind::unlock);
      if (!updated || !(run_.seen(newest).value == run_.seen(e).value))
        refuse("it names a read that has not read the newest value");
    }
  }

  // Runs the thread on while nobody else does anything: it has to come back to the same state, its own and that of
  // memory. Every read gets the newest value; only updates may write.
  RecordedWait spin_of(std::uint32_t t) const {
    constexpr std::size_t most_steps = 100'000;
    ThreadRun& run = *run_.threads()[t].run;
    run.stop_at_loops();
    std::vector<ThreadRun::State> states;
    std::vector<Overwritten> memory;  // at each state: how it differs from what the execution left
    Overwritten now;
    for (std::size_t i = 0; i < most_steps; ++i) {
      const Step& step = run.step();
      switch (step.kind) {
        case Step::Kind::loop: {
          ThreadRun::State state = run.state();
          bool is_back = false;
          for (std::size_t k = 0; k < states.size() && !is_back; ++k) is_back = states[k] == state && memory[k] == now;
          if (is_back) {
            RecordedWait wait;
            wait.thread = t;
            wait.position = claimed_position(t, states);
            const bool library = bytecode::waits_in_library(run_.program(), wait.position);
            wait.waits_for = library ? RecordedWait::For::library : RecordedWait::For::change;
            return wait;
          }
          states.push_back(std::move(state));
          memory.push_back(now);
          run.answer({});
          break;
        }
        case Step::Kind::read: {
          if (error_of_access(step)) refuse("the loop ends with an error");
          const auto own = now.find({step.address, step.size});
          const Value value = own != now.end() ? own->second : left_in_memory(step);
          if (step.access == AccessKind::lock && (value.low & bytecode::mutex_held_mask) != 0)
            refuse(fmt::format("thread {} does not spin but waits for a mutex", t));
          run.answer(value);
          break;
        }
        case Step::Kind::write: {
          if (!step.exclusive && step.access != AccessKind::unlock)
            refuse(fmt::format("thread {} does not spin: {}", t, describe_step(step)));
          if (error_of_access(step)) refuse("the loop ends with an error");
          if (step.value == left_in_memory(step))
            now.erase({step.address, step.size});
          else
            now[{step.address, step.size}] = step.value;
          run.answer({});
          break;
        }
        case Step::Kind::fence:
        case Step::Kind::print: run.answer({}); break;
        case Step::Kind::beyond: throw TooLong{step.text};
        default: refuse(fmt::format("thread {} does not spin: {}", t, describe_step(step)));
      }
    }
    throw TooLong{"a loop takes too many steps to come back to where it was"};
  }

  using Overwritten = std::map<std::pair<Address, unsigned>, Value>;

  Value left_in_memory(const Step& step) const {
    const std::vector<std::uint32_t>& writes = run_.writes_of(step.address, step.size);
    return writes.empty() ? run_.initial_value(step.address, step.size) : run_.seen(writes.back()).value;
  }

  // What the thread does next; it may not be caught in a loop before.
  const Step& next_step_past_loops(std::uint32_t t) const {
    ThreadRun& run = *run_.threads()[t].run;
    run.stop_at_loops();
    std::vector<ThreadRun::State> states;
    while (run.step().kind == Step::Kind::loop) {
      ThreadRun::State state = run.state();
      if (std::find(states.begin(), states.end(), state) != states.end())
        refuse(fmt::format("thread {} spins, and is not said to", t));
      states.push_back(std::move(state));
      run.answer({});
    }
    return run.step();
  }

  // Where the record says that the loop stopped must be one of the places where it passed.
  bytecode::CodePosition claimed_position(std::uint32_t t, const std::vector<ThreadRun::State>& states) const {
    for (const RecordedWait& wait : claim_.waits)
      for (const ThreadRun::State& state : states)
        if (wait.thread == t && wait.position == state.position()) return wait.position;
    refuse(fmt::format("thread {} spins elsewhere", t));
  }

  std::optional<RecordedWait> wait_of(std::uint32_t t, const Step& step) const {
    RecordedWait wait;
    wait.thread = t;
    wait.position = step.position;
    wait.address = step.address;
    if (step.kind == Step::Kind::join) {
      if (error_of_thread_call(t, step) || run_.threads()[step.target].finished_by != no_index) return std::nullopt;
      if (step.target == 0 && is_at_its_end(0)) return std::nullopt;
      wait.waits_for = RecordedWait::For::thread;
      wait.other_thread = step.target;
      return wait;
    }
    if (step.kind == Step::Kind::leave) {
      if (run_.arrivals_with(run_.threads()[t].events.back()) >= step.value.low) return std::nullopt;
      wait.waits_for = RecordedWait::For::barrier;
      return wait;
    }
    if (step.kind != Step::Kind::read || error_of_access(step)) return std::nullopt;
    const std::vector<std::uint32_t>& writes = run_.writes_of(step.address, step.size);
    if (writes.empty()) return std::nullopt;
    if (step.access == AccessKind::lock) {
      if ((run_.seen(writes.back()).value.low & bytecode::mutex_held_mask) == 0) return std::nullopt;
      wait.waits_for = RecordedWait::For::mutex;
      wait.other_thread = run_.event(writes.back()).thread;
      return wait;
    }
    if (step.access != AccessKind::barrier_leave) return std::nullopt;
    // Arrivals after its own, which is its thread's last event.
    const std::uint32_t own = run_.threads()[t].events.back();
    for (auto write = std::find(writes.begin(), writes.end(), own); write != writes.end(); ++write)
      if ((run_.seen(*write).value.low & 0xffffffff) == step.awaited_arrivals) return std::nullopt;
    wait.waits_for = RecordedWait::For::barrier;
    return wait;
  }

  bool is_at_its_end(std::uint32_t t) const {
    const SeenThread& thread = run_.threads()[t];
    return thread.run && thread.finished_by == no_index && run_.next_step(t).kind == Step::Kind::finish;
  }

  const SecondRun& run_;
  const Violation& claim_;
  ModelJudgement* model_;
};

}  // namespace

void judge_error(const SecondRun& run, const Violation& claim, ModelJudgement* model) {
  Judge(run, claim, model).judge();
}

}  // namespace heddle::validate
