// See to_bytecode.h. Register r<i> of a thread takes two bytecode registers, because a compare-exchange fills two.
#include "to_bytecode.h"

#include "base/check.h"

namespace heddle::cross_check {

namespace {

using bytecode::Instruction;
using bytecode::LibraryCall;
using bytecode::Opcode;
using BytecodeOperand = bytecode::Operand;

class FunctionBuilder {
 public:
  explicit FunctionBuilder(std::string name) { function_.name = std::move(name); }

  BytecodeOperand constant(std::uint64_t value) {
    for (std::size_t i = 0; i < function_.constants.size(); i++) {
      if (function_.constants[i] == value) return bytecode::constant_bit | static_cast<BytecodeOperand>(i);
    }
    function_.constants.push_back(value);
    return bytecode::constant_bit | static_cast<BytecodeOperand>(function_.constants.size() - 1);
  }

  std::uint32_t new_registers(std::uint32_t count) {
    function_.register_count += count;
    return function_.register_count - count;
  }

  void set_parameters(std::uint32_t slots) { function_.parameter_slots = slots; }

  std::size_t emit(Instruction instruction) {
    function_.code.push_back(instruction);
    function_.positions.emplace_back();
    return function_.code.size() - 1;
  }

  std::size_t emit_with_arguments(Instruction instruction, const std::vector<BytecodeOperand>& arguments) {
    instruction.first_argument = static_cast<std::uint32_t>(function_.arguments.size());
    instruction.argument_count = static_cast<std::uint32_t>(arguments.size());
    function_.arguments.insert(function_.arguments.end(), arguments.begin(), arguments.end());
    return emit(instruction);
  }

  // Returns the register with the result.
  std::uint32_t emit_library(LibraryCall call, const std::vector<BytecodeOperand>& arguments) {
    const std::uint32_t result = new_registers(1);
    emit_library_to(result, call, arguments);
    return result;
  }
  void emit_library_without_result(LibraryCall call, const std::vector<BytecodeOperand>& arguments) {
    emit_library_to(bytecode::no_operand, call, arguments);
  }
  void emit_library_to(std::uint32_t result, LibraryCall call, const std::vector<BytecodeOperand>& arguments) {
    Instruction instruction{.op = Opcode::library, .bits = 64, .dst = result};
    instruction.d = static_cast<std::uint32_t>(call);
    emit_with_arguments(instruction, arguments);
  }

  // A pthread_t on the stack that nobody else can reach.
  std::uint32_t emit_thread_cell() {
    const std::uint32_t cell = new_registers(1);
    Instruction object{.op = Opcode::stack_object, .bits = 64, .dst = cell, .a = constant(8)};
    object.b = 8;
    object.c = static_cast<std::uint32_t>(bytecode::StackObjectKind::private_object);
    emit(object);
    return cell;
  }

  void emit_create(std::uint32_t cell, int thread) {
    const std::uint64_t function = bytecode::address_of_function(static_cast<std::uint32_t>(thread + 1));
    emit_library(LibraryCall::thread_create, {cell, constant(function), constant(0)});
  }

  void emit_join(std::uint32_t cell) {
    const std::uint32_t thread = new_registers(1);
    emit({.op = Opcode::load, .bits = 64, .order = MemoryOrder::plain, .dst = thread, .a = cell});
    emit_library(LibraryCall::thread_join, {thread, constant(0)});
  }

  Instruction& at(std::size_t index) { return function_.code[index]; }
  std::uint32_t next_index() const { return static_cast<std::uint32_t>(function_.code.size()); }

  bytecode::Function finish() {
    emit_with_arguments({.op = Opcode::return_values, .bits = 64}, {constant(0)});
    return std::move(function_);
  }

 private:
  bytecode::Function function_;
};

class ThreadBuilder {
 public:
  ThreadBuilder(const LitmusProgram& program, int number)
      : program_(program),
        thread_(program.threads[number]),
        builder_("thread" + std::to_string(number + 1)),
        bits_(static_cast<std::uint8_t>(8 * size_of_location(program))),
        cells_(program.threads.size()) {
    builder_.set_parameters(1);
    builder_.new_registers(1);  // the thread's argument
  }

