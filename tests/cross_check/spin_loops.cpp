// See spin_loops.h. The programs are made of bytecode: two or three threads, three variables; every thread stores what
// it has read in a variable of its own, so that final states tell it.
#include "spin_loops.h"

#include <array>
#include <atomic>
#include <map>
#include <set>
#include <vector>

#include "bytecode/builder.h"
#include "bytecode/print_program.h"
#include "explore/explorer.h"
#include "loaded_models.h"
#include "random_generator.h"
#include "to_bytecode.h"

namespace heddle::cross_check {

namespace {

using bytecode::Address;
using bytecode::FunctionBuilder;
using bytecode::LibraryCall;
using bytecode::Opcode;
using bytecode::Operand;
using bytecode::ProgramBuilder;
using bytecode::RmwOp;

constexpr std::uint32_t bound = 4;
constexpr std::array load_orders{MemoryOrder::relaxed, MemoryOrder::acquire, MemoryOrder::seq_cst};
constexpr std::array store_orders{MemoryOrder::relaxed, MemoryOrder::release, MemoryOrder::seq_cst};
constexpr std::array update_orders{MemoryOrder::relaxed, MemoryOrder::acquire_release, MemoryOrder::seq_cst};

class SpinProgram {
 public:
  // `in_steps`: what is one step for LibraryCall::add_between is a load and a compare-exchange instead.
  explicit SpinProgram(std::uint64_t seed, bool in_steps = false) : random_(seed), in_steps_(in_steps) {}

  bytecode::Program make() {
    for (const char* name : {"x", "y", "z"}) variables_.push_back(program_.global(name, 4));
    mutex_ = program_.global("mutex", mutex_size);
    const int threads = random_.one_in(3) ? 3 : 2;
    std::vector<std::uint32_t> functions;
    for (int t = 0; t < threads; ++t) functions.push_back(make_thread(t, threads));
    FunctionBuilder main("main");
    const Operand cell = main.stack_object(8, bytecode::StackObjectKind::private_object);
    for (const std::uint32_t function : functions)
      main.library(LibraryCall::thread_create,
                   {cell, main.constant(bytecode::address_of_function(function)), main.constant(0)});
    main.return_values({main.constant(0)});
    program_.program.entry = program_.add(main);
    return std::move(program_.program);
  }

 private:
  std::uint32_t make_thread(int number, int threads) {
    const Address result = program_.global("result" + std::to_string(number), 4);
    FunctionBuilder f("thread" + std::to_string(number), 1);
    sum_ = f.new_registers();
    f.move(sum_, f.constant(0));
    const int statements = threads == 3 ? 2 : 2 + random_.below(2);
    for (int i = 0; i < statements; ++i) random_.one_in(3) ? loop(f) : statement(f);
    f.store(f.constant(result), sum_, 32, MemoryOrder::relaxed);
    f.return_values({f.constant(0)});
    return program_.add(f);
  }

  // In half of the programs, mostly the same one.
  Operand variable(FunctionBuilder& f) {
    const bool any = !is_focused_ || random_.one_in(4);
    return f.constant(variables_[any ? static_cast<std::size_t>(random_.below(3)) : 0]);
  }

  void remember(FunctionBuilder& f, Operand value) {
    f.emit({.op = Opcode::mul, .bits = 32, .dst = sum_, .a = sum_, .b = f.constant(8)});
    f.emit({.op = Opcode::add, .bits = 32, .dst = sum_, .a = sum_, .b = value});
  }

  void statement(FunctionBuilder& f) {
    const Operand place = variable(f);
    const Operand number = f.constant(static_cast<std::uint64_t>(1 + random_.below(2)));
    switch (random_.below(10)) {
      case 6:
      case 7: {
        f.library(LibraryCall::mutex_lock, {f.constant(mutex_)});
        f.store(place, number, 32, MemoryOrder::relaxed);
        f.library(LibraryCall::mutex_unlock, {f.constant(mutex_)});
        break;
      }
      case 8:
      case 9: {  // a read keeps the second write from being explored at once
        f.store(place, f.constant(1), 32, random_.pick(store_orders));
        look_at(f, variable(f));
        f.store(variable(f), number, 32, random_.pick(store_orders));
        break;
      }
      case 0:
      case 1:
      case 2: f.store(place, number, 32, random_.pick(store_orders)); break;
      case 3: remember(f, f.load(place, 32, random_.pick(load_orders))); break;
      case 4: add(f, place, f.constant(1)); break;
      default: {
        const Operand seen = f.load(place, 32, random_.pick(load_orders));
        const auto bad = f.new_label(), good = f.new_label();
        f.branch(f.binary(Opcode::equal, seen, number), bad, good);
        f.bind(bad);
        if (random_.one_in(3)) f.library(LibraryCall::assertion_failed, {f.constant(0)});
        remember(f, number);
        f.jump(good);
        f.bind(good);
      }
    }
  }

