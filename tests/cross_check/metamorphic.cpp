// See metamorphic.h.
#include "base/check.h"
#include "metamorphic.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "explore/explorer.h"
#include "loaded_models.h"
#include "random_generator.h"
#include "to_bytecode.h"

namespace heddle::cross_check {

namespace {

struct Switches {
  const char* name;
  bool maximal_shortcut = true, specialise_model = true, writes_first = true, cycle_filter = true,
       remember_threads = true;
  bool prune_futile = false;  // off: how many blocked executions it leaves depends on the order of exploration
  bool compiled = false;
  std::optional<std::uint32_t> split_depth;  // explore in parts of this depth, and add up
};

const Switches default_switches{.name = "defaults"};
const Switches other_switches[] = {
    {.name = "maximal_shortcut off", .maximal_shortcut = false},
    {.name = "specialise_model off", .specialise_model = false},
    {.name = "writes_first off", .writes_first = false},
    {.name = "cycle_filter off", .cycle_filter = false},
    {.name = "remember_threads off", .remember_threads = false},
    {.name = "prune_futile on", .prune_futile = true},
    {.name = "compiled", .specialise_model = false, .compiled = true},
    {.name = "in parts", .split_depth = 2},
    {.name = "in small parts", .split_depth = 7},
};

// A program that is compared with the original one.
struct Variant {
  std::string relation;
  LitmusProgram program;
  std::vector<int> thread_names;  // by thread: its number in the original program, -1 if it is new
  bool equal = true;              // else: every execution is one of the original program, too
};

struct Executions {
  std::multiset<std::string> keys;
  std::uint64_t blocked = 0, futile = 0;
  bool race = false;
  bool too_many = false;
  std::string failure;
};

// The graph: per thread reads, writes and choices, then coherence. New threads and their variables are left out.
class KeyMaker {
 public:
  KeyMaker(const Variant& variant, const bytecode::RecordedExecution& execution)
      : variant_(variant), execution_(execution), names_(execution.events.size()) {}

  std::string make() {
    std::map<int, std::string> threads;
    std::map<int, int> counts;
    for (std::size_t i = 0; i < execution_.events.size(); ++i) {
      if (!counts_as_event(i)) continue;
      const int thread = thread_of(i);
      names_[i] = std::to_string(thread) + "." + std::to_string(counts[thread]++);
    }
    std::map<std::string, std::map<std::uint32_t, std::string>> coherence;
    for (std::size_t i = 0; i < execution_.events.size(); ++i) {
      if (names_[i].empty()) continue;
      const bytecode::RecordedEvent& event = execution_.events[i];
      std::string& text = threads[thread_of(i)];
      if (event.kind == bytecode::RecordedKind::choice) {
        text += " C" + std::to_string(event.value.low);
        continue;
      }
      const bool read = event.kind == bytecode::RecordedKind::read;
      text += (read ? " R" : " W") + location_of(event) + "=" + std::to_string(value_of(event));
      if (read) text += "<" + source_of(event);
      if (!read) coherence[location_of(event)][event.coherence_rank] = names_[i];
    }
    std::string key;
    for (const auto& [thread, text] : threads) key += std::to_string(thread) + ":" + text + "\n";
    for (const auto& [location, writes] : coherence) {
      key += location + ":";
      for (const auto& [rank, name] : writes) key += " " + name;
      key += "\n";
    }
    return key;
  }

 private:
  bool counts_as_event(std::size_t i) const {
    using bytecode::RecordedKind;
    const RecordedKind kind = execution_.events[i].kind;
    return thread_of(i) >= 0 &&
           (kind == RecordedKind::read || kind == RecordedKind::write || kind == RecordedKind::choice);
  }

  int thread_of(std::size_t i) const {
    const std::uint32_t recorded = execution_.events[i].thread;
    const auto thread = static_cast<std::size_t>(execution_.threads[recorded].function);  // main has number 0
    return thread == 0 || thread > variant_.thread_names.size() ? -1 : variant_.thread_names[thread - 1];
  }

