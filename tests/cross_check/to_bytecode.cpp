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

  void emit_library(LibraryCall call, const std::vector<BytecodeOperand>& arguments) {
    Instruction instruction{.op = Opcode::library, .bits = 32, .dst = new_registers(1)};
    instruction.d = static_cast<std::uint32_t>(call);
    emit_with_arguments(instruction, arguments);
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
      : program_(program), thread_(program.threads[number]), builder_("thread" + std::to_string(number + 1)) {
    builder_.set_parameters(1);
    builder_.new_registers(1);  // the thread's argument
  }

  bytecode::Function build() {
    first_register_ = builder_.new_registers(2 * register_limit);
    for (int i = 0; i < register_limit; i++) {
      builder_.emit({.op = Opcode::move, .bits = 64, .dst = slot(i), .a = builder_.constant(0)});
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
  std::uint32_t slot(int number) const { return first_register_ + 2 * static_cast<std::uint32_t>(number); }

  BytecodeOperand value_of(const Operand& operand) {
    if (operand.source == no_register) return builder_.constant(static_cast<std::uint32_t>(operand.constant));
    if (operand.constant == 0) return slot(operand.source);
    const std::uint32_t sum = builder_.new_registers(1);
    builder_.emit({.op = Opcode::add, .bits = 32, .dst = sum, .a = slot(operand.source),
                   .b = builder_.constant(static_cast<std::uint32_t>(operand.constant))});
    return sum;
  }

  void emit_read_modify_write(const Operation& operation, bytecode::RmwOp function) {
    const BytecodeOperand value = value_of(operation.operand);
    Instruction instruction{.op = Opcode::read_modify_write, .bits = 32, .order = operation.order,
                            .dst = slot(operation.target), .a = address(operation.location), .b = value};
    instruction.d = static_cast<std::uint32_t>(function);
    builder_.emit(instruction);
  }

  void emit_compare_exchange(const Operation& operation) {
    Instruction instruction{.op = Opcode::compare_exchange, .bits = 32, .order = operation.order,
                            .dst = slot(operation.target), .a = address(operation.location),
                            .b = builder_.constant(static_cast<std::uint32_t>(operation.expected)),
                            .c = builder_.constant(static_cast<std::uint32_t>(operation.desired))};
    instruction.d = static_cast<std::uint32_t>(operation.failure_order);
    builder_.emit(instruction);
  }

  void emit_skip(const Operation& operation) {
    const std::uint32_t condition = builder_.new_registers(1);
    builder_.emit({.op = Opcode::equal, .bits = 32, .dst = condition, .a = slot(operation.operand.source),
                   .b = builder_.constant(static_cast<std::uint32_t>(operation.expected))});
    const std::size_t branch = builder_.emit({.op = Opcode::branch, .a = condition});
    builder_.at(branch).c = builder_.next_index();
    skips_.emplace_back(branch, starts_.size() + static_cast<std::size_t>(operation.skip));
  }

  void emit(const Operation& operation) {
    const int locations = static_cast<int>(program_.locations.size());
    switch (operation.kind) {
      case OperationKind::load:
        builder_.emit({.op = Opcode::load, .bits = 32, .order = operation.order, .dst = slot(operation.target),
                       .a = address(operation.location)});
        break;
      case OperationKind::store: {
        const BytecodeOperand value = value_of(operation.operand);
        builder_.emit({.op = Opcode::store, .bits = 32, .order = operation.order, .a = address(operation.location),
                       .b = value});
        break;
      }
      case OperationKind::fetch_add: emit_read_modify_write(operation, bytecode::RmwOp::add); break;
      case OperationKind::exchange: emit_read_modify_write(operation, bytecode::RmwOp::exchange); break;
      case OperationKind::compare_exchange: emit_compare_exchange(operation); break;
      case OperationKind::fence: builder_.emit({.op = Opcode::fence, .order = operation.order}); break;
      case OperationKind::skip_if_equal: emit_skip(operation); break;
      case OperationKind::lock:
        builder_.emit_library(LibraryCall::mutex_lock, {address(locations + operation.location)});
        break;
      case OperationKind::unlock:
        builder_.emit_library(LibraryCall::mutex_unlock, {address(locations + operation.location)});
        break;
    }
  }

  BytecodeOperand address(int location) { return builder_.constant(address_of_location(location)); }

  const LitmusProgram& program_;
  const LitmusThread& thread_;
  FunctionBuilder builder_;
  std::uint32_t first_register_ = 0;
  std::vector<std::uint32_t> starts_;                        // first instruction of each operation so far
  std::vector<std::pair<std::size_t, std::size_t>> skips_;   // branch instruction, operation it skips to
};

bytecode::Function build_main(const LitmusProgram& program) {
  FunctionBuilder builder("main");
  std::vector<std::uint32_t> cells;
  for (std::size_t i = 0; i < program.threads.size(); i++) {
    const std::uint32_t cell = builder.new_registers(1);
    Instruction object{.op = Opcode::stack_object, .bits = 64, .dst = cell, .a = builder.constant(8)};
    object.b = 8;
    object.c = static_cast<std::uint32_t>(bytecode::StackObjectKind::private_object);
    builder.emit(object);
    cells.push_back(cell);
  }
  for (std::size_t i = 0; i < program.threads.size(); i++) {
    const std::uint64_t function = bytecode::address_of_function(static_cast<std::uint32_t>(i + 1));
    builder.emit_library(LibraryCall::thread_create, {cells[i], builder.constant(function), builder.constant(0)});
  }
  for (const std::uint32_t cell : cells) {
    const std::uint32_t thread = builder.new_registers(1);
    builder.emit({.op = Opcode::load, .bits = 64, .order = MemoryOrder::plain, .dst = thread, .a = cell});
    builder.emit_library(LibraryCall::thread_join, {thread, builder.constant(0)});
  }
  return builder.finish();
}

}  // namespace

bytecode::Program to_bytecode(const LitmusProgram& program) {
  bytecode::Program result;
  result.functions.push_back(build_main(program));
  for (std::size_t i = 0; i < program.threads.size(); i++) {
    result.functions.push_back(ThreadBuilder(program, static_cast<int>(i)).build());
  }
  const int locations = static_cast<int>(program.locations.size());
  const int all = locations + static_cast<int>(program.mutexes.size());
  for (int i = 0; i < all; i++) {
    bytecode::Global global;
    global.info.name = i < locations ? program.locations[i] : program.mutexes[i - locations];
    global.address = address_of_location(i);
    global.size = i < locations ? location_size : mutex_size;
    global.bytes.assign(global.size, 0);
    result.globals.push_back(global);
  }
  result.objects_of_code.emplace_back();
  result.types.emplace_back();
  result.files.emplace_back();
  return result;
}

}  // namespace heddle::cross_check