  // The head is watched and counted on both edges to it, as the front end does it.
  void loop(FunctionBuilder& f) {
    const Operand counter = f.new_registers(), toggle = f.new_registers();
    const std::uint32_t watched = f.new_loop({sum_, toggle});
    const auto head = f.new_label(), again = f.new_label(), done = f.new_label();
    f.move(toggle, f.constant(0));
    f.emit({.op = Opcode::watch_loop, .a = watched});
    f.emit({.op = Opcode::loop_begin, .dst = counter});
    f.bind(head);
    const Operand place = variable(f), other = variable(f);
    switch (random_.below(21)) {
      case 8:
      case 9: take(f, place, done, again); break;
      case 10:
      case 11: {  // test-and-set
        const Operand one = f.constant(1);
        f.branch(f.read_modify_write(RmwOp::exchange, place, one, 32, random_.pick(update_orders)), again, done);
        break;
      }
      case 12: {  // test-and-set, then wait
        const auto wait = f.new_label();
        const Operand one = f.constant(1);
        f.branch(f.read_modify_write(RmwOp::exchange, place, one, 32, random_.pick(update_orders)), wait, done);
        f.bind(wait);
        look_at(f, other);
        f.jump(again);
        break;
      }
      case 13:
      case 16: {  // add, and subtract if it was not some number
        const auto undo = f.new_label();
        const Operand number = f.constant(static_cast<std::uint64_t>(random_.below(3)));
        const Operand old = f.read_modify_write(RmwOp::add, place, f.constant(1), 32, random_.pick(update_orders));
        f.branch(f.binary(Opcode::equal, old, number), done, undo);
        f.bind(undo);
        add(f, place, f.constant(0xffffffff));
        f.jump(again);
        break;
      }
      case 17: {  // overwrite, look at another variable, and put back what may have been there
        f.read_modify_write(RmwOp::exchange, place, f.constant(1), 32, random_.pick(update_orders));
        const Operand seen = f.load(other, 32, random_.pick(load_orders));
        f.store(place, f.constant(0), 32, random_.pick(store_orders));
        f.branch(seen, done, again);
        break;
      }
      case 19:
      case 20: {  // two reads, each of some value that may be an old one
        const Operand first = f.load(place, 32, random_.pick(load_orders));
        const Operand second = f.load(other, 32, random_.pick(load_orders));
        const auto is_first = f.new_label();
        f.branch(f.binary(Opcode::equal, first, f.constant(static_cast<std::uint64_t>(random_.below(2)))), is_first, again);
        f.bind(is_first);
        f.branch(f.binary(Opcode::equal, second, f.constant(static_cast<std::uint64_t>(1 + random_.below(2)))), done, again);
        break;
      }
      case 18:  // count the rounds, so that only the bound ends a wait for what never comes
        f.emit({.op = Opcode::add, .bits = 32, .dst = sum_, .a = sum_, .b = f.constant(1)});
        f.branch(f.load(place, 32, random_.pick(load_orders)), done, again);
        break;
      case 14:
      case 15: {  // look at a variable with the mutex held
        f.library(LibraryCall::mutex_lock, {f.constant(mutex_)});
        const Operand seen = f.load(place, 32, random_.one_in(2) ? MemoryOrder::relaxed : MemoryOrder::acquire);
        f.library(LibraryCall::mutex_unlock, {f.constant(mutex_)});
        f.branch(seen, done, again);
        break;
      }
      case 0:
      case 1: f.branch(f.load(place, 32, random_.pick(load_orders)), done, again); break;
      case 2: {
        const Operand seen = f.load(place, 32, random_.pick(load_orders));
        f.branch(f.binary(Opcode::equal, seen, f.constant(2)), done, again);
        break;
      }
      case 3: {
        const Operand old =
            f.compare_exchange(place, f.constant(0), f.constant(1), 32, random_.pick(update_orders), MemoryOrder::relaxed);
        f.branch(old + 1, done, again);
        break;
      }
      case 4: {  // test and test-and-set
        const auto attempt = f.new_label();
        f.branch(f.load(place, 32, MemoryOrder::relaxed), again, attempt);
        f.bind(attempt);
        const Operand old =
            f.compare_exchange(place, f.constant(0), f.constant(1), 32, random_.pick(update_orders), MemoryOrder::relaxed);
        f.branch(old + 1, done, again);
        break;
      }
      case 5: {  // two variables that have to differ
        const Operand a = f.load(place, 32, random_.pick(load_orders));
        if (random_.one_in(2)) f.fence(MemoryOrder::seq_cst);
        const Operand b = f.load(other, 32, random_.pick(load_orders));
        f.branch(f.binary(Opcode::not_equal, a, b), done, again);
        break;
      }
      case 6: {  // two rounds until the state is the same
        f.emit({.op = Opcode::bit_xor, .bits = 32, .dst = toggle, .a = toggle, .b = f.constant(1)});
        f.branch(f.load(place, 32, random_.pick(load_orders)), done, again);
        break;
      }
      default: {  // every round changes something
        const Operand old = f.read_modify_write(RmwOp::add, place, f.constant(1), 32, random_.pick(update_orders));
        f.branch(old, done, again);
      }
    }
    f.bind(again);
    f.emit({.op = Opcode::watch_loop, .a = watched});
    f.emit({.op = Opcode::loop_iterate, .dst = counter});
    f.jump(head);
    f.bind(done);
    if (random_.one_in(2)) remember(f, f.load(place, 32, random_.pick(load_orders)));
  }