  bytecode::Function build() {
    first_register_ = builder_.new_registers(2 * register_limit);
    counters_ = builder_.new_registers(static_cast<std::uint32_t>(thread_.size()));
    for (int i = 0; i < register_limit; i++) {
      builder_.emit({.op = Opcode::move, .bits = 64, .dst = slot(i), .a = builder_.constant(0)});
    }
    for (std::size_t i = 0; i < thread_.size(); i++) {
      if (thread_[i].kind != OperationKind::again) continue;
      builder_.emit({.op = Opcode::move, .bits = 64, .dst = counter(i), .a = builder_.constant(0)});
    }
    for (const Operation& operation : thread_) {
      if (operation.kind == OperationKind::create) cells_[operation.location] = builder_.emit_thread_cell();
    }
    for (const Operation& operation : thread_) {
      starts_.push_back(builder_.next_index());
      emit(operation);
    }
    starts_.push_back(builder_.next_index());
    for (const auto& [branch, target_operation] : skips_) {
      builder_.at(branch).b = starts_[std::min(target_operation, thread_.size())];
    }
    return builder_.finish();
  }

 private:
  std::uint32_t counter(std::size_t position) const { return counters_ + static_cast<std::uint32_t>(position); }
  std::uint32_t slot(int number) const { return first_register_ + 2 * static_cast<std::uint32_t>(number); }

  BytecodeOperand value_of(const Operand& operand) {
    if (operand.source == no_register) return builder_.constant(static_cast<std::uint32_t>(operand.constant));
    if (operand.constant == 0) return slot(operand.source);
    const std::uint32_t sum = builder_.new_registers(1);
    builder_.emit({.op = Opcode::add,
                   .bits = bits_,
                   .dst = sum,
                   .a = slot(operand.source),
                   .b = builder_.constant(static_cast<std::uint32_t>(operand.constant))});
    return sum;
  }

  void emit_read_modify_write(const Operation& operation, bytecode::RmwOp function) {
    const BytecodeOperand value = value_of(operation.operand);
    Instruction instruction{.op = Opcode::read_modify_write,
                            .bits = bits_,
                            .order = operation.order,
                            .dst = slot(operation.target),
                            .a = address_in(operation),
                            .b = value};
    instruction.d = static_cast<std::uint32_t>(function);
    builder_.emit(instruction);
  }

  void emit_compare_exchange(const Operation& operation) {
    Instruction instruction{.op = Opcode::compare_exchange,
                            .bits = bits_,
                            .order = operation.order,
                            .dst = slot(operation.target),
                            .a = address_in(operation),
                            .b = builder_.constant(static_cast<std::uint32_t>(operation.expected)),
                            .c = builder_.constant(static_cast<std::uint32_t>(operation.desired))};
    instruction.d = static_cast<std::uint32_t>(operation.failure_order);
    builder_.emit(instruction);
  }

  void emit_skip(const Operation& operation) {
    const std::uint32_t condition = builder_.new_registers(1);
    builder_.emit({.op = Opcode::equal,
                   .bits = bits_,
                   .dst = condition,
                   .a = slot(operation.operand.source),
                   .b = builder_.constant(static_cast<std::uint32_t>(operation.expected))});
    const std::size_t branch = builder_.emit({.op = Opcode::branch, .a = condition});
    builder_.at(branch).c = builder_.next_index();
    skips_.emplace_back(branch, starts_.size() + static_cast<std::size_t>(operation.skip));
  }

  // Counts up and goes back, or starts to count anew and goes on.
  void emit_again(const Operation& operation) {
    const std::size_t position = starts_.size() - 1;
    const std::uint32_t count = counter(position), ends = builder_.new_registers(1);
    builder_.emit({.op = Opcode::equal,
                   .bits = 64,
                   .dst = ends,
                   .a = count,
                   .b = builder_.constant(static_cast<std::uint32_t>(operation.expected))});
    const std::size_t branch = builder_.emit({.op = Opcode::branch, .a = ends});
    builder_.at(branch).c = builder_.next_index();
    builder_.emit({.op = Opcode::add, .bits = 64, .dst = count, .a = count, .b = builder_.constant(1)});
    builder_.emit({.op = Opcode::jump, .a = starts_[position - static_cast<std::size_t>(operation.skip)]});
    builder_.at(branch).b = builder_.next_index();
    builder_.emit({.op = Opcode::move, .bits = 64, .dst = count, .a = builder_.constant(0)});
  }

