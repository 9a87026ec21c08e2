// See litmus_program.h. The grammar is told in parse_program.cpp.
#include "litmus_program.h"

namespace heddle::cross_check {

namespace {

std::string print_operand(const Operand& operand) {
  if (operand.source == no_register) return std::to_string(operand.constant);
  std::string text = "r" + std::to_string(operand.source);
  if (operand.constant != 0) text += "+" + std::to_string(operand.constant);
  return text;
}

// Elements are called name[number].
std::string print_array(const LitmusProgram& program, int first) {
  const std::string& element = program.locations[first];
  return element.substr(0, element.find('['));
}

std::string print_operation(const LitmusProgram& program, const Operation& operation) {
  const std::string target = "r" + std::to_string(operation.target) + " = ";
  const std::string order = std::string(" ") + name_of(operation.order);
  const std::string location = !accesses_location(operation.kind) ? std::string()
                               : operation.pointer != no_register ? "*r" + std::to_string(operation.pointer) + " "
                               : operation.index != no_register
                                   ? print_array(program, operation.location) + "[r" +
                                         std::to_string(operation.index) + "] "
                                   : program.locations[operation.location] + " ";
  switch (operation.kind) {
    case OperationKind::load: return target + "load " + location + name_of(operation.order);
    case OperationKind::store: return "store " + location + print_operand(operation.operand) + order;
    case OperationKind::fetch_add: return target + "fetch_add " + location + print_operand(operation.operand) + order;
    case OperationKind::exchange: return target + "exchange " + location + print_operand(operation.operand) + order;
    case OperationKind::compare_exchange:
      return target + "cas " + location + std::to_string(operation.expected) + " " + std::to_string(operation.desired) +
             order + " " + name_of(operation.failure_order);
    case OperationKind::fence: return "fence" + order;
    case OperationKind::skip_if_equal:
      return "if r" + std::to_string(operation.operand.source) + " == " + std::to_string(operation.expected) +
             " skip " + std::to_string(operation.skip);
    case OperationKind::again:
      return "again " + std::to_string(operation.skip) + " times " + std::to_string(operation.expected);
    case OperationKind::lock: return "lock " + program.mutexes[operation.location];
    case OperationKind::trylock: return target + "trylock " + program.mutexes[operation.location];
    case OperationKind::unlock: return "unlock " + program.mutexes[operation.location];
    case OperationKind::wait:
      return (operation.target == no_register ? "" : target) + "wait " + program.barriers[operation.location].name;
    case OperationKind::allocate: return target + "malloc";
    case OperationKind::release: return "free r" + std::to_string(operation.operand.source);
    case OperationKind::choose:
      return target + "choose " + std::to_string(operation.expected) + " " + std::to_string(operation.desired);
    case OperationKind::assume:
      return "assume r" + std::to_string(operation.operand.source) + " == " + std::to_string(operation.expected);
    case OperationKind::create: return "create " + std::to_string(operation.location + 1);
    case OperationKind::join: return "join " + std::to_string(operation.location + 1);
  }
  return {};
}

}  // namespace

std::string print_program(const LitmusProgram& program) {
  std::string text;
  for (const Barrier& barrier : program.barriers) {
    text += "barrier " + barrier.name + " " + std::to_string(barrier.count) + "\n";
  }
  for (const Array& array : program.arrays) {
    text += "array " + print_array(program, array.first) + " " + std::to_string(array.size) + "\n";
  }
  for (const LitmusThread& thread : program.threads) {
    text += "thread\n";
    for (const Operation& operation : thread) text += "  " + print_operation(program, operation) + "\n";
  }
  return text;
}

}  // namespace heddle::cross_check
