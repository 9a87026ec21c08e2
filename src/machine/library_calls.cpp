// Threads, choices, assumptions, and the end of the program. Thread ids appear to the program as id + 1, so that 0 is
// no thread.
#include "base/check.h"
#include "machine/implementation.h"

namespace heddle::machine {

namespace {

enum class Family : std::uint8_t { threads, synchronization, heap, compare, output, program };

Family family_of(LibraryCall call) {
  switch (call) {
    case LibraryCall::thread_create:
    case LibraryCall::thread_create_c11:
    case LibraryCall::thread_join:
    case LibraryCall::thread_join_c11:
    case LibraryCall::thread_exit:
    case LibraryCall::thread_self:
    case LibraryCall::thread_detach: return Family::threads;
    case LibraryCall::mutex_init:
    case LibraryCall::mutex_lock:
    case LibraryCall::mutex_trylock:
    case LibraryCall::mutex_unlock:
    case LibraryCall::mutex_destroy:
    case LibraryCall::barrier_init:
    case LibraryCall::barrier_wait:
    case LibraryCall::barrier_destroy:
    case LibraryCall::add_between: return Family::synchronization;
    case LibraryCall::allocate:
    case LibraryCall::allocate_zeroed:
    case LibraryCall::allocate_aligned:
    case LibraryCall::reallocate:
    case LibraryCall::release: return Family::heap;
    case LibraryCall::memory_compare: return Family::compare;
    case LibraryCall::print:
    case LibraryCall::put_string:
    case LibraryCall::put_character:
    case LibraryCall::format_to_buffer:
    case LibraryCall::format_to_buffer_va:
    case LibraryCall::print_va: return Family::output;
    case LibraryCall::assume:
    case LibraryCall::choose:
    case LibraryCall::assertion_failed:
    case LibraryCall::lock_misuse:
    case LibraryCall::abort_program:
    case LibraryCall::exit_program:
    case LibraryCall::yield_thread: return Family::program;
  }
  HEDDLE_CHECK(false, "every library call belongs to a family");
  return Family::program;
}

bool creates(LibraryCall call) { return call == LibraryCall::thread_create || call == LibraryCall::thread_create_c11; }

}  // namespace

bool Machine::Implementation::perform_library(ThreadState& state, Action& action, const Instruction& instruction) {
  auto call = static_cast<LibraryCall>(instruction.d);
  switch (family_of(call)) {
    case Family::threads: return perform_thread_call(state, action, instruction);
    case Family::synchronization: return perform_synchronization(state, action, instruction);
    case Family::heap: return perform_heap(state, action, instruction);
    case Family::compare: return perform_compare(state, action, instruction);
    case Family::output: return perform_output(state, action, instruction);
    case Family::program: break;
  }
  switch (call) {
    case LibraryCall::assume:
      if (argument(state, instruction, 0) == 0) {
        place(state, action, ActionKind::block);
        return true;
      }
      break;
    case LibraryCall::choose: return perform_choose(state, action, instruction);
    case LibraryCall::assertion_failed: {
      std::string text = string_here(state, argument(state, instruction, 0));
      return error(state, action, ErrorKind::assertion, text.empty() ? "assertion failed" : std::move(text));
    }
    case LibraryCall::lock_misuse:
      return error(state, action, ErrorKind::lock_misuse, string_here(state, argument(state, instruction, 0)));
    case LibraryCall::abort_program: return error(state, action, ErrorKind::assertion, "abort() was called");
    case LibraryCall::exit_program:
      place(state, action, ActionKind::exit);
      action.value = {argument(state, instruction, 0), 0};
      return true;
    default: break;
  }
  complete(state, instruction, 0);
  return false;
}

void Machine::Implementation::advance_library(ThreadState& state, const Instruction& instruction, Value answer) {
  auto call = static_cast<LibraryCall>(instruction.d);
  switch (family_of(call)) {
    case Family::threads: return advance_thread_call(state, instruction, answer);
    case Family::synchronization: return advance_synchronization(state, instruction, answer);
    case Family::heap: return advance_heap(state, instruction, answer);
    case Family::compare: return advance_compare(state, instruction, answer);
    case Family::output: return advance_output(state, instruction, answer);
    case Family::program: break;
  }
  if (call != LibraryCall::choose) return;  // the thread never goes on
  auto bits = static_cast<unsigned>(literal_argument(state, instruction, 2));
  complete(state, instruction, answer.low & mask_of(bits == 0 || bits > 64 ? 64 : bits));
}

bool Machine::Implementation::perform_choose(ThreadState& state, Action& action, const Instruction& instruction) {
  auto bits = static_cast<unsigned>(literal_argument(state, instruction, 2));
  if (bits == 0 || bits > 64) bits = 64;
  const std::int64_t low = signed_of(argument(state, instruction, 0), bits);
  const std::int64_t high = signed_of(argument(state, instruction, 1), bits);
  if (low > high) return error(state, action, ErrorKind::undefined_behavior, "heddle_choose: empty range");
  place(state, action, ActionKind::choose);
  action.low = low;
  action.high = high;
  return true;
}

bool Machine::Implementation::perform_thread_call(ThreadState& state, Action& action, const Instruction& instruction) {
  auto call = static_cast<LibraryCall>(instruction.d);
  if (creates(call)) return perform_create(state, action, instruction);
  if (call == LibraryCall::thread_self) {
    complete(state, instruction, std::uint64_t{state.private_->thread} + 1);
    return false;
  }
  std::uint64_t first = argument(state, instruction, 0);
  if (call == LibraryCall::thread_exit) return perform_thread_exit(state, action, first);
  if (state.phase_ == 1) {
    unsigned size = call == LibraryCall::thread_join_c11 ? 4 : 8;
    return write(state, action, {.address = argument(state, instruction, 1), .size = size}, state.scratch_);
  }
  if (first == 0 || first > bytecode::max_threads)
    return error(state, action, ErrorKind::thread_misuse,
                 call == LibraryCall::thread_detach ? "detach of something that is no thread"
                                                    : "join of something that is no thread");
  place(state, action, call == LibraryCall::thread_detach ? ActionKind::detach : ActionKind::join);
  action.target = static_cast<ThreadId>(first - 1);
  return true;
}

void Machine::Implementation::advance_thread_call(ThreadState& state, const Instruction& instruction, Value answer) {
  auto call = static_cast<LibraryCall>(instruction.d);
  if (call == LibraryCall::thread_exit) {
    if (!state.private_->shared_objects.empty()) own_private(state)->shared_objects.pop_back();
    return;
  }
  bool stores = creates(call) || ((call == LibraryCall::thread_join || call == LibraryCall::thread_join_c11) &&
                                  argument(state, instruction, 1) != 0);
  if (state.phase_ == 0 && stores) {
    state.scratch_ = creates(call) ? Value{answer.low + 1, 0} : answer;
    state.phase_ = 1;
    return;
  }
  complete(state, instruction, 0);
}

bool Machine::Implementation::perform_create(ThreadState& state, Action& action, const Instruction& instruction) {
  if (state.phase_ == 1)
    return write(state, action, {.address = argument(state, instruction, 0), .size = 8}, state.scratch_);
  Address address = argument(state, instruction, 1);
  std::uint64_t index = (address - bytecode::functions_begin) / bytecode::function_slot;
  if (!bytecode::is_function(address) || index >= program_.functions.size() ||
      bytecode::address_of_function(static_cast<std::uint32_t>(index)) != address)
    return error(state, action, ErrorKind::undefined_behavior, "a thread is created with a pointer that is no function",
                 address);
  place(state, action, ActionKind::create);
  action.function = static_cast<std::uint32_t>(index);
  action.value = {argument(state, instruction, 2), 0};
  action.c11_thread = static_cast<LibraryCall>(instruction.d) == LibraryCall::thread_create_c11;
  return true;
}

bool Machine::Implementation::perform_thread_exit(ThreadState& state, Action& action, std::uint64_t value) {
  if (!state.private_->shared_objects.empty()) return release_stack_object(state, action);
  return perform_finish(state, action, value);
}

}  // namespace heddle::machine
