// See litmus_program.h. The grammar, one operation a line, `#` starts a comment:
//   barrier b 2                             (before the threads: a barrier for two)
//   array a 2                               (before the threads: locations a[0] and a[1], also reached as a[r0])
//   thread                                  (starts the next thread)
//   r0 = load x acquire                     r0 = fetch_add x 1 acq_rel      r0 = exchange x r1+2 seq_cst
//   r0 = cas x 0 1 acq_rel relaxed          store x r0+1 release            fence seq_cst
//   if r0 == 1 skip 2                       r0 = choose 0 2
//   again 2 times 1                         (go back over the two operations before it, once)
//   lock m                                  r0 = trylock m                  unlock m
//   wait b                                  r0 = wait b
//   r0 = malloc                             free r0                         (*r0 for x: the object r0 points to)
//   assume r0 == 1                          (if not, the thread never goes on)
//   create 2                                join 2                          (threads are numbered from 1)
#include "litmus_program.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>

namespace heddle::cross_check {

namespace {

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
    } else if (words_[0] == "barrier") {
      next_++;
      parse_barrier();
    } else if (words_[0] == "array") {
      next_++;
      parse_array();
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

  void parse_barrier() {
    Barrier barrier{next_word(), 0};
    barrier.count = parse_number(next_word());
    if (failure_.empty() && (barrier.count < 1 || !program_.threads.empty())) {
      failure_ = "a barrier is declared before the threads, for at least one";
    }
    program_.barriers.push_back(barrier);
  }

  void parse_array() {
    const std::string name = next_word();
    const Array array{static_cast<int>(program_.locations.size()), parse_number(next_word())};
    if (failure_.empty() && ((array.size != 2 && array.size != 4) || !program_.threads.empty())) {
      failure_ = "an array is declared before the threads, with 2 or 4 elements";
    }
    for (int i = 0; i < array.size && failure_.empty(); i++) {
      program_.locations.push_back(name + "[" + std::to_string(i) + "]");
    }
    program_.arrays.push_back(array);
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
    } else {
      const std::optional<OperationKind> kind = kind_without_target(word);
      if (!kind) return fail("unknown operation '" + word + "'");
      operation.kind = *kind;
      if (*kind == OperationKind::wait) operation.target = no_register;
    }
    parse_rest(operation);
    return operation;
  }

  void parse_rest(Operation& operation) {
    switch (operation.kind) {
      case OperationKind::fence:
        operation.order = parse_order();
        if (operation.order <= MemoryOrder::relaxed) fail("a fence is acquire or stronger");
        break;
      case OperationKind::skip_if_equal:
      case OperationKind::assume:
        operation.operand.source = parse_register(next_word());
        expect("==");
        operation.expected = parse_number(next_word());
        if (operation.kind == OperationKind::assume) break;
        expect("skip");
        operation.skip = parse_number(next_word());
        break;
      case OperationKind::again:
        operation.skip = parse_number(next_word());
        expect("times");
        operation.expected = parse_number(next_word());
        if (static_cast<std::size_t>(operation.skip) > program_.threads.back().size()) fail("a loop starts in its thread");
        break;
      case OperationKind::lock:
      case OperationKind::trylock:
      case OperationKind::unlock:
        operation.location = parse_name(program_.mutexes);
        operation.order = operation.kind == OperationKind::unlock ? MemoryOrder::release : MemoryOrder::acquire;
        break;
      case OperationKind::wait: operation.location = parse_barrier_name(); break;
      case OperationKind::allocate: break;
      case OperationKind::release: operation.operand.source = parse_register(next_word()); break;
      case OperationKind::choose:
        operation.expected = parse_number(next_word());
        operation.desired = parse_number(next_word());
        if (operation.expected > operation.desired) fail("the lowest value comes first");
        break;
      case OperationKind::create:
      case OperationKind::join: operation.location = parse_number(next_word()) - 1; break;
      default: parse_access(operation);
    }
  }

  int parse_barrier_name() {
    const std::string word = next_word();
    for (std::size_t i = 0; i < program_.barriers.size(); i++) {
      if (program_.barriers[i].name == word) return static_cast<int>(i);
    }
    fail("no barrier is called '" + word + "'");
    return 0;
  }

  void parse_access(Operation& operation) {
    if (next_ < words_.size() && words_[next_].starts_with("*")) {
      operation.pointer = parse_register(next_word().substr(1));
    } else if (next_ < words_.size() && words_[next_].find("[r") != std::string::npos) {
      parse_element(operation);
    } else {
      operation.location = parse_name(program_.locations);
    }
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

  // a[r0]
  void parse_element(Operation& operation) {
    const std::string word = next_word();
    const std::size_t bracket = word.find('[');
    const auto first = std::find(program_.locations.begin(), program_.locations.end(), word.substr(0, bracket) + "[0]");
    operation.location = static_cast<int>(first - program_.locations.begin());
    if (!word.ends_with("]") || array_at(program_, operation.location) == nullptr) {
      fail("'" + word + "' is no element of an array");
    } else {
      operation.index = parse_register(word.substr(bracket + 1, word.size() - bracket - 2));
    }
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
    if (word == "trylock") return OperationKind::trylock;
    if (word == "wait") return OperationKind::wait;
    if (word == "malloc") return OperationKind::allocate;
    if (word == "choose") return OperationKind::choose;
    return std::nullopt;
  }

  static std::optional<OperationKind> kind_without_target(const std::string& word) {
    if (word == "store") return OperationKind::store;
    if (word == "fence") return OperationKind::fence;
    if (word == "if") return OperationKind::skip_if_equal;
    if (word == "again") return OperationKind::again;
    if (word == "lock") return OperationKind::lock;
    if (word == "unlock") return OperationKind::unlock;
    if (word == "wait") return OperationKind::wait;
    if (word == "free") return OperationKind::release;
    if (word == "assume") return OperationKind::assume;
    if (word == "create") return OperationKind::create;
    if (word == "join") return OperationKind::join;
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

// Threads are created once, by an earlier thread, and joined by the same.
std::string problem_with_threads(const LitmusProgram& program) {
  std::vector<int> creators(program.threads.size(), -1);
  for (std::size_t i = 0; i < program.threads.size(); i++) {
    for (const Operation& operation : program.threads[i]) {
      if (operation.kind != OperationKind::create && operation.kind != OperationKind::join) continue;
      const int other = operation.location, own = static_cast<int>(i);
      if (other <= own || other >= static_cast<int>(program.threads.size()))
        return "a thread creates and joins later ones only";
      if (operation.kind == OperationKind::create && creators[other] >= 0) return "a thread is created twice";
      if (operation.kind == OperationKind::join && creators[other] != own)
        return "a thread is joined by its creator only";
      creators[other] = own;
    }
  }
  return {};
}

}  // namespace

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
  if (problems.empty() && !problem_with_threads(program).empty()) {
    problems.push_back({.file = file, .message = problem_with_threads(program)});
  }
  if (!problems.empty()) return problems;
  return program;
}

}  // namespace heddle::cross_check