  // An addition whose result nobody looks at, which Heddle may or may not be told.
  void add(FunctionBuilder& f, Operand place, Operand number) {
    f.emit({.op = Opcode::read_modify_write,
            .bits = 32,
            .order = random_.pick(update_orders),
            .dst = random_.one_in(4) ? f.new_registers() : bytecode::no_operand,
            .a = place,
            .b = number,
            .d = static_cast<std::uint32_t>(RmwOp::add)});
  }

  // A read that the loop does not depend on.
  void look_at(FunctionBuilder& f, Operand place) { f.load(place, 32, random_.pick(load_orders)); }

  // Takes one from the variable if it is 1 or 2.
  void take(FunctionBuilder& f, Operand place, FunctionBuilder::Label done, FunctionBuilder::Label again) {
    constexpr std::uint64_t minus_one = 0xffffffff;
    const Operand one = f.constant(1), two = f.constant(2);
    if (!in_steps_) {
      const Operand old = f.library(LibraryCall::add_between, {place, one, two, f.constant(minus_one)});
      const Operand enough = f.binary(Opcode::unsigned_less_equal, one, old);
      const Operand few = f.binary(Opcode::unsigned_less_equal, old, two);
      f.branch(f.binary(Opcode::bit_and, enough, few), done, again);
      return;
    }
    const auto attempt = f.new_label(), second = f.new_label();
    const Operand old = f.load(place, 32, MemoryOrder::relaxed);
    f.branch(f.binary(Opcode::equal, old, one), attempt, second);
    f.bind(second);
    f.branch(f.binary(Opcode::equal, old, two), attempt, again);
    f.bind(attempt);
    const Operand less = f.binary(Opcode::add, old, f.constant(minus_one));
    const Operand seen = f.compare_exchange(place, old, less, 32, MemoryOrder::acquire, MemoryOrder::relaxed);
    f.branch(seen + 1, done, again);
  }

