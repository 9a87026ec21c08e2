// See print_c.h. Names of program k start with pk_. Plain accesses go through a pointer to the plain type; what a thread
// has read is compared at its end, so that no read can be left out as unused.
#include "print_c.h"

#include <algorithm>
#include <set>

namespace heddle::cross_check {

namespace {

std::string c_order(MemoryOrder order) {
  switch (order) {
    case MemoryOrder::plain: return "plain";
    case MemoryOrder::relaxed: return "memory_order_relaxed";
    case MemoryOrder::acquire: return "memory_order_acquire";
    case MemoryOrder::release: return "memory_order_release";
    case MemoryOrder::acquire_release: return "memory_order_acq_rel";
    case MemoryOrder::seq_cst: return "memory_order_seq_cst";
  }
  return "?";
}

class ProgramPrinter {
 public:
  ProgramPrinter(const LitmusProgram& program, int number)
      : program_(program),
        prefix_("p" + std::to_string(number) + "_"),
        type_(count_memory(program) == first_object(program, 0) ? "int" : "long") {}

  std::string print() {
    print_globals();
    const int threads = static_cast<int>(program_.threads.size());
    for (int i = 0; i < threads; i++) text_ += "static void* " + thread_name(i) + "(void* unused);\n";
    for (int i = 0; i < threads; i++) print_thread(i);
    print_run();
    return text_;
  }

 private:
  static std::string number(int value) { return std::to_string(value); }
  static std::string reg(int index) { return "r" + std::to_string(index); }
  std::string thread_name(int thread) const { return prefix_ + "thread" + number(thread + 1); }

  void print_globals() {
    std::set<int> elements;
    for (const Array& array : program_.arrays) {
      for (int i = 0; i < array.size; i++) elements.insert(array.first + i);
      text_ += "static _Atomic " + type_ + " " + array_name(array.first) + "[" + number(array.size) + "];\n";
    }
    for (int i = 0; i < first_mutex(program_); i++) {
      if (!elements.contains(i)) text_ += "static _Atomic " + type_ + " " + prefix_ + program_.locations[i] + ";\n";
    }
    for (const std::string& mutex : program_.mutexes) {
      text_ += "static pthread_mutex_t " + prefix_ + mutex + " = PTHREAD_MUTEX_INITIALIZER;\n";
    }
  }

  std::string array_name(int first) const {
    return prefix_ + program_.locations[first].substr(0, program_.locations[first].find('['));
  }

  void print_thread(int thread) {
    const LitmusThread& code = program_.threads[thread];
    std::set<int> registers, targets, labels;
    for (std::size_t i = 0; i < code.size(); i++) {
      const Operation& operation = code[i];
      for (const int used : {operation.operand.source, operation.pointer, operation.index}) {
        if (used != no_register) registers.insert(used);
      }
      if (writes_register(operation.kind)) targets.insert(operation.target);
      const int here = static_cast<int>(i), size = static_cast<int>(code.size());
      if (operation.kind == OperationKind::skip_if_equal) labels.insert(std::min(size, here + 1 + operation.skip));
      if (operation.kind == OperationKind::again) labels.insert(here - operation.skip);
    }
    registers.insert(targets.begin(), targets.end());
    text_ += "static void* " + thread_name(thread) + "(void* unused) {\n  (void)unused;\n";
    for (const int used : registers) text_ += "  " + type_ + " " + reg(used) + " = 0;\n";
    for (std::size_t i = 0; i < code.size(); i++) {
      if (code[i].kind == OperationKind::again) text_ += "  int c" + std::to_string(i) + " = 0;\n";
      if (code[i].kind == OperationKind::create) text_ += "  pthread_t t" + number(code[i].location + 1) + ";\n";
    }
    for (int i = 0; i < static_cast<int>(code.size()); i++) {
      if (labels.contains(i)) text_ += "l" + number(i) + ":;\n";
      text_ += "  " + print_operation(code[i], i, static_cast<int>(code.size())) + "\n";
    }
    if (labels.contains(static_cast<int>(code.size()))) text_ += "l" + std::to_string(code.size()) + ":;\n";
    for (const int target : targets) text_ += "  assert(" + reg(target) + " != 987654321);\n";
    text_ += "  return 0;\n}\n";
  }

  std::string print_operand(const Operand& operand) const {
    if (operand.source == no_register) return number(operand.constant);
    return reg(operand.source) + (operand.constant == 0 ? "" : " + " + number(operand.constant));
  }

  // An expression for the address.
  std::string address_of(const Operation& operation) const {
    if (operation.pointer != no_register) return "(_Atomic " + type_ + "*)" + reg(operation.pointer);
    if (operation.index != no_register) {
      const Array* array = array_at(program_, operation.location);
      return "&" + array_name(array->first) + "[(unsigned)" + reg(operation.index) + " % " + number(array->size) + "]";
    }
    return "&" + prefix_ + program_.locations[operation.location];
  }

