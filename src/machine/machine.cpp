#include "machine/machine.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "machine/implementation.h"

namespace heddle::machine {

Machine::Machine(const bytecode::Program& program, MachineOptions options)
    : implementation_(new Implementation(program, std::move(options))) {}

Machine::~Machine() { delete implementation_; }

ThreadState Machine::start(ThreadId thread, std::uint32_t function, std::uint64_t argument, bool c11_thread) {
  return implementation_->start(thread, function, argument, c11_thread);
}

Action Machine::run(ThreadState& state) {
  Action action;
  run(state, action);
  return action;
}

void Machine::run(ThreadState& state, Action& action) {
  implementation_->run(state, action);
  state.parked_at_ = effect_of(action);
  if (action.kind == ActionKind::write && action.exclusive) implementation_->consider_rewriting(state, action);
}

void Machine::supply(ThreadState& state, Value answer) {
  state.actions_ += state.parked_at_ != Effect::silent;
  state.effects_ += state.parked_at_ == Effect::lasting;
  state.updates_ += state.parked_at_ == Effect::update;
  implementation_->advance(state, answer);
}

void Machine::proceed(ThreadState& state) { supply(state, Value{}); }

std::size_t Machine::bytes_in_states() const { return implementation_->bytes_in_states(); }

bool Machine::initial_value(Address address, unsigned size, Value& value) const {
  return implementation_->initial_value(address, size, value);
}

namespace {

// Who came last at a barrier is told by what waiting returns.
bool looks_at_order_of_arrival(const bytecode::Program& program) {
  for (const Function& function : program.functions)
    for (const Instruction& i : function.code)
      if (i.op == Opcode::library && static_cast<LibraryCall>(i.d) == LibraryCall::barrier_wait &&
          i.dst != bytecode::no_operand)
        return true;
  return false;
}

}  // namespace

Machine::Implementation::Implementation(const bytecode::Program& program, MachineOptions options)
    : program_(program),
      options_(std::move(options)),
      unordered_barriers_(options_.unordered_barriers && !looks_at_order_of_arrival(program)) {
  constexpr std::uint64_t most_pages = 1 << 20;
  for (const bytecode::Global& global : program.globals) {
    if (!global.constant) continue;
    std::uint64_t first = (global.address - bytecode::globals_begin) / page_size;
    std::uint64_t last =
        (global.address + std::max<std::uint64_t>(global.size, 1) - 1 - bytecode::globals_begin) / page_size;
    if (last >= most_pages) {
      beyond_pages_ = true;
      last = most_pages - 1;
      constant_pages_.resize(most_pages);
    }
    if (first <= last && constant_pages_.size() <= last) constant_pages_.resize(last + 1);
    for (std::uint64_t page = first; page <= last; ++page) constant_pages_[page] = 1;
  }
}

ThreadState Machine::Implementation::start(ThreadId thread, std::uint32_t function, std::uint64_t argument,
                                           bool c11_thread) {
  HEDDLE_CHECK(thread < bytecode::max_threads, "the address space has room for the thread");
  ThreadState state;
  state.frame_ = first_frame(function, argument);
  state.private_ = PrivateState::make(*pool_, thread, c11_thread, program_);
  state.frame_->private_objects = state.private_->object_count();
  return state;
}

Frame* Machine::Implementation::first_frame(std::uint32_t function, std::uint64_t argument) {
  HEDDLE_CHECK(function < program_.functions.size(), "a thread starts in a function of the program");
  const Function& code = program_.functions[function];
  Frame* frame = Frame::make(*pool_, code.register_count);
  frame->caller = nullptr;
  frame->function = &code;
  frame->function_index = function;
  frame->return_to = 0;
  frame->depth = 1;
  std::fill_n(frame->registers(), code.register_count, std::uint64_t{0});
  if (code.parameter_slots > 0) frame->registers()[0] = argument;
  frame->private_objects = 0;
  frame->shared_objects = 0;
  return frame;
}

bool Machine::Implementation::initial_value(Address address, unsigned size, Value& value) const {
  const std::vector<std::uint8_t>* bytes = nullptr;
  std::uint64_t offset = 0;
  if (bytecode::is_global(address)) {
    if (const bytecode::Global* global = find_global(address)) {
      bytes = &global->bytes;
      offset = address - global->address;
    }
  } else if (bytecode::is_shared_object(address)) {
    std::uint64_t at = address - bytecode::shared_base(bytecode::owner_thread(address));
    for (const bytecode::ThreadLocal& local : program_.thread_locals) {
      if (!local.shared || at < local.offset || at - local.offset >= local.size) continue;
      bytes = &local.bytes;
      offset = at - local.offset;
    }
  }
  if (!bytes || size > 16 || offset > bytes->size() || size > bytes->size() - offset) return false;
  value = {};
  std::memcpy(&value, bytes->data() + offset, size);
  return true;
}

bool Machine::Implementation::error(const ThreadState& state, Action& action, ErrorKind kind, std::string text,
                                    Address address, unsigned size) {
  place(state, action, ActionKind::error);
  action.error = kind;
  action.address = address;
  action.size = static_cast<std::uint8_t>(size);
  action.text = keep(std::move(text));
  return true;
}

bool Machine::Implementation::unsupported(const ThreadState& state, Action& action, std::string text) {
  place(state, action, ActionKind::unsupported);
  action.text = keep(std::move(text));
  return true;
}

}  // namespace heddle::machine
