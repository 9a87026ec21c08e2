// The loop of the exploration: scheduling, choices, and undoing. See search.h for the idea.
#include "explore/search.h"

#include <algorithm>

#include "explore/labels_of_program.h"
#include "explore/process_memory.h"
#include "graph/graph_invariants.h"

namespace heddle::explore {

namespace {

machine::MachineOptions machine_options(const ExploreOptions& options, const consistency::Model& model,
                                        AccessHints& hints,
                                        std::function<std::uint64_t(bytecode::Address)> object_size) {
  machine::MachineOptions result;
  result.step_limit = options.step_limit;
  result.loop_bound = options.unroll.value_or(0);
  result.watch_loops = options.spin_assume;
  result.rewriting_has_effect = !options.ignore_rewriting || model.has_late_parts();
  result.undone_updates = options.undone_updates;
  result.unordered_barriers = options.unordered_barriers;
  result.format_output = options.path.has_value();
  result.access_size_hint = [&hints](bytecode::Address address) { return hints.size_at(address); };
  result.object_size = std::move(object_size);
  return result;
}

// Looking ahead needs threads that remember, and late constraints judge graphs as they are.
bool idle_ends(const ExploreOptions& options, const consistency::Model& model) {
  return options.idle_ends && options.remember_threads && !options.path && !model.has_late_parts();
}

}  // namespace

Search::Search(const bytecode::Program& program, const consistency::Model& model, const ExploreOptions& options,
               AccessHints& hints, ExploreResult& result)
    : program_(program),
      model_(model),
      options_given_(options),
      hints_(hints),
      result_(result),
      graph_(model.view_count()),
      machine_(program, machine_options(options, model, hints,
                                        [this](bytecode::Address address) -> std::uint64_t {
                                          history_.run_was_impure();  // the answer depends on the graph
                                          const MemoryObject* object = objects_.nearest(address);
                                          return object != nullptr && object->address == address ? object->size : 0;
                                        })),
      history_(machine_, {.remember = options.remember_threads && !options.path,
                          .writes_first = options.writes_first,
                          .ends_at_once = !idle_ends(options, model),
                          .runs = &result.thread_runs}),
      splits_(options.split_depth.has_value()),
      has_late_parts_(model.has_late_parts()),
      idle_ends_(idle_ends(options, model)),
      prune_futile_(options.prune_futile && !options.path && !model.has_late_parts()) {
  if (options.specialise_model) known_labels_ = labels_of_program(program);
  make_checker();
  started_ = last_progress_ = std::chrono::steady_clock::now();
}

void Search::run() {
  constexpr ThreadId main = 0;
  new_thread(main);
  thread_function_[main] = program_.entry;
  if (options_given_.path) read_path(*options_given_.path);
  if (options_given_.below) {
    read_path(*options_given_.below);
    first_open_choice_ = forced_path_.size();
  }
  Slot slot;
  slot.alive = true;
  slot.node = history_.start(nullptr, main, program_.entry, 0, false);
  slot.readiness = slot.node->readiness;
  put(main, slot);

  while (!stop_) {
    if ((++steps_ & 63) == 0) check_limits();
    const bool went_on = step();
#ifdef HEDDLE_PARANOID_CHECKS
    if (went_on) graph::check_invariants(graph_);
#endif
    if (went_on && (!splits_ || !is_left_to_others())) continue;
    if (stop_ || options_given_.path) break;
    bool more = backtrack();
    while (splits_ && more && is_left_to_others()) more = backtrack();
    if (!more) break;
  }
  result_.simplifications = checker_->simplifications();
  if (options_given_.path && options_given_.on_print)
    for (const EventId e : events_by_stamp())
      if (!texts_[e].empty()) options_given_.on_print(graph_[e].thread, texts_[e]);
}

// Is this the beginning of a part that is only to be listed? Then lists it.
bool Search::is_left_to_others() {
  if (choices_.size() < first_open_choice_ + options_given_.split_depth.value_or(0)) return false;
  result_.parts.push_back(path());
  return true;
}

// A path: the number of threads but the first, the creator of each, then the numbers of the options taken.
void Search::read_path(const std::vector<std::uint32_t>& path) {
  const std::size_t threads = path.empty() ? 0 : path[0];
  bool fits = !path.empty() && threads < bytecode::max_threads && path.size() > threads;
  for (std::size_t i = 1; fits && i <= threads; ++i) {
    fits = path[i] < i;
    if (fits) new_thread(path[i]);
  }
  if (!fits)
    throw StopExploration{Outcome::unsupported, Obstacle{"the recorded path is not one of this program", 0, {}, {}}};
  follows_path_ = options_given_.path || path.size() > 1 + threads;
  forced_path_.assign(path.begin() + 1 + static_cast<std::ptrdiff_t>(threads), path.end());
}

bool Search::step() {
  // A thread that goes on without waiting or reading keeps its turn: nobody has to be asked. Whoever was answered last
  // has the turn, so that an update is never left half done.
  if (slots_[last_thread_].readiness >= Readiness::other) return perform(last_thread_) || was_postponed();
  if (const auto t = next_thread()) {
    last_thread_ = *t;
    return perform(*t) || was_postponed();
  }
  execution_ended_ = true;
  // On the way to the part that is to be explored: what ends here, other parts count.
  const bool on_the_way = options_given_.below && follows_path_;
  const bool complete = !on_the_way && finish_execution();
  execution_ended_ = false;
  if (complete || stop_) return false;
  Choice choice;
  choice.first_option = static_cast<std::uint32_t>(options_.size());
  list_late_steals();
  if (options_.size() == choice.first_option) return false;
  if (options_given_.path && forced_choices_ >= forced_path_.size()) return false;
  return take_first_option(choice);
}

std::optional<ThreadId> Search::next_thread() {
  return ready_.next([this](ThreadId t) {
    const Action& action = slots_[t].node->action;
    if (action.kind == ActionKind::join && action.target < slots_.size()) {  // nearly always
      const Slot& target = slots_[action.target];
      if (target.alive && action.target != t && !detached_[action.target])
        return target.node->at_end && (t != 0 || !idle_ends_ || join_is_due());
    }
    return enabled(t);
  });
}

// Of a thread that waits: is what it waits for there?
bool Search::enabled(ThreadId t) {
  const Action& action = slots_[t].node->action;
  switch (action.kind) {
    case ActionKind::read: {
      const LocationId location = locations_.find(action.address, action.size);
      if (location == no_location) return true;
      if (action.access == AccessKind::lock)
        return (graph_[graph_.location(location).last_write].value.low & machine::mutex_held_mask) == 0;
      // Only arrivals after its own matter: the barrier may have been set up anew since earlier rounds.
      for (EventId w = graph_.location(location).last_write; w != graph_.last_of(t); w = graph_[w].previous_write)
        if ((graph_[w].value.low & action.await_mask) == action.await_value) return true;
      return false;
    }
    case ActionKind::join:
      // A target that does not exist or cannot be joined is an error to report: go on.
      return action.target >= slots_.size() || !slots_[action.target].alive || slots_[action.target].node->at_end ||
             detached_[action.target] || action.target == t;
    case ActionKind::leave: return round_is_complete(t);
    default: HEDDLE_CHECK(false, "only locks, barriers and joins wait"); return false;
  }
}

// The options of the choice are the newest ones of options_. Returns false if none of them is possible.
bool Search::take_first_option(Choice& choice) {
  choice.option_count = static_cast<std::uint32_t>(options_.size()) - choice.first_option;
  choice.trail_mark = static_cast<std::uint32_t>(trail_.size());
  choice.newest = graph_.newest();
  if (choice.option_count == 0) return false;
  // No choice: nothing to come back to, and no part of the path. (A late steal is one: it may also not happen.)
  if (choice.option_count == 1 && choice.event != no_event) {
    const Option only = options_.back();
    options_.pop_back();
    return apply(choice, only);  // if not, whoever goes back further undoes it
  }
  choices_.push_back(choice);
  if (follows_path_) {
    const std::uint32_t number = forced_choices_ < forced_path_.size() ? forced_path_[forced_choices_] : 0;
    ++forced_choices_;
    follows_path_ = options_given_.path || forced_choices_ < forced_path_.size();
    choices_.back().next = number + 1;
    if (number < choice.option_count && apply(choice, options_[choice.first_option + number])) return true;
    if (stop_) return false;
    throw StopExploration{Outcome::unsupported, Obstacle{"the recorded path does not fit this program", 0, {}, {}}};
  }
  while (choices_.back().next < choice.option_count) {
    const Option option = options_[choice.first_option + choices_.back().next++];
    if (apply(choice, option)) return true;
    if (stop_) return false;
    undo_to(choice);
  }
  options_.resize(choice.first_option);
  choices_.pop_back();
  return false;
}

bool Search::apply(const Choice& choice, const Option& option) {
  switch (option.kind) {
    case Option::Kind::source:
      graph_[choice.event].stole = false;
      return read_from(choice.event, option.target, option.maximal);
    case Option::Kind::steal: return steal(choice.event, option.target);
    case Option::Kind::late_source: return late_source(static_cast<ThreadId>(option.number), option.target);
    case Option::Kind::late_steal: return late_steal(static_cast<ThreadId>(option.number), option.target);
    case Option::Kind::place: return place(choice.event, option.target, choice.revisited, option.maximal);
    case Option::Kind::revisit: return revisit(choice.event, option.target);
    case Option::Kind::value:
      graph_[choice.event].value = {static_cast<std::uint64_t>(option.number), 0};
      answer(choice.event, graph_[choice.event].value);
      return true;
  }
  return false;
}

bool Search::backtrack() {
  while (choices_.size() > first_open_choice_) {
    const std::size_t depth = choices_.size();
    const Choice choice = choices_.back();
    undo_to(choice);
    options_.resize(choice.first_option + choice.option_count);
    while (choices_[depth - 1].next < choice.option_count) {
      const Option option = options_[choice.first_option + choices_[depth - 1].next++];
      if (apply(choice, option)) return true;
      if (stop_) return false;
      undo_to(choice);
    }
    options_.resize(choice.first_option);
    choices_.pop_back();
  }
  undo_to(Choice{});
  return false;
}

// Back to where the choice came up.
void Search::undo_to(const Choice& choice) {
  while (trail_.size() > choice.trail_mark) {
    const TrailEntry entry = trail_.back();
    trail_.pop_back();
    while (graph_.newest() != no_event && graph_[graph_.newest()].stamp >= entry.stamp) forget(graph_.newest());
    undo(entry);
  }
  while (graph_.newest() != choice.newest) forget(graph_.newest());
  if (choice.event != no_event) unlink(choice.event);
}

void Search::undo(const TrailEntry& entry) {
  switch (entry.kind) {
    case TrailEntry::Kind::cut: undo_cut(entry.subject); break;
    case TrailEntry::Kind::postponed: postponed_errors_.pop_back(); [[fallthrough]];
    case TrailEntry::Kind::stopped: {
      Slot slot = slots_[entry.subject];
      slot.readiness = slot.node->readiness;
      put(entry.subject, slot);
      break;
    }
    case TrailEntry::Kind::revisited: {
      const Revisit& revisit = revisits_.back();
      graph_.clear_source(revisit.read);
      graph_[revisit.read] = revisit.read_before;
      graph_.relink_source(revisit.read);
      checker_->update_views(revisit.read);
      revisits_.pop_back();
      break;
    }
  }
}

void Search::undo_cut(EventId keeper) {
  unlink(keeper);
  const Cut cut = cuts_.back();
  cuts_.pop_back();
  for (std::uint32_t i = cut.event_count; i-- > 0;) {
    const EventId e = cut_events_[cut.first_event + i];
    graph_.reattach_event(e);
    if (graph_[e].kind == EventKind::read && graph_[e].reads_from != no_event) graph_.relink_source(e);
    if (graph_[e].kind == EventKind::write) graph_.replace_write(e);
    entered(e);
  }
  cut_events_.resize(cut.first_event);
  for (std::uint32_t i = cut.slot_count; i-- > 0;) {
    const SavedSlot& saved = saved_slots_[cut.first_slot + i];
    put(saved.thread, saved.slot);
  }
  saved_slots_.resize(cut.first_slot);
}

void Search::check_limits() {
  if (history_.full()) collect_history();
  if ((steps_ & 1023) != 0) return;
  if (options_given_.interrupted != nullptr && options_given_.interrupted->load(std::memory_order_relaxed))
    throw StopExploration{Outcome::interrupted, {}};
  const auto now = std::chrono::steady_clock::now();
  if (options_given_.timeout_seconds &&
      std::chrono::duration<double>(now - started_).count() > *options_given_.timeout_seconds)
    throw StopExploration{Outcome::timeout, {}};
  if (options_given_.memory_limit_mb && resident_megabytes() > *options_given_.memory_limit_mb)
    throw StopExploration{Outcome::out_of_memory, {}};
  if (options_given_.progress && now - last_progress_ > std::chrono::seconds(1)) {
    last_progress_ = now;
    options_given_.progress(result_.complete, result_.blocked);
  }
}

}  // namespace heddle::explore
