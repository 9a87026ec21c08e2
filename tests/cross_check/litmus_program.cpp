// See litmus_program.h. The grammar, one operation a line, `#` starts a comment:
//   thread                                  (starts the next thread)
//   r0 = load x acquire                     r0 = fetch_add x 1 acq_rel      r0 = exchange x r1+2 seq_cst
//   r0 = cas x 0 1 acq_rel relaxed          store x r0+1 release            fence seq_cst
//   if r0 == 1 skip 2                       lock m                          unlock m
#include "litmus_program.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>

namespace heddle::cross_check {

namespace {

std::string print_operand(const Operand& operand) {
  if (operand.source == no_register) return std::to_string(operand.constant);
  std::string text = "r" + std::to_string(operand.source);
  if (operand.constant != 0) text += "+" + std::to_string(operand.constant);
  return text;
}

std::string print_operation(const LitmusProgram& program, const Operation& operation) {
  const std::string target = "r" + std::to_string(operation.target) + " = ";
  const std::string order = std::string(" ") + name_of(operation.order);
  const std::string location =
      accesses_location(operation.kind) ? program.locations[operation.location] + " " : std::string();
  switch (operation.kind) {
    case OperationKind::load: return target + "load " + program.locations[operation.location] + order;
    case OperationKind::store: return "store " + location + print_operand(operation.operand) + order;
    case OperationKind::fetch_add: return target + "fetch_add " + location + print_operand(operation.operand) + order;
    case OperationKind::exchange: return target + "exchange " + location + print_operand(operation.operand) + order;
    case OperationKind::compare_exchange:
      return target + "cas " + location + std::to_string(operation.expected) + " " +
             std::to_string(operation.desired) + order + " " + name_of(operation.failure_order);
    case OperationKind::fence: return "fence" + order;
    case OperationKind::skip_if_equal:
      return "if r" + std::to_string(operation.operand.source) + " == " + std::to_string(operation.expected) +
             " skip " + std::to_string(operation.skip);
    case OperationKind::lock: return "lock " + program.mutexes[operation.location];
    case OperationKind::unlock: return "unlock " + program.mutexes[operation.location];
  }
  return {};
}

// Reads one line; `failure` says what is wrong once something is.
class LineParser {
 public:
  LineParser(const std::string& line, LitmusProgram& program) : program_(program) {
    std::istringstream stream(line.substr(0, line.find('#')));
    for (std::string word; stream >> word;) words_.push_back(word);
  }

  bool empty() const { return words_.empty(); }
  const std::string& failure() const { return failure_; }

  void parse() {
    if (words_[0] == "thread") {
      next_++;
      program_.threads.emplace_back();
    } else if (program_.threads.empty()) {
      failure_ = "an operation before the first 'thread'";
    } else {
      const Operation operation = parse_operation();
      if (failure_.empty()) program_.threads.back().push_back(operation);
    }
    if (failure_.empty() && next_ != words_.size()) failure_ = "more words than '" + words_[0] + "' takes";
  }

 private:
  std::string next_word() {
    if (next_ < words_.size()) return words_[next_++];
    if (failure_.empty()) failure_ = "the line ends too early";
    return {};
  }

  void expect(const std::string& word) {
    const std::string found = next_word();
    if (failure_.empty() && found != word) failure_ = "expected '" + word + "', found '" + found + "'";
  }

  int parse_number(const std::string& word) {
    int number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool good = error == std::errc() && end == word.data() + word.size() && number >= 0 && number <= 1'000'000;
    if (!good && failure_.empty()) failure_ = "expected a number from 0 to 1000000, found '" + word + "'";
    return good ? number : 0;
  }

  int parse_register(const std::string& word) {
    if (word.empty() || word[0] != 'r') {
      if (failure_.empty()) failure_ = "expected a register, found '" + word + "'";
      return 0;
    }
    const int number = parse_number(word.substr(1));
    if (number < register_limit) return number;
    if (failure_.empty()) failure_ = "registers are r0 to r" + std::to_string(register_limit - 1);
    return 0;
  }

  Operand parse_operand() {
    const std::string word = next_word();
    if (word.empty() || word[0] != 'r') return {no_register, parse_number(word)};
    const std::size_t plus = word.find('+');
    Operand operand{parse_register(word.substr(0, plus)), 0};
    if (plus != std::string::npos) operand.constant = parse_number(word.substr(plus + 1));
    return operand;
  }

  int parse_name(std::vector<std::string>& names) {
    const std::string word = next_word();
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end()) names.push_back(word);
    return static_cast<int>(std::find(names.begin(), names.end(), word) - names.begin());
  }

  MemoryOrder parse_order() {
    const std::string word = next_word();
    for (int order = 0; order <= static_cast<int>(MemoryOrder::seq_cst); order++) {
      if (word == name_of(static_cast<MemoryOrder>(order))) return static_cast<MemoryOrder>(order);
    }
    if (failure_.empty()) failure_ = "'" + word + "' is no memory order";
    return MemoryOrder::relaxed;
  }