  bool is_mutex(const bytecode::RecordedEvent& event) const {
    return number_of(event) >= static_cast<int>(variant_.program.locations.size());
  }
  int number_of(const bytecode::RecordedEvent& event) const {
    int number = 0;
    while (address_of_location(variant_.program, number) != event.address) {
      number++;
      HEDDLE_CHECK(number < 10'000, "every access is of a variable, mutex or barrier of the program");
    }
    return number;
  }
  std::string location_of(const bytecode::RecordedEvent& event) const {
    return name_of_memory(variant_.program, number_of(event));
  }
  std::uint64_t value_of(const bytecode::RecordedEvent& event) const {
    return is_mutex(event) ? (event.value.low & 0xff) != 0 : event.value.low;
  }
  std::string source_of(const bytecode::RecordedEvent& event) const {
    if (!event.reads_from || *event.reads_from == bytecode::initial_write) return "initial";
    return names_[*event.reads_from];
  }

  const Variant& variant_;
  const bytecode::RecordedExecution& execution_;
  std::vector<std::string> names_;  // by event: its thread and its number there; empty if it does not count
};

// In parts, if the options ask for that: each is explored on its own, with a search that knows nothing of the others.
explore::ExploreResult explore_all(const bytecode::Program& program, const consistency::Model& model,
                                   explore::ExploreOptions options) {
  explore::ExploreResult sum = explore::explore(program, model, options);
  options.split_depth.reset();
  for (const auto& part : sum.parts) {
    options.below = part;
    const explore::ExploreResult explored = explore::explore(program, model, options);
    if (explored.outcome != explore::Outcome::finished) sum.outcome = explored.outcome;
    sum.complete += explored.complete;
    sum.blocked += explored.blocked;
    sum.violations.insert(sum.violations.end(), explored.violations.begin(), explored.violations.end());
  }
  return sum;
}

Executions run(const Variant& variant, ReferenceModel model, const Switches& switches, std::uint64_t most) {
  Executions result;
  explore::ExploreOptions options;
  options.race_detection = false;
  options.keep_going = true;
  options.maximal_shortcut = switches.maximal_shortcut;
  options.specialise_model = switches.specialise_model;
  options.writes_first = switches.writes_first;
  options.cycle_filter = switches.cycle_filter;
  options.remember_threads = switches.remember_threads;
  options.prune_futile = switches.prune_futile;
  options.split_depth = switches.split_depth;
  if (switches.compiled) options.native = {shared_generator(), 0};
  std::atomic<bool> enough{false};
  options.interrupted = &enough;
  options.on_execution = [&](const bytecode::RecordedExecution& execution) {
    result.keys.insert(KeyMaker(variant, execution).make());
    if (result.keys.size() >= most) enough = true;
  };
  options.on_restart = [&] { result.keys.clear(); };
  try {
    const bytecode::Program program = to_bytecode(variant.program);
    const explore::ExploreResult explored = explore_all(program, *loaded_model(model), options);
    result.too_many = enough || explored.outcome == explore::Outcome::interrupted;
    result.blocked = explored.blocked;
    result.futile = explored.futile;
    if (result.too_many) return result;
    if (explored.outcome != explore::Outcome::finished) result.failure = "the exploration did not finish";
    if (explored.complete != result.keys.size()) result.failure = "counts other executions than it delivers";
    options.race_detection = true;
    options.prune_futile = true;
    options.on_execution = nullptr;
    for (const bytecode::Violation& violation : explore_all(program, *loaded_model(model), options).violations)
      result.race |= violation.kind == bytecode::ErrorKind::race;
  } catch (const std::exception& error) {
    result.failure = std::string("exception: ") + error.what();
  }
  return result;
}

// What is wrong with `other`, compared with the original; empty if nothing is.
std::string difference(const Executions& original, const Executions& other, bool equal) {
  if (!other.failure.empty()) return other.failure;
  for (const std::string& key : other.keys)
    if (!original.keys.contains(key)) return "an execution more:\n" + key;
  if (!equal) return other.race && !original.race ? "a race more" : "";
  for (const std::string& key : original.keys)
    if (!other.keys.contains(key)) return "an execution less:\n" + key;
  if (original.keys.size() != other.keys.size())
    return std::to_string(other.keys.size()) + " executions instead of " + std::to_string(original.keys.size());
  if (other.futile == 0 ? original.blocked != other.blocked : original.blocked <= other.blocked)
    return std::to_string(other.blocked) + " blocked executions instead of " + std::to_string(original.blocked);
  if (original.race != other.race) return original.race ? "no race any more" : "a race more";
  return "";
}

// The variants of one program.
class Variants {
 public:
  Variants(const LitmusProgram& program, std::uint64_t seed) : program_(program), random_(seed) {}