  std::string print_access(const Operation& operation) const {
    const std::string target = reg(operation.target) + " = ", address = address_of(operation);
    const std::string order = ", " + c_order(operation.order) + ");";
    const std::string operand = print_operand(operation.operand);
    const std::string plain = "*(" + type_ + "*)(" + address + ")";
    switch (operation.kind) {
      case OperationKind::load:
        if (operation.order == MemoryOrder::plain) return target + plain + ";";
        return target + "atomic_load_explicit(" + address + order;
      case OperationKind::store:
        if (operation.order == MemoryOrder::plain) return plain + " = " + operand + ";";
        return "atomic_store_explicit(" + address + ", " + operand + order;
      case OperationKind::fetch_add: return target + "atomic_fetch_add_explicit(" + address + ", " + operand + order;
      case OperationKind::exchange: return target + "atomic_exchange_explicit(" + address + ", " + operand + order;
      default:
        return "{ " + type_ + " seen = " + number(operation.expected) + "; atomic_compare_exchange_strong_explicit(" +
               address + ", &seen, " + number(operation.desired) + ", " + c_order(operation.order) + ", " +
               c_order(operation.failure_order) + "); " + target + "seen; }";
    }
  }

  std::string print_operation(const Operation& operation, int position, int size) const {
    const std::string target = reg(operation.target) + " = ", source = reg(operation.operand.source);
    switch (operation.kind) {
      case OperationKind::fence: return "atomic_thread_fence(" + c_order(operation.order) + ");";
      case OperationKind::skip_if_equal:
        return "if (" + source + " == " + number(operation.expected) + ") goto l" +
               number(std::min(size, position + 1 + operation.skip)) + ";";
      case OperationKind::again: {
        const std::string counter = "c" + number(position);
        return "if (" + counter + " == " + number(operation.expected) + ") { " + counter + " = 0; } else { " + counter +
               "++; goto l" + number(position - operation.skip) + "; }";
      }
      case OperationKind::lock: return "pthread_mutex_lock(&" + mutex(operation) + ");";
      case OperationKind::trylock: return target + "pthread_mutex_trylock(&" + mutex(operation) + ") != 0;";
      case OperationKind::unlock: return "pthread_mutex_unlock(&" + mutex(operation) + ");";
      case OperationKind::wait: return "#error barriers are not printed";
      case OperationKind::allocate: return target + "(" + type_ + ")calloc(1, sizeof(" + type_ + "));";
      case OperationKind::release: return "free((void*)" + source + ");";
      case OperationKind::choose:
        return target + "(" + type_ + ")heddle_choose(" + number(operation.expected) + ", " +
               number(operation.desired) + ");";
      case OperationKind::assume: return "heddle_assume(" + source + " == " + number(operation.expected) + ");";
      case OperationKind::create:
        return "pthread_create(&t" + number(operation.location + 1) + ", 0, " + thread_name(operation.location) + ", 0);";
      case OperationKind::join: return "pthread_join(t" + number(operation.location + 1) + ", 0);";
      default: return print_access(operation);
    }
  }

  std::string mutex(const Operation& operation) const { return prefix_ + program_.mutexes[operation.location]; }

  void print_run() {
    std::string threads, create, join;
    for (int i = 0; i < static_cast<int>(program_.threads.size()); i++) {
      if (creator_of(program_, i)) continue;
      const std::string name = "t" + number(i + 1);
      threads += "  pthread_t " + name + ";\n";
      create += "  pthread_create(&" + name + ", 0, " + thread_name(i) + ", 0);\n";
      join += "  pthread_join(" + name + ", 0);\n";
    }
    text_ += "static void " + prefix_ + "run(void) {\n" + threads + create + join + "}\n";
  }

  const LitmusProgram& program_;
  const std::string prefix_, type_;
  std::string text_;
};

bool has_errors(const ReferenceResult& result) {
  return result.race || result.deadlock || result.use_after_free || result.double_free;
}

}  // namespace

bool can_be_printed_as_c(const LitmusProgram& program) { return program.barriers.empty(); }

std::string print_c(const std::vector<LitmusProgram>& programs) {
  std::string text =
      "#include <assert.h>\n#include <heddle.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n";
  std::string runs;
  for (std::size_t i = 0; i < programs.size(); i++) {
    text += "\n" + ProgramPrinter(programs[i], static_cast<int>(i)).print();
    runs += "    case " + std::to_string(i) + ": p" + std::to_string(i) + "_run(); break;\n";
  }
  if (programs.size() == 1) return text + "\nint main(void) {\n  p0_run();\n  return 0;\n}\n";
  return text + "\nint main(void) {\n  switch (heddle_choose(0, " + std::to_string(programs.size() - 1) + ")) {\n" +
         runs + "  }\n  return 0;\n}\n";
}

std::string print_expectations(const std::vector<LitmusProgram>& programs, const std::vector<ReferenceModel>& models) {
  std::map<ReferenceModel, std::size_t> executions;
  std::map<ReferenceModel, bool> wrong;
  for (const LitmusProgram& program : programs) {
    for (const auto& [model, result] : explore_reference(program, models)) {
      if (result.misused || (has_errors(result) && programs.size() > 1)) return {};
      // Beside a blocked thread a deadlock may be reported or not.
      if (result.deadlock_beside_blocked) return {};
      executions[model] += result.executions.size();
      wrong[model] = wrong[model] || has_errors(result);
    }
  }
  std::string text;
  for (const ReferenceModel model : models) {
    text += std::string("// expect ") + name_of(model) + ": ";
    text += wrong[model] ? "violated any" : "verified " + std::to_string(executions[model]);
    text += "\n";
  }
  return text;
}

}  // namespace heddle::cross_check