  void emit(const Operation& operation) {
    switch (operation.kind) {
      case OperationKind::load:
        builder_.emit({.op = Opcode::load,
                       .bits = bits_,
                       .order = operation.order,
                       .dst = slot(operation.target),
                       .a = address_in(operation)});
        break;
      case OperationKind::store: {
        const BytecodeOperand value = value_of(operation.operand);
        builder_.emit(
            {.op = Opcode::store, .bits = bits_, .order = operation.order, .a = address_in(operation), .b = value});
        break;
      }
      case OperationKind::fetch_add: emit_read_modify_write(operation, bytecode::RmwOp::add); break;
      case OperationKind::exchange: emit_read_modify_write(operation, bytecode::RmwOp::exchange); break;
      case OperationKind::compare_exchange: emit_compare_exchange(operation); break;
      case OperationKind::fence: builder_.emit({.op = Opcode::fence, .order = operation.order}); break;
      case OperationKind::skip_if_equal: emit_skip(operation); break;
      case OperationKind::again: emit_again(operation); break;
      case OperationKind::lock: builder_.emit_library(LibraryCall::mutex_lock, {mutex_in(operation)}); break;
      case OperationKind::unlock: builder_.emit_library(LibraryCall::mutex_unlock, {mutex_in(operation)}); break;
      case OperationKind::trylock: {
        const std::uint32_t error = builder_.emit_library(LibraryCall::mutex_trylock, {mutex_in(operation)});
        builder_.emit({.op = Opcode::not_equal,
                       .bits = 32,
                       .dst = slot(operation.target),
                       .a = error,
                       .b = builder_.constant(0)});
        break;
      }
      case OperationKind::wait: {
        const BytecodeOperand barrier = builder_.constant(address_of_barrier(program_, operation.location));
        if (operation.target == no_register) {  // nobody looks at who came last: the order need not be explored
          builder_.emit_library_without_result(LibraryCall::barrier_wait, {barrier});
          break;
        }
        const std::uint32_t result = builder_.emit_library(LibraryCall::barrier_wait, {barrier});
        builder_.emit({.op = Opcode::not_equal,
                       .bits = 32,
                       .dst = slot(operation.target),
                       .a = result,
                       .b = builder_.constant(0)});
        break;
      }
      case OperationKind::allocate: {
        const std::uint32_t object =
            builder_.emit_library(LibraryCall::allocate_zeroed, {builder_.constant(size_of_location(program_))});
        move(operation.target, object);
        break;
      }
      case OperationKind::release: builder_.emit_library(LibraryCall::release, {slot(operation.operand.source)}); break;
      case OperationKind::choose: {
        const auto low = static_cast<std::uint64_t>(operation.expected);
        const auto high = static_cast<std::uint64_t>(operation.desired);
        move(operation.target,
             builder_.emit_library(LibraryCall::choose,
                                   {builder_.constant(low), builder_.constant(high), builder_.constant(64)}));
        break;
      }
      case OperationKind::assume: {
        const std::uint32_t holds = builder_.new_registers(1);
        builder_.emit({.op = Opcode::equal,
                       .bits = bits_,
                       .dst = holds,
                       .a = slot(operation.operand.source),
                       .b = builder_.constant(static_cast<std::uint32_t>(operation.expected))});
        builder_.emit_library(LibraryCall::assume, {holds});
        break;
      }
      case OperationKind::create: builder_.emit_create(cells_[operation.location], operation.location); break;
      case OperationKind::join: builder_.emit_join(cells_[operation.location]); break;
    }
  }

  void move(int target, std::uint32_t source) {
    builder_.emit({.op = Opcode::move, .bits = 64, .dst = slot(target), .a = source});
  }