  Variant original() const { return {"", program_, names(), true}; }

  Variant other_thread_order() {
    Variant result{"threads in another order", program_, names(), true};
    for (std::size_t i = result.thread_names.size(); i > 1; --i)
      std::swap(result.thread_names[i - 1], result.thread_names[static_cast<std::size_t>(random_.below(int(i)))]);
    for (std::size_t i = 0; i < result.thread_names.size(); ++i)
      result.program.threads[i] = program_.threads[static_cast<std::size_t>(result.thread_names[i])];
    return result;
  }

  Variant other_places() {
    Variant result{"variables at other places", program_, names(), true};
    const auto count = program_.locations.size();
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::reverse(order.begin(), order.end());
    std::vector<int> place(count);
    result.program.locations.clear();
    for (const std::size_t old : order) {
      result.program.locations.push_back("padding" + std::to_string(old));
      place[old] = static_cast<int>(result.program.locations.size());
      result.program.locations.push_back(program_.locations[old]);
    }
    for (LitmusThread& thread : result.program.threads)
      for (Operation& operation : thread)
        if (accesses_location(operation.kind)) operation.location = place[static_cast<std::size_t>(operation.location)];
    return result;
  }

  // `busy`: it writes a variable of its own, once.
  Variant further_thread(bool busy) {
    Variant result{busy ? "a further thread with its own variable" : "a further thread", program_, names(), true};
    LitmusThread thread;
    if (busy) {
      result.program.locations.push_back("own");
      Operation store{.kind = OperationKind::store, .location = static_cast<int>(program_.locations.size())};
      store.operand.constant = 1;
      store.order = MemoryOrder::seq_cst;
      thread.push_back(store);
    }
    result.program.threads.push_back(thread);
    result.thread_names.push_back(-1);
    return result;
  }

  std::optional<Variant> stronger_order() {
    Variant result{"a stronger order", program_, names(), false};
    std::vector<MemoryOrder*> weak;
    std::vector<OperationKind> kinds;
    for (LitmusThread& thread : result.program.threads) {
      for (Operation& operation : thread) {
        const bool ordered = accesses_location(operation.kind) || operation.kind == OperationKind::fence;
        if (!ordered || operation.order == MemoryOrder::plain || operation.order == MemoryOrder::seq_cst) continue;
        weak.push_back(&operation.order);
        kinds.push_back(operation.kind);
      }
    }
    if (weak.empty()) return std::nullopt;
    const auto chosen = static_cast<std::size_t>(random_.below(static_cast<int>(weak.size())));
    *weak[chosen] = stronger(*weak[chosen], kinds[chosen]);
    return result;
  }

  Variant further_fence() {
    Variant result{"a fence more", program_, names(), false};
    LitmusThread& thread =
        result.program.threads[static_cast<std::size_t>(random_.below(static_cast<int>(program_.threads.size())))];
    const int place = random_.below(static_cast<int>(thread.size()) + 1);
    for (int i = 0; i < place; ++i) {
      Operation& skip = thread[static_cast<std::size_t>(i)];
      if (skip.kind == OperationKind::skip_if_equal && place <= i + skip.skip) ++skip.skip;
    }
    constexpr MemoryOrder orders[] = {MemoryOrder::acquire, MemoryOrder::release, MemoryOrder::acquire_release,
                                      MemoryOrder::seq_cst};
    Operation fence{.kind = OperationKind::fence, .order = orders[random_.below(4)]};
    thread.insert(thread.begin() + place, fence);
    return result;
  }

 private:
  std::vector<int> names() const {
    std::vector<int> result(program_.threads.size());
    std::iota(result.begin(), result.end(), 0);
    return result;
  }

  MemoryOrder stronger(MemoryOrder order, OperationKind kind) {
    const bool seq_cst = random_.one_in(3);
    if (seq_cst) return MemoryOrder::seq_cst;
    if (kind == OperationKind::load) return order == MemoryOrder::relaxed ? MemoryOrder::acquire : MemoryOrder::seq_cst;
    if (kind == OperationKind::store)
      return order == MemoryOrder::relaxed ? MemoryOrder::release : MemoryOrder::seq_cst;
    if (order == MemoryOrder::relaxed) return random_.one_in(2) ? MemoryOrder::acquire : MemoryOrder::release;
    return order == MemoryOrder::acquire_release ? MemoryOrder::seq_cst : MemoryOrder::acquire_release;
  }

