// The loop of the second interpreter: arithmetic, control, calls, and how threads end.
#include "validate/thread_run.h"

#include <algorithm>

#include "base/check.h"
#include "bytecode/conventions.h"

namespace heddle::validate {

using bytecode::Address;
using bytecode::ErrorKind;
using bytecode::no_operand;
using bytecode::Opcode;
using bytecode::Operand;

ThreadRun::ThreadRun(const bytecode::Program& program, const RunSettings& settings, Surroundings& surroundings,
                     std::uint32_t thread, std::uint32_t function, std::uint64_t argument, bool c11_thread)
    : program_(program),
      settings_(settings),
      surroundings_(surroundings),
      thread_(thread),
      c11_thread_(c11_thread),
      memory_(program),
      shared_mark_(program.shared_thread_local_bytes + bytecode::object_gap),
      task_(run()) {
  push_frame(function, {argument});
  task_.start(stack_);
}

const Step& ThreadRun::step() {
  while (!stopped_) {
    stack_.back().resume();
    if (stack_.empty()) task_.rethrow_failure();
    HEDDLE_CHECK(!stack_.empty(), "a thread ends with a step");
  }
  return step_;
}

void ThreadRun::answer(Value value) {
  HEDDLE_CHECK(stopped_ && step_.kind != Step::Kind::finish && step_.kind < Step::Kind::blocked,
               "only a step after which the thread goes on is answered");
  answer_ = value;
  stopped_ = false;
  instructions_ = 0;
}

ThreadRun::State ThreadRun::state() const {
  State state{frames_, memory_, {}};
  for (const HeldMutex& mutex : held_) state.held_mutexes.push_back(mutex.address);
  return state;
}

Step& ThreadRun::prepare(Step::Kind kind) {
  step_ = Step{};
  step_.kind = kind;
  step_.position = {frames_.back().function, frames_.back().counter};
  return step_;
}

ThreadRun::Stop ThreadRun::fail(ErrorKind kind, Address address, unsigned size) {
  Step& step = prepare(Step::Kind::error);
  step.error = kind;
  step.address = address;
  step.size = size;
  return Stop{*this};
}

ThreadRun::Stop ThreadRun::give_up(std::string why) {
  prepare(Step::Kind::beyond).text = std::move(why);
  return Stop{*this};
}

void ThreadRun::push_frame(std::uint32_t function, std::vector<std::uint64_t> arguments) {
  const bytecode::Function& code = program_.functions.at(function);
  Frame frame;
  frame.function = function;
  frame.registers.resize(code.register_count);
  const std::size_t named = std::min<std::size_t>(arguments.size(), code.parameter_slots);
  std::copy_n(arguments.begin(), named, frame.registers.begin());
  if (code.variadic) frame.variadic.assign(arguments.begin() + static_cast<std::ptrdiff_t>(named), arguments.end());
  frame.private_objects = memory_.object_count();
  frame.shared_objects = shared_stack_objects_.size();
  frames_.push_back(std::move(frame));
}

std::uint64_t ThreadRun::slot(Operand operand) const {
  const bool constant = (operand & bytecode::constant_bit) != 0;
  return constant ? function().constants.at(operand & ~bytecode::constant_bit) : frames_.back().registers.at(operand);
}

Bits ThreadRun::operand(Operand which, unsigned bits) const {
  if (which == no_operand) return 0;
  if (bits <= 64) return slot(which);
  return Bits{slot(which + 1)} << 64 | slot(which);
}

std::uint64_t ThreadRun::argument(const Instruction& at, std::uint32_t index) const {
  return slot(function().arguments.at(at.first_argument + index));
}

// Written as it is, or as a constant.
std::uint64_t ThreadRun::literal_argument(const Instruction& at, std::uint32_t index) const {
  const Operand raw = function().arguments.at(at.first_argument + index);
  return (raw & bytecode::constant_bit) != 0 ? slot(raw) : raw;
}

void ThreadRun::set_wide(std::uint32_t place, unsigned bits, Bits value) {
  set(place, static_cast<std::uint64_t>(value));
  if (bits > 64) set(place + 1, static_cast<std::uint64_t>(value >> 64));
}

Task<> ThreadRun::run() {
  for (;;) {
    if (++instructions_ > settings_.most_instructions) co_await give_up("a thread runs too long without a step");
    const Instruction& at = function().code.at(frames_.back().counter);
    if (jump(at)) continue;
    if (at.op < Opcode::jump) {
      if (!calculate(at)) co_await Stop{*this};
    } else if (at.op == Opcode::loop_begin) {
      set(at.dst, 0);
    } else {
      // Calls and returns change the frame, and move its counter themselves.
      co_await execute(at);
      continue;
    }
    ++frames_.back().counter;
  }
}

bool ThreadRun::jump(const Instruction& at) {
  std::uint32_t& counter = frames_.back().counter;
  switch (at.op) {
    case Opcode::jump: counter = at.a; return true;
    case Opcode::branch: counter = slot(at.a) != 0 ? at.b : at.c; return true;
    case Opcode::switch_on: {
      const bytecode::SwitchTable& table = function().switches.at(at.b);
      const auto value = static_cast<std::uint64_t>(cut(slot(at.a), at.bits));
      counter = table.default_target;
      for (const auto& one : table.cases)
        if (one.value == value) counter = one.target;
      return true;
    }
    default: return false;
  }
}

bool ThreadRun::calculate(const Instruction& at) {
  const unsigned bits = at.bits;
  if (at.op == Opcode::move) {
    if (at.d == bytecode::thread_shared_base)
      set(at.dst, bytecode::shared_base(thread_) + slot(at.a));
    else
      set_wide(at.dst, bits, operand(at.a, bits));
    return true;
  }
  if (at.op <= Opcode::signed_less_equal) {
    bool by_zero = false;
    const auto result = integer_binary(at.op, bits, operand(at.a, bits), operand(at.b, bits), by_zero);
    if (!result) {
      fail(by_zero ? ErrorKind::division_by_zero : ErrorKind::undefined_behavior);
      return false;
    }
    set_wide(at.dst, at.op >= Opcode::equal ? 1 : bits, *result);
    return true;
  }
  switch (at.op) {
    case Opcode::select: set_wide(at.dst, bits, operand(slot(at.a) != 0 ? at.b : at.c, bits)); break;
    case Opcode::truncate: set(at.dst, static_cast<std::uint64_t>(cut(slot(at.a), bits))); break;
    case Opcode::sign_extend:
      set_wide(at.dst, at.c, cut(static_cast<Bits>(as_signed(cut(slot(at.a), bits), bits)), at.c));
      break;
    case Opcode::zero_extend_128: set_wide(at.dst, 128, slot(at.a)); break;
    case Opcode::overflow_arithmetic: {
      bool overflowed = false;
      const auto op = static_cast<bytecode::OverflowOp>(at.c);
      const Bits result = overflow_result(op, bits, slot(at.a), slot(at.b), overflowed);
      set(at.dst, static_cast<std::uint64_t>(result));
      set(at.dst + 1, overflowed ? 1 : 0);
      break;
    }
    case Opcode::integer_function:
      set_wide(at.dst, bits,
               integer_function(static_cast<bytecode::IntegerFunction>(at.d), bits, operand(at.a, bits),
                                operand(at.b, bits), operand(at.c, bits)));
      break;
    case Opcode::float_binary:
      set_wide(at.dst, bits,
               float_binary(static_cast<bytecode::FloatOp>(at.c), bits, operand(at.a, bits), operand(at.b, bits)));
      break;
    case Opcode::float_compare:
      set(at.dst, float_compare(at.c, bits, operand(at.a, bits), operand(at.b, bits)) ? 1 : 0);
      break;
    case Opcode::float_function:
      set_wide(at.dst, bits,
               float_function(static_cast<bytecode::FloatFunction>(at.d), bits, operand(at.a, bits),
                              operand(at.b, bits), operand(at.c, bits)));
      break;
    default: set_wide(at.dst, at.c, converted(at.op, bits, at.c, operand(at.a, bits))); break;
  }
  return true;
}

Task<> ThreadRun::execute(const Instruction& at) {
  switch (at.op) {
    case Opcode::call: co_await enter(at.b, at); co_return;
    case Opcode::call_indirect: co_await call_indirect(at); co_return;
    case Opcode::return_values: co_await return_values(at); co_return;
    case Opcode::unreachable: co_await fail(ErrorKind::undefined_behavior); break;
    case Opcode::watch_loop:
      if (!stops_at_loops_) break;
      prepare(Step::Kind::loop);
      co_await Stop{*this};
      break;
    case Opcode::loop_iterate: {
      if (stops_at_loops_) break;
      const std::uint64_t iterations = slot(at.dst) + 1;
      const std::uint64_t bound = at.a == bytecode::no_operand ? settings_.loop_bound : at.a;
      if (bound != 0 && iterations >= bound + at.d) {
        prepare(Step::Kind::bounded);
        co_await Stop{*this};
      }
      set(at.dst, iterations);
      break;
    }
    case Opcode::load:
    case Opcode::store:
    case Opcode::read_modify_write:
    case Opcode::compare_exchange:
    case Opcode::fence: co_await memory_instruction(at); break;
    case Opcode::stack_object: co_await stack_object(at); break;
    case Opcode::stack_save:  // opaque to the program
      set(at.dst, std::uint64_t{memory_.object_count()} << 32 | shared_stack_objects_.size());
      break;
    case Opcode::stack_restore: {
      const std::uint64_t token = slot(at.a);
      co_await release_stack_objects(static_cast<std::uint32_t>(token));
      memory_.keep_oldest(token >> 32);
      break;
    }
    case Opcode::memory_copy: co_await copy_block(slot(at.a), slot(at.b), slot(at.c), false); break;
    case Opcode::memory_move: co_await copy_block(slot(at.a), slot(at.b), slot(at.c), true); break;
    case Opcode::memory_set: co_await fill_block(slot(at.a), static_cast<std::uint8_t>(slot(at.b)), slot(at.c)); break;
    case Opcode::va_start: co_await start_variadic(at); break;
    case Opcode::va_copy: co_await copy_block(slot(at.a), slot(at.b), bytecode::va_list_bytes, false); break;
    case Opcode::library: {
      const auto call = static_cast<bytecode::LibraryCall>(at.d);
      co_await library(at);
      if (call == bytecode::LibraryCall::thread_exit) co_return;  // it went on in another function
      break;
    }
    case Opcode::unsupported: co_await give_up(program_.texts.at(at.a)); break;
    default: HEDDLE_CHECK(false, "every instruction is executed");
  }
  ++frames_.back().counter;
}

Task<> ThreadRun::enter(std::uint32_t callee, const Instruction& call) {
  if (frames_.size() >= settings_.most_frames) co_await give_up("calls are nested too deeply");
  std::vector<std::uint64_t> arguments;
  for (std::uint32_t i = 0; i < call.argument_count; ++i) arguments.push_back(argument(call, i));
  push_frame(callee, std::move(arguments));
}

Task<> ThreadRun::call_indirect(const Instruction& at) {
  const Address address = slot(at.a);
  if (bytecode::is_null(address)) co_await fail(ErrorKind::null_dereference, address);
  const std::uint64_t index = (address - bytecode::functions_begin) / bytecode::function_slot;
  if (!bytecode::is_function(address) || address % bytecode::function_slot != 0 || index >= program_.functions.size())
    co_await fail(ErrorKind::undefined_behavior, address);
  if (at.argument_count < program_.functions[index].parameter_slots)
    co_await fail(ErrorKind::undefined_behavior, address);
  co_await enter(static_cast<std::uint32_t>(index), at);
}

Task<> ThreadRun::release_stack_objects(std::size_t kept) {
  while (shared_stack_objects_.size() > kept) {
    Step& step = prepare(Step::Kind::release);
    step.object = bytecode::ObjectKind::stack;
    step.address = shared_stack_objects_.back();
    co_await Stop{*this};
    shared_stack_objects_.pop_back();
  }
}

Task<> ThreadRun::return_values(const Instruction& at) {
  co_await release_stack_objects(frames_.back().shared_objects);
  std::vector<std::uint64_t> values;
  for (std::uint32_t i = 0; i < at.argument_count; ++i) values.push_back(argument(at, i));
  if (frames_.size() == 1) {
    co_await finish(values.empty() ? 0 : values[0]);
    co_return;
  }
  memory_.keep_oldest(frames_.back().private_objects);
  frames_.pop_back();
  Frame& caller = frames_.back();
  // A call through a pointer of the wrong type may get more than it has registers for.
  const std::uint32_t first = function().code.at(caller.counter).dst;
  for (std::size_t i = 0; i < values.size() && first + i < caller.registers.size(); ++i)
    caller.registers[first + i] = values[i];
  ++caller.counter;
}

// The thread's function is over: what runs at the end of threads, if anything, and then its last step.
Task<> ThreadRun::finish(std::uint64_t value) {
  const bool main_returns = thread_ == 0 && function().code[frames_.back().counter].op == Opcode::return_values;
  if (program_.at_thread_end && frames_.front().function != *program_.at_thread_end && !main_returns) {
    memory_.keep_oldest(frames_.front().private_objects);
    frames_.clear();
    push_frame(*program_.at_thread_end, {value});
    co_return;
  }
  Step& step = prepare(Step::Kind::finish);
  step.value = {c11_thread_ ? value & 0xffffffff : value, 0};
  co_await Stop{*this};
}

}  // namespace heddle::validate