  Operation parse_operation() {
    Operation operation;
    std::string word = next_word();
    if (words_.size() > 1 && words_[1] == "=") {
      operation.target = parse_register(word);
      expect("=");
      word = next_word();
      const std::optional<OperationKind> kind = kind_with_target(word);
      if (!kind) return fail("'" + word + "' is no operation that fills a register");
      operation.kind = *kind;
      parse_access(operation);
    } else if (word == "store") {
      operation.kind = OperationKind::store;
      parse_access(operation);
    } else if (word == "fence") {
      operation.kind = OperationKind::fence;
      operation.order = parse_order();
      if (failure_.empty() && operation.order <= MemoryOrder::relaxed) return fail("a fence is acquire or stronger");
    } else if (word == "if") {
      operation.kind = OperationKind::skip_if_equal;
      operation.operand.source = parse_register(next_word());
      expect("==");
      operation.expected = parse_number(next_word());
      expect("skip");
      operation.skip = parse_number(next_word());
    } else if (word == "lock" || word == "unlock") {
      operation.kind = word == "lock" ? OperationKind::lock : OperationKind::unlock;
      operation.location = parse_name(program_.mutexes);
      operation.order = word == "lock" ? MemoryOrder::acquire : MemoryOrder::release;
    } else {
      return fail("unknown operation '" + word + "'");
    }
    return operation;
  }

  void parse_access(Operation& operation) {
    operation.location = parse_name(program_.locations);
    if (operation.kind == OperationKind::compare_exchange) {
      operation.expected = parse_number(next_word());
      operation.desired = parse_number(next_word());
    } else if (operation.kind != OperationKind::load) {
      operation.operand = parse_operand();
    }
    operation.order = parse_order();
    if (operation.kind == OperationKind::compare_exchange) operation.failure_order = parse_order();
    check_orders(operation);
  }

  // The orders that C allows for the operation.
  void check_orders(const Operation& operation) {
    const bool reads_only = operation.kind == OperationKind::load;
    const bool writes_only = operation.kind == OperationKind::store;
    const auto bad_read = [](MemoryOrder order) {
      return order == MemoryOrder::release || order == MemoryOrder::acquire_release;
    };
    const auto bad_write = [](MemoryOrder order) {
      return order == MemoryOrder::acquire || order == MemoryOrder::acquire_release;
    };
    const bool bad = (reads_only && bad_read(operation.order)) || (writes_only && bad_write(operation.order)) ||
                     (is_read_modify_write(operation.kind) && operation.order == MemoryOrder::plain) ||
                     (operation.kind == OperationKind::compare_exchange &&
                      (bad_read(operation.failure_order) || operation.failure_order == MemoryOrder::plain));
    if (bad && failure_.empty()) failure_ = "this operation cannot have this memory order";
  }

  static std::optional<OperationKind> kind_with_target(const std::string& word) {
    if (word == "load") return OperationKind::load;
    if (word == "fetch_add") return OperationKind::fetch_add;
    if (word == "exchange") return OperationKind::exchange;
    if (word == "cas") return OperationKind::compare_exchange;
    return std::nullopt;
  }

  Operation fail(const std::string& message) {
    if (failure_.empty()) failure_ = message;
    return {};
  }

  LitmusProgram& program_;
  std::vector<std::string> words_;
  std::size_t next_ = 0;
  std::string failure_;
};

}  // namespace

int count_events(const Operation& operation) {
  if (is_read_modify_write(operation.kind) || operation.kind == OperationKind::lock) return 2;
  return operation.kind == OperationKind::skip_if_equal ? 0 : 1;
}

int count_events(const LitmusProgram& program) {
  int count = 0;
  for (const LitmusThread& thread : program.threads) {
    for (const Operation& operation : thread) count += count_events(operation);
  }
  return count;
}

bool is_read_modify_write(OperationKind kind) {
  return kind == OperationKind::fetch_add || kind == OperationKind::exchange ||
         kind == OperationKind::compare_exchange;
}

bool accesses_location(OperationKind kind) {
  return kind == OperationKind::load || kind == OperationKind::store || is_read_modify_write(kind);
}

bool writes_register(OperationKind kind) { return kind == OperationKind::load || is_read_modify_write(kind); }

std::string print_program(const LitmusProgram& program) {
  std::string text;
  for (const LitmusThread& thread : program.threads) {
    text += "thread\n";
    for (const Operation& operation : thread) text += "  " + print_operation(program, operation) + "\n";
  }
  return text;
}

Result<LitmusProgram> parse_program(const std::string& text, const std::string& file) {
  LitmusProgram program;
  Diagnostics problems;
  std::istringstream stream(text);
  unsigned number = 0;
  for (std::string line; std::getline(stream, line);) {
    number++;
    LineParser parser(line, program);
    if (parser.empty()) continue;
    parser.parse();
    if (parser.failure().empty()) continue;
    Diagnostic problem;
    problem.file = file;
    problem.line = number;
    problem.message = parser.failure();
    problem.excerpt = line;
    problems.push_back(problem);
  }
  if (problems.empty() && count_events(program) > event_limit) {
    problems.push_back({.file = file, .message = "more than " + std::to_string(event_limit) + " events"});
  }
  if (!problems.empty()) return problems;
  return program;
}

}  // namespace heddle::cross_check