  const LitmusProgram& program_;
  Random random_;
};

class Check {
 public:
  Check(const LitmusProgram& program, std::uint64_t seed, const MetamorphicOptions& options)
      : options_(options), variants_(program, seed), original_(variants_.original()) {}

  MetamorphicResult run_all() {
    for (const ReferenceModel model : options_.models) originals_[model] = explored(original_, model, default_switches);
    for (const ReferenceModel model : options_.models) {
      if (originals_[model].too_many) ++result_.left_out;
      if (!originals_[model].failure.empty()) note(model, "the program itself", originals_[model].failure, original_);
    }
    for (const Variant& variant : all_variants())
      for (const ReferenceModel model : options_.models) compare(variant, model, default_switches);
    for (const Switches& switches : other_switches)
      if (!switches.compiled || shared_generator() != nullptr)
        for (const ReferenceModel model : options_.models) compare(original_, model, switches);
    compare_models();
    return std::move(result_);
  }

 private:
  std::vector<Variant> all_variants() {
    std::vector<Variant> list{variants_.other_places(), variants_.further_thread(false),
                              variants_.further_thread(true)};
    for (int i = 0; i < options_.variants; ++i) {
      list.push_back(variants_.other_thread_order());
      list.push_back(variants_.further_fence());
      if (auto variant = variants_.stronger_order()) list.push_back(std::move(*variant));
    }
    return list;
  }

  Executions explored(const Variant& variant, ReferenceModel model, const Switches& switches) const {
    return run(variant, model, switches, options_.most_executions);
  }

  void compare(const Variant& variant, ReferenceModel model, const Switches& switches) {
    const Executions& original = originals_[model];
    if (original.too_many || !original.failure.empty()) return;
    ++result_.comparisons;
    Executions other = explored(variant, model, switches);
    if (other.too_many) other.failure = "far more executions";
    const std::string what = difference(original, other, variant.equal);
    const std::string relation = variant.relation.empty() ? switches.name : variant.relation;
    if (!what.empty()) note(model, relation, what, variant);
  }

  void compare_models() {
    for (const StrongerModel& pair : order_of_models()) {
      const auto strong = originals_.find(pair.strong), weak = originals_.find(pair.weak);
      if (strong == originals_.end() || weak == originals_.end() || weak->second.too_many) continue;
      if (!strong->second.failure.empty() || !weak->second.failure.empty()) continue;
      ++result_.comparisons;
      for (const std::string& key : strong->second.keys) {
        if (weak->second.keys.contains(key)) continue;
        note(pair.strong, std::string("weaker model ") + name_of(pair.weak), "lacks this execution:\n" + key, original_);
        break;
      }
    }
  }

  void note(ReferenceModel model, const std::string& relation, const std::string& what, const Variant& variant) {
    result_.differences.push_back(std::string(name_of(model)) + ", " + relation + ": " + what + "\n" +
                                  print_program(original_.program) +
                                  (variant.relation.empty() ? "" : "changed to\n" + print_program(variant.program)));
  }

  const MetamorphicOptions& options_;
  Variants variants_;
  const Variant original_;
  std::map<ReferenceModel, Executions> originals_;
  MetamorphicResult result_;
};

}  // namespace

const std::vector<StrongerModel>& order_of_models() {
  using enum ReferenceModel;
  static const std::vector<StrongerModel> pairs = {
      {sc, tso},         {sc, sra},     {sc, rc11_c11},  {sc, rc11_strong},   {tso, pso}, {pso, rc11_2017},
      {rc11_2017, rc11}, {rc11_c11, rc11}, {rc11_strong, rc11}, {rc11, ra}, {sra, ra}};
  return pairs;
}

LitmusProgram metamorphic_program(std::uint64_t seed, int size) {
  constexpr Feature features[] = {Feature::basic, Feature::basic,  Feature::basic,  Feature::trylock,
                                  Feature::choose, Feature::assume, Feature::sequence};
  RandomProgramOptions options;
  options.feature = features[seed % std::size(features)];
  options.event_limit = size;
  options.thread_limit = 4;
  return random_program(seed, options);
}

MetamorphicResult check_relations(const LitmusProgram& program, std::uint64_t seed, const MetamorphicOptions& options) {
  return Check(program, seed, options).run_all();
}

}  // namespace heddle::cross_check