  Random random_;
  const bool in_steps_, is_focused_ = random_.one_in(2);
  ProgramBuilder program_;
  std::vector<Address> variables_;
  Address mutex_ = 0;
  Operand sum_ = 0;
};

struct Explored {
  std::set<std::string> states, errors;
  bool too_many = false, liveness = false, cut = false;
  std::uint64_t complete = 0, blocked = 0;
  std::string failure;
};

std::string final_state(const bytecode::RecordedExecution& execution) {
  std::map<Address, std::pair<std::uint32_t, std::uint64_t>> last;  // rank and value
  for (const bytecode::RecordedEvent& event : execution.events) {
    if (event.kind != bytecode::RecordedKind::write) continue;
    auto& known = last.try_emplace(event.address, 0, 0).first->second;
    if (event.coherence_rank >= known.first) known = {event.coherence_rank, event.value.low};
  }
  std::string text;
  for (const auto& [address, write] : last)
    if (write.second != 0) text += std::to_string(address) + "=" + std::to_string(write.second) + " ";
  return text;
}

// What Heddle does about loops that wait; each part of it can be switched off.
struct Treatment {
  bool spin_assume = true, prune_futile = true, zero_net_effect = true;
};

Explored run(const bytecode::Program& program, ReferenceModel model, Treatment treatment, std::uint64_t most) {
  Explored result;
  explore::ExploreOptions options;
  options.unroll = bound;
  options.spin_assume = treatment.spin_assume;
  options.prune_futile = treatment.prune_futile;
  options.ignore_rewriting = options.undone_updates = treatment.zero_net_effect;
  options.keep_going = true;
  options.detect_duplicates = true;
  options.timeout_seconds = 2;
  std::uint64_t count = 0;
  std::atomic<bool> enough{false};
  options.interrupted = &enough;
  options.on_execution = [&](const bytecode::RecordedExecution& execution) {
    result.states.insert(final_state(execution));
    if (++count >= most) enough = true;
  };
  options.on_restart = [&] {
    result.states.clear();
    count = 0;
  };
  const explore::ExploreResult explored = explore::explore(program, *loaded_model(model), options);
  result.too_many = explored.outcome == explore::Outcome::interrupted || explored.outcome == explore::Outcome::timeout;
  if (!result.too_many && explored.outcome != explore::Outcome::finished) result.failure = "it did not finish";
  if (explored.duplicates != 0) result.failure = "an execution was explored twice";
  result.complete = explored.complete;
  result.blocked = explored.blocked;
  result.cut = explored.bounded != 0;
  for (const bytecode::Violation& violation : explored.violations) {
    if (violation.kind == bytecode::ErrorKind::liveness)
      result.liveness = true;
    else
      result.errors.insert(std::to_string(static_cast<int>(violation.kind)) + "@" +
                           std::to_string(violation.position.function) + "." +
                           std::to_string(violation.position.instruction));
  }
  return result;
}

std::string first_missing(const std::set<std::string>& from, const std::set<std::string>& in) {
  for (const std::string& text : in)
    if (!from.contains(text)) return text;
  return "";
}

}  // namespace

SpinComparison compare_spinning(std::uint64_t seed, ReferenceModel model, std::uint64_t most_executions) {
  const bytecode::Program program = SpinProgram(seed).make();
  const Explored with = run(program, model, {}, most_executions);
  const Explored without = run(program, model, {.spin_assume = false, .prune_futile = false}, most_executions);
  const Explored all_effects = run(program, model, {.zero_net_effect = false}, most_executions);
  const Explored unpruned = run(program, model, {.prune_futile = false}, most_executions);
  SpinComparison result;
  result.waited = with.blocked != 0;
  result.pruned = with.blocked != unpruned.blocked;
  result.undone = with.complete != all_effects.complete;
  const Explored in_steps = run(SpinProgram(seed, true).make(), model, {}, most_executions);
  if (with.too_many || without.too_many || unpruned.too_many || in_steps.too_many ||
      all_effects.too_many) {
    result.left_out = true;
    return result;
  }
  std::string& text = result.difference;
  text = with.failure + without.failure + unpruned.failure + in_steps.failure + all_effects.failure;
  if (const std::string state = first_missing(with.states, without.states); !state.empty())
    text = "a final state is lost: " + state;
  if (const std::string state = first_missing(without.states, with.states); !state.empty())
    text = "a final state is new: " + state;
  if (with.errors != without.errors) text = "other errors";
  if (with.states != unpruned.states || with.errors != unpruned.errors || with.liveness != unpruned.liveness)
    text = "other final states or errors if futile explorations are not cut short";
  if (with.states != all_effects.states || with.errors != all_effects.errors)
    text = "other final states or errors if loops that change something back do not wait";
  if (with.cut != unpruned.cut) text = "the bound cuts something off only if futile explorations are (not) cut short";
  if (with.blocked > unpruned.blocked) text = "more blocked executions if futile explorations are cut short";
  if (with.states != in_steps.states) text = "other final states if a conditional addition is made of steps";
  if (with.liveness && !without.cut) text = "a loop is said never to end, and always does";
  if (!text.empty())
    text = "seed " + std::to_string(seed) + ", " + name_of(model) + ": " + text + "\n" + bytecode::print(program);
  return result;
}

}  // namespace heddle::cross_check