  BytecodeOperand address_in(const Operation& operation) {
    if (operation.pointer != no_register) return slot(operation.pointer);
    const BytecodeOperand first = builder_.constant(address_of_location(program_, operation.location));
    if (operation.index == no_register) return first;
    const auto size = static_cast<std::uint64_t>(array_at(program_, operation.location)->size);
    const std::uint32_t element = builder_.new_registers(1);
    builder_.emit({.op = Opcode::bit_and,
                   .bits = 64,
                   .dst = element,
                   .a = slot(operation.index),
                   .b = builder_.constant(size - 1)});
    builder_.emit({.op = Opcode::mul,
                   .bits = 64,
                   .dst = element,
                   .a = element,
                   .b = builder_.constant(size_of_location(program_))});
    builder_.emit({.op = Opcode::add, .bits = 64, .dst = element, .a = element, .b = first});
    return element;
  }
  BytecodeOperand mutex_in(const Operation& operation) {
    return builder_.constant(address_of_location(program_, first_mutex(program_) + operation.location));
  }

  const LitmusProgram& program_;
  const LitmusThread& thread_;
  FunctionBuilder builder_;
  const std::uint8_t bits_;                                  // of accesses and arithmetic
  std::vector<std::uint32_t> cells_;  // per thread: where the id of one that this one creates is
  std::uint32_t first_register_ = 0;
  std::uint32_t counters_ = 0;  // one for each operation: how often it has gone back
  std::vector<std::uint32_t> starts_;  // first instruction of each operation so far
  std::vector<std::pair<std::size_t, std::size_t>> skips_;  // branch instruction, operation it skips to
};

bytecode::Function build_main(const LitmusProgram& program) {
  FunctionBuilder builder("main");
  for (std::size_t i = 0; i < program.barriers.size(); i++) {
    const BytecodeOperand barrier = builder.constant(address_of_barrier(program, static_cast<int>(i)));
    const auto count = static_cast<std::uint64_t>(program.barriers[i].count);
    builder.emit_library(LibraryCall::barrier_init, {barrier, builder.constant(count)});
  }
  std::vector<std::pair<int, std::uint32_t>> cells;
  for (int i = 0; i < static_cast<int>(program.threads.size()); i++) {
    if (!creator_of(program, i)) cells.emplace_back(i, builder.emit_thread_cell());
  }
  for (const auto& [thread, cell] : cells) builder.emit_create(cell, thread);
  for (const auto& [thread, cell] : cells) builder.emit_join(cell);
  return builder.finish();
}

bytecode::Global zeroed_global(const std::string& name, bytecode::Address address, std::uint64_t size) {
  bytecode::Global global;
  global.info.name = name;
  global.address = address;
  global.size = size;
  global.bytes.assign(size, 0);
  return global;
}

}  // namespace

bytecode::Address address_of_location(const LitmusProgram& program, int location) {
  int object = location;
  for (const Array& array : program.arrays) {
    if (location >= array.first && location < array.first + array.size) object = array.first;
  }
  return bytecode::globals_begin + static_cast<bytecode::Address>(object) * (bytecode::object_gap + 64) +
         static_cast<bytecode::Address>(location - object) * size_of_location(program);
}

bytecode::Address address_of_barrier(const LitmusProgram& program, int barrier) {
  return address_of_location(program, first_object(program, 0) + barrier);
}

std::uint64_t size_of_location(const LitmusProgram& program) {
  return count_memory(program) == first_object(program, 0) ? 4 : 8;
}

bytecode::Program to_bytecode(const LitmusProgram& program) {
  bytecode::Program result;
  result.functions.push_back(build_main(program));
  for (std::size_t i = 0; i < program.threads.size(); i++) {
    result.functions.push_back(ThreadBuilder(program, static_cast<int>(i)).build());
  }
  for (int i = 0; i < first_object(program, 0); i++) {
    const Array* array = array_at(program, i);
    const int elements = array == nullptr ? 1 : array->size;
    const std::uint64_t size = i < first_mutex(program) ? size_of_location(program) : mutex_size;
    result.globals.push_back(zeroed_global(name_of_memory(program, i), address_of_location(program, i),
                                           size * static_cast<std::uint64_t>(elements)));
    i += elements - 1;
  }
  for (std::size_t i = 0; i < program.barriers.size(); i++) {
    const bytecode::Address address = address_of_barrier(program, static_cast<int>(i));
    result.globals.push_back(zeroed_global(program.barriers[i].name, address, barrier_size));
  }
  result.objects_of_code.emplace_back();
  result.types.emplace_back();
  result.files.emplace_back();
  return result;
}

}  // namespace heddle::cross_check
