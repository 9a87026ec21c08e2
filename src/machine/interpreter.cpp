// The dispatch loop. Invariant: from the second instruction of a run on, the innermost frame is owned by this state
// alone, so that writing a register needs no test. The first instruction may be a visible action, which writes
// nothing; only if it is not does the loop take ownership before it begins.
#include <algorithm>
#include <string>

#include "base/check.h"
#include "machine/implementation.h"

namespace heddle::machine {

using bytecode::constant_bit;
using bytecode::no_operand;

namespace {

// Instructions that the loop hands to `perform`.
bool takes_actions(Opcode op) { return op >= Opcode::load || op == Opcode::return_values; }

std::uint32_t switch_target(const bytecode::SwitchTable& table, std::uint64_t value) {
  auto found = std::lower_bound(table.cases.begin(), table.cases.end(), value,
                                [](const auto& one, std::uint64_t v) { return one.value < v; });
  return found != table.cases.end() && found->value == value ? found->target : table.default_target;
}

}  // namespace

// The operands of the instruction at `at`: a choice between two bases, not between two loads, so no branch is needed.
#define HEDDLE_OPERAND(which) (((which) & constant_bit ? constants : registers)[(which) & ~constant_bit])
#define HEDDLE_WIDE(which) wide_of(HEDDLE_OPERAND(which), HEDDLE_OPERAND((which) + 1))
#define HEDDLE_NEXT                              \
  do {                                           \
    ++at;                                        \
    goto* labels[static_cast<unsigned>(at->op)]; \
  } while (0)
#define HEDDLE_SET_WIDE(expression)            \
  do {                                         \
    Value wide_result = value_of(expression);  \
    registers[at->dst] = wide_result.low;      \
    registers[at->dst + 1] = wide_result.high; \
  } while (0)
#define HEDDLE_BINARY(label, narrow, wide)                                \
  label: {                                                                \
    if (at->bits <= 64) {                                                 \
      std::uint64_t a = HEDDLE_OPERAND(at->a), b = HEDDLE_OPERAND(at->b); \
      unsigned bits = at->bits;                                           \
      registers[at->dst] = (narrow);                                      \
      static_cast<void>(bits);                                            \
    } else {                                                              \
      Wide a = HEDDLE_WIDE(at->a), b = HEDDLE_WIDE(at->b);                \
      HEDDLE_SET_WIDE(wide);                                              \
    }                                                                     \
    HEDDLE_NEXT;                                                          \
  }
#define HEDDLE_COMPARE(label, narrow, wide)                               \
  label: {                                                                \
    if (at->bits <= 64) {                                                 \
      std::uint64_t a = HEDDLE_OPERAND(at->a), b = HEDDLE_OPERAND(at->b); \
      unsigned bits = at->bits;                                           \
      registers[at->dst] = (narrow);                                      \
      static_cast<void>(bits);                                            \
    } else {                                                              \
      Wide a = HEDDLE_WIDE(at->a), b = HEDDLE_WIDE(at->b);                \
      registers[at->dst] = (wide);                                        \
    }                                                                     \
    HEDDLE_NEXT;                                                          \
  }
#define HEDDLE_JUMP(target)                               \
  do {                                                    \
    const Instruction* next = code + (target);            \
    if (next <= at) {                                     \
      steps += static_cast<std::uint64_t>(at - next) + 1; \
      if (steps > options_.step_limit) goto step_limit;   \
    }                                                     \
    at = next;                                            \
    goto* labels[static_cast<unsigned>(at->op)];          \
  } while (0)

void Machine::Implementation::run(ThreadState& state, Action& action) {
  // In the order of Opcode.
  static const void* const labels[] = {
      &&do_move, &&do_add, &&do_sub, &&do_mul, &&do_divide, &&do_divide, &&do_divide, &&do_divide, &&do_shl, &&do_lshr,
      &&do_ashr, &&do_and, &&do_or, &&do_xor, &&do_equal, &&do_not_equal, &&do_unsigned_less, &&do_unsigned_less_equal,
      &&do_signed_less, &&do_signed_less_equal, &&do_select, &&do_truncate, &&do_sign_extend, &&do_zero_extend_128,
      &&do_overflow_arithmetic, &&do_integer_function, &&do_float_binary, &&do_float_compare, &&do_float_function,
      &&do_convert, &&do_convert, &&do_convert, &&do_convert, &&do_convert, &&do_jump, &&do_branch, &&do_switch,
      &&do_call, &&do_call_indirect, &&do_perform, &&do_unreachable, &&do_loop_begin, &&do_loop_iterate,
      &&do_watch_loop,
      // load to unsupported
      &&do_load, &&do_store, &&do_perform, &&do_perform, &&do_perform, &&do_perform, &&do_perform, &&do_perform,
      &&do_perform, &&do_perform, &&do_perform, &&do_perform, &&do_perform, &&do_perform, &&do_perform};
  static_assert(sizeof labels / sizeof *labels == static_cast<std::size_t>(Opcode::unsupported) + 1);

  if (state.phase_ == out_of_steps) return place(state, action, ActionKind::step_limit);
  std::uint64_t steps = 0;
  const Instruction* code;
  const Instruction* at;
  std::uint64_t* registers;
  const std::uint64_t* constants;
  auto reload = [&] {
    Frame* frame = state.frame_;
    code = frame->function->code.data();
    at = code + state.counter_;
    registers = frame->registers();
    constants = frame->function->constants.data();
  };
  auto park = [&] { state.counter_ = static_cast<std::uint32_t>(at - code); };
  if (!takes_actions(state.frame_->function->code[state.counter_].op)) own_frame(state);
  reload();
  goto* labels[static_cast<unsigned>(at->op)];

do_move:
  if (at->d == bytecode::thread_shared_base)
    registers[at->dst] = bytecode::shared_base(state.private_->thread) + HEDDLE_OPERAND(at->a);
  else if (at->bits <= 64)
    registers[at->dst] = HEDDLE_OPERAND(at->a);
  else
    HEDDLE_SET_WIDE(HEDDLE_WIDE(at->a));
  HEDDLE_NEXT;

  HEDDLE_BINARY(do_add, (a + b) & mask_of(bits), a + b)
  HEDDLE_BINARY(do_sub, (a - b) & mask_of(bits), a - b)
  HEDDLE_BINARY(do_mul, (a * b) & mask_of(bits), a * b)
  HEDDLE_BINARY(do_shl, shift_left(a, b, bits), wide_shift_left(a, b))
  HEDDLE_BINARY(do_lshr, shift_right(a, b, bits), wide_shift_right(a, b))
  HEDDLE_BINARY(do_ashr, shift_right_signed(a, b, bits), wide_shift_right_signed(a, b))
  HEDDLE_BINARY(do_and, a & b, a & b)
  HEDDLE_BINARY(do_or, a | b, a | b)
  HEDDLE_BINARY(do_xor, a ^ b, a ^ b)
  HEDDLE_COMPARE(do_equal, a == b, a == b)
  HEDDLE_COMPARE(do_not_equal, a != b, a != b)
  HEDDLE_COMPARE(do_unsigned_less, a < b, a < b)
  HEDDLE_COMPARE(do_unsigned_less_equal, a <= b, a <= b)
  HEDDLE_COMPARE(do_signed_less, signed_of(a, bits) < signed_of(b, bits),
                 static_cast<SignedWide>(a) < static_cast<SignedWide>(b))
  HEDDLE_COMPARE(do_signed_less_equal, signed_of(a, bits) <= signed_of(b, bits),
                 static_cast<SignedWide>(a) <= static_cast<SignedWide>(b))

do_divide: {
  bool narrow = at->bits <= 64;
  // A call through a pointer of the wrong type can bring along more bits than the parameter has: they must not make a
  // zero look like another number.
  Wide a = narrow ? Wide{HEDDLE_OPERAND(at->a) & mask_of(at->bits)} : HEDDLE_WIDE(at->a);
  Wide b = narrow ? Wide{HEDDLE_OPERAND(at->b) & mask_of(at->bits)} : HEDDLE_WIDE(at->b);
  DivisionProblem problem = division_problem(at->op, at->bits, a, b);
  if (problem != DivisionProblem::none) {
    park();
    if (problem == DivisionProblem::by_zero)
      error(state, action, ErrorKind::division_by_zero, "division by zero");
    else
      error(state, action, ErrorKind::undefined_behavior, "the quotient of a signed division does not fit its type");
    return;
  }
  Wide result = divide(at->op, at->bits, a, b);
  if (narrow)
    registers[at->dst] = static_cast<std::uint64_t>(result);
  else
    HEDDLE_SET_WIDE(result);
  HEDDLE_NEXT;
}

do_select: {
  Operand chosen = HEDDLE_OPERAND(at->a) != 0 ? at->b : at->c;
  if (at->bits <= 64)
    registers[at->dst] = HEDDLE_OPERAND(chosen);
  else
    HEDDLE_SET_WIDE(HEDDLE_WIDE(chosen));
  HEDDLE_NEXT;
}
do_truncate:
  registers[at->dst] = HEDDLE_OPERAND(at->a) & mask_of(std::min<unsigned>(at->bits, 64));
  HEDDLE_NEXT;
do_sign_extend: {
  std::int64_t extended = signed_of(HEDDLE_OPERAND(at->a), at->bits);
  if (at->c <= 64)
    registers[at->dst] = static_cast<std::uint64_t>(extended) & mask_of(at->c);
  else
    HEDDLE_SET_WIDE(static_cast<Wide>(SignedWide{extended}));
  HEDDLE_NEXT;
}
do_zero_extend_128:
  HEDDLE_SET_WIDE(Wide{HEDDLE_OPERAND(at->a)});
  HEDDLE_NEXT;
do_overflow_arithmetic: {
  bool overflowed = false;
  std::uint64_t a = HEDDLE_OPERAND(at->a), b = HEDDLE_OPERAND(at->b);
  registers[at->dst] = overflow_arithmetic(static_cast<bytecode::OverflowOp>(at->c), at->bits, a, b, overflowed);
  registers[at->dst + 1] = overflowed;
  HEDDLE_NEXT;
}
do_integer_function: {
  bool narrow = at->bits <= 64;
  auto get = [&](Operand which) {
    if (which == no_operand) return Wide{0};
    return narrow ? Wide{HEDDLE_OPERAND(which)} : HEDDLE_WIDE(which);
  };
  Wide result =
      integer_function(static_cast<bytecode::IntegerFunction>(at->d), at->bits, get(at->a), get(at->b), get(at->c));
  if (narrow)
    registers[at->dst] = static_cast<std::uint64_t>(result);
  else
    HEDDLE_SET_WIDE(result);
  HEDDLE_NEXT;
}
do_float_binary: {
  auto op = static_cast<bytecode::FloatOp>(at->c);
  if (at->bits <= 64)
    registers[at->dst] =
        static_cast<std::uint64_t>(float_binary(op, at->bits, HEDDLE_OPERAND(at->a), HEDDLE_OPERAND(at->b)));
  else
    HEDDLE_SET_WIDE(float_binary(op, at->bits, HEDDLE_WIDE(at->a), HEDDLE_WIDE(at->b)));
  HEDDLE_NEXT;
}
do_float_compare:
  registers[at->dst] = at->bits <= 64 ? float_compare(at->c, at->bits, HEDDLE_OPERAND(at->a), HEDDLE_OPERAND(at->b))
                                      : float_compare(at->c, at->bits, HEDDLE_WIDE(at->a), HEDDLE_WIDE(at->b));
  HEDDLE_NEXT;
do_float_function: {
  bool narrow = at->bits <= 64;
  auto get = [&](Operand which) {
    if (which == no_operand) return Wide{0};
    return narrow ? Wide{HEDDLE_OPERAND(which)} : HEDDLE_WIDE(which);
  };
  Wide result =
      float_function(static_cast<bytecode::FloatFunction>(at->d), at->bits, get(at->a), get(at->b), get(at->c));
  if (narrow)
    registers[at->dst] = static_cast<std::uint64_t>(result);
  else
    HEDDLE_SET_WIDE(result);
  HEDDLE_NEXT;
}
do_convert: {
  Wide a = at->bits <= 64 ? Wide{HEDDLE_OPERAND(at->a)} : HEDDLE_WIDE(at->a);
  Wide result = convert_float(at->op, at->bits, at->c, a);
  if (at->c <= 64)
    registers[at->dst] = static_cast<std::uint64_t>(result);
  else
    HEDDLE_SET_WIDE(result);
  HEDDLE_NEXT;
}

do_jump:
  HEDDLE_JUMP(at->a);
do_branch:
  HEDDLE_JUMP(HEDDLE_OPERAND(at->a) != 0 ? at->b : at->c);
do_switch:
  HEDDLE_JUMP(switch_target(state.frame_->function->switches[at->b],
                            HEDDLE_OPERAND(at->a) & mask_of(std::clamp<unsigned>(at->bits, 1, 64))));
do_call_indirect: {
  Address address = HEDDLE_OPERAND(at->a);
  std::uint64_t index = (address - bytecode::functions_begin) / bytecode::function_slot;
  park();
  if (bytecode::is_null(address)) {
    error(state, action, ErrorKind::null_dereference, "call through a null pointer", address);
    return;
  }
  if (!bytecode::is_function(address) || index >= program_.functions.size() || address % bytecode::function_slot != 0) {
    error(state, action, ErrorKind::undefined_behavior, "call through a pointer that is no function", address);
    return;
  }
  if (at->argument_count < program_.functions[index].parameter_slots) {
    error(state, action, ErrorKind::undefined_behavior, "call with fewer arguments than the function takes", address);
    return;
  }
  state.scratch_.low = index;
  goto enter_function;
}
do_call:
  park();
  state.scratch_.low = at->b;
enter_function:
  if (state.frame_->depth >= options_.frame_limit) {
    return place(state, action, ActionKind::call_limit);
  }
  state.frame_ = enter(state.frame_, static_cast<std::uint32_t>(state.scratch_.low), *at, state.counter_);
  state.frame_->private_objects = state.private_->object_count();
  state.frame_->shared_objects = state.private_->shared_objects.size();
  state.counter_ = 0;
  if (++steps > options_.step_limit) goto step_limit_parked;
  reload();
  goto* labels[static_cast<unsigned>(at->op)];
do_unreachable:
  park();
  error(state, action, ErrorKind::undefined_behavior,
        at->a == no_operand ? "the program reached a point that its compiler took for unreachable"
                            : program_.texts[at->a]);
  return;
do_loop_begin:
  registers[at->dst] = 0;
  HEDDLE_NEXT;
do_loop_iterate: {
  const std::uint64_t bound = at->a == no_operand ? options_.loop_bound : at->a;
  if (bound != 0 && registers[at->dst] + 1 >= bound + at->d) {
    park();
    return place(state, action, ActionKind::bound);
  }
  ++registers[at->dst];
  HEDDLE_NEXT;
}

do_watch_loop:
  park();
  if (perform_watch(state, action, *at)) return;
  HEDDLE_NEXT;

do_load:
  park();
  if (read(state, action, {HEDDLE_OPERAND(at->a), at->bits / 8u, at->order})) return;
  goto performed;
do_store:
  park();
  if (write(state, action, {HEDDLE_OPERAND(at->a), at->bits / 8u, at->order},
            operand_value(state, at->b, at->bits / 8u)))
    return;
  goto performed;
do_perform:
  park();
  if (perform(state, action)) return;
performed:
  own_frame(state);
  if (++steps > options_.step_limit) goto step_limit_parked;
  reload();
  goto* labels[static_cast<unsigned>(at->op)];

step_limit:
  park();
step_limit_parked:
  state.phase_ = out_of_steps;
  place(state, action, ActionKind::step_limit);
}

bool Machine::Implementation::perform(ThreadState& state, Action& action) {
  const Instruction& instruction = instruction_of(state);
  switch (instruction.op) {
    case Opcode::return_values: return perform_return(state, action);
    case Opcode::read_modify_write:
    case Opcode::compare_exchange:
    case Opcode::fence: return perform_memory(state, action, instruction);
    case Opcode::stack_object:
    case Opcode::stack_save:
    case Opcode::stack_restore: return perform_stack(state, action, instruction);
    case Opcode::memory_copy:
    case Opcode::memory_move:
    case Opcode::memory_set:
    case Opcode::va_copy: return perform_block(state, action, instruction);
    case Opcode::va_start: return perform_variadic(state, action, instruction);
    case Opcode::library: return perform_library(state, action, instruction);
    case Opcode::unsupported: return unsupported(state, action, program_.texts[instruction.a]);
    default: HEDDLE_CHECK(false, "the dispatch loop handles this instruction itself");
  }
  return false;
}

void Machine::Implementation::advance(ThreadState& state, Value answer) {
  if (state.phase_ == out_of_steps) return;
  const Instruction& instruction = instruction_of(state);
  switch (instruction.op) {
    case Opcode::load:
    case Opcode::store:
    case Opcode::read_modify_write:
    case Opcode::compare_exchange:
    case Opcode::fence: return advance_memory(state, instruction, answer);
    case Opcode::return_values:
      if (state.private_->shared_objects.size() > state.frame_->shared_objects)
        own_private(state)->shared_objects.pop_back();
      return;
    case Opcode::stack_object:
    case Opcode::stack_restore: return advance_stack(state, instruction);
    case Opcode::memory_copy:
    case Opcode::memory_move:
    case Opcode::memory_set:
    case Opcode::va_copy: return advance_block(state, instruction, answer);
    case Opcode::va_start: return advance_variadic(state, instruction, answer);
    case Opcode::library: return advance_library(state, instruction, answer);
    case Opcode::watch_loop: state.phase_ = state.parked_at_ == Effect::silent; return;  // goes on past a round
    default: return;  // errors and bounds: the thread stays where it is
  }
}

// A frame for the callee, filled from the caller's arguments. It takes over the reference to the caller.
Frame* Machine::Implementation::enter(Frame* caller, std::uint32_t function_index, const Instruction& call,
                                      std::uint32_t at) {
  const Function& callee = program_.functions[function_index];
  std::uint32_t named = std::min(call.argument_count, callee.parameter_slots);
  std::uint32_t variadic = callee.variadic ? call.argument_count - named : 0;
  Frame* frame = Frame::make(*pool_, callee.register_count + variadic);
  frame->caller = caller;
  frame->function = &callee;
  frame->function_index = function_index;
  frame->return_to = at;
  frame->depth = caller->depth + 1;
  const std::uint64_t* registers = caller->registers();
  const std::uint64_t* constants = caller->function->constants.data();
  const Operand* arguments = caller->function->arguments.data() + call.first_argument;
  std::uint64_t* slots = frame->registers();
  for (std::uint32_t i = 0; i < named; ++i) slots[i] = HEDDLE_OPERAND(arguments[i]);
  // Never read before they are written, except for values the source left undefined: those must not vary.
  std::fill(slots + named, slots + callee.register_count, std::uint64_t{0});
  for (std::uint32_t i = 0; i < variadic; ++i) slots[callee.register_count + i] = HEDDLE_OPERAND(arguments[named + i]);
  return frame;
}

bool Machine::Implementation::perform_return(ThreadState& state, Action& action) {
  if (state.private_->shared_objects.size() > state.frame_->shared_objects) return release_stack_object(state, action);
  if (state.frame_->caller) {
    return_to_caller(state);
    return false;
  }
  const Instruction& instruction = instruction_of(state);
  return perform_finish(state, action, instruction.argument_count > 0 ? argument(state, instruction, 0) : 0);
}

// The thread is over; what the program wants to run at the end of its threads comes before that.
bool Machine::Implementation::perform_finish(ThreadState& state, Action& action, std::uint64_t value) {
  const Frame* first = state.frame_;
  while (first->caller) first = first->caller;
  const bool main_returns = state.private_->thread == 0 && instruction_of(state).op == Opcode::return_values;
  if (program_.at_thread_end && first->function_index != *program_.at_thread_end && !main_returns) {
    Frame* last = first_frame(*program_.at_thread_end, value);
    last->private_objects = first->private_objects;
    if (state.private_->object_count() > last->private_objects)
      own_private(state)->remove_objects(last->private_objects);
    Frame::release(state.frame_);
    state.frame_ = last;
    state.counter_ = 0;
    state.phase_ = 0;
    return false;
  }
  place(state, action, ActionKind::finish);
  action.value = {state.private_->c11_thread ? value & mask_of(32) : value, 0};
  return true;
}

void Machine::Implementation::return_to_caller(ThreadState& state) {
  Frame* frame = state.frame_;
  if (state.private_->object_count() > frame->private_objects)
    own_private(state)->remove_objects(frame->private_objects);
  const Instruction& instruction = instruction_of(state);
  // The caller is ours alone if this frame is and nothing else refers to the caller.
  bool steal = frame->references == 1 && frame->caller->references == 1;
  Frame* caller = steal ? frame->caller : frame->caller->clone();
  const Instruction& call = caller->function->code[frame->return_to];
  // A call through a pointer of the wrong type may get more than it has registers for.
  std::uint32_t room = call.dst < caller->function->register_count ? caller->function->register_count - call.dst : 0;
  std::uint32_t returned = std::min(instruction.argument_count, room);
  for (std::uint32_t i = 0; i < returned; ++i) caller->registers()[call.dst + i] = argument(state, instruction, i);
  state.counter_ = frame->return_to + 1;
  state.frame_ = caller;
  if (steal) frame->caller = nullptr;
  Frame::release(frame);
}

}  // namespace heddle::machine
