// The state of one exploration: graph, threads, trail and stack of choices. The algorithm is TruSt (thesis ch. 6).
//
// One step (search.cpp): pick the next thread, turn its action into an event, and list the options the event has:
// which write a read reads from, where a write goes in coherence, which earlier read it revisits, which value a choice
// takes. Take the first option and go on; when no thread can go on, go back to the newest choice with an option left.
//
// Everything is changed in place and undone in reverse order. Events leave newest first, which undoes their links too;
// the trail records the other changes, with the stamp that says between which events they come. A backward revisit cuts
// events out of the graph and keeps their records, so that undoing it links them back in.
// The list of option numbers taken is the path: it replays the execution.
//
// Invariants between steps: the graph is consistent; every thread's slot is parked at its next action; the newest
// event has the highest stamp; an exclusive read whose write must follow is the newest event of the graph.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "bytecode/program.h"
#include "consistency/checker.h"
#include "explore/access_hints.h"
#include "explore/explorer.h"
#include "explore/labels_of_program.h"
#include "explore/location_table.h"
#include "explore/memory_objects.h"
#include "explore/ready_threads.h"
#include "explore/thread_history.h"
#include "graph/execution_graph.h"
#include "machine/machine.h"

namespace heddle::explore {

using graph::EventId;
using graph::EventKind;
using graph::Labels;
using graph::LocationId;
using graph::no_event;
using graph::no_location;
using graph::ThreadId;
using machine::AccessKind;
using machine::Action;
using machine::ActionKind;
using machine::ErrorKind;

// Where a thread is.
struct Slot {
  HistoryNode* node = nullptr;  // of its history; null unless alive
  EventId created_by = no_event;  // its create event
  Readiness readiness = Readiness::absent;
  bool alive = false;  // its create event is in the graph
  bool finished = false;  // its finish event is in the graph
};

// What a choice may take. The number of an option in its choice is one element of the path.
struct Option {
  enum class Kind : std::uint8_t {
    source,  // the read reads from `target`
    steal,  // the lock read takes the mutex before the lock read `target` does
    late_source,  // a lock read of a thread that waits reads from `target`, which a trylock has updated
    late_steal,  // the same for a thread that waits for a mutex when nothing else can happen; `event` is the thread
    place,  // the write goes right after `target`
    revisit,  // the write is read by the earlier read `target`
    value,  // the choice takes `number`
  };
  Kind kind{};
  bool maximal = false;  // allowed by extensibility: needs no check
  EventId target = no_event;
  std::int64_t number = 0;
};

struct Choice {
  EventId event = no_event;  // the event that has the options (late_steal: the thread)
  EventId revisited = no_event;  // place: the read that this write revisits, if any
  EventId newest = no_event;  // of the graph when the choice came up; `event`, unless that is a thread
  std::uint32_t first_option = 0;  // in Search::options_
  std::uint32_t option_count = 0;
  std::uint32_t next = 0;
  std::uint32_t trail_mark = 0;
};

struct TrailEntry {
  enum class Kind : std::uint8_t { cut, revisited, stopped, postponed };
  Kind kind{};
  std::uint32_t stamp = 0;  // events from here on were added later
  std::uint32_t subject = 0;  // cut: the newest event, which stayed; stopped, postponed: the thread
};

// Thrown when an exploration cannot go on: caught by explore(), never seen by users.
struct StopExploration {
  Outcome outcome;
  std::optional<Obstacle> obstacle;
};
// Thrown when a block operation split memory differently from the program's own accesses: start again, wiser.
struct RestartWithHints {};
// Thrown when more threads use a barrier at a time than it is made for: start again, with the order of arrivals.
struct RestartWithOrderedBarriers {};
// Thrown when a thread reads what others change and change back: start again, and do not leave that out.
struct RestartWithoutUndoing {};

// Will the read go on to write, given the value it reads?
inline bool goes_on_to_write(const machine::Action& action, Value value) {
  using machine::AccessKind;
  if (!action.exclusive) return false;
  if (action.access == AccessKind::rmw) return true;
  if (action.access == AccessKind::compare_exchange) return value == truncate(action.expected, action.size);
  switch (action.access) {
    case AccessKind::add_between: {
      const auto old = static_cast<std::int64_t>(value.low & 0xffffffff);
      return old >= action.low && old <= action.high;
    }
    case AccessKind::lock:
    case AccessKind::trylock: return (value.low & machine::mutex_held_mask) == 0;
    default: return true;
  }
}

class Search {
 public:
  Search(const bytecode::Program& program, const consistency::Model& model, const ExploreOptions& options,
         AccessHints& hints, ExploreResult& result);
  void run();

 private:
  // search.cpp: the loop, choices and the trail
  void read_path(const std::vector<std::uint32_t>& path);
  bool is_left_to_others();
  bool step();
  std::optional<ThreadId> next_thread();
  bool enabled(ThreadId t);
  bool take_first_option(Choice& choice);
  bool apply(const Choice& choice, const Option& option);
  bool backtrack();
  void undo_to(const Choice& choice);
  void undo(const TrailEntry& entry);
  void undo_cut(EventId keeper);
  void record_change(TrailEntry::Kind kind, std::uint32_t subject) {
    trail_.push_back({kind, graph_.next_stamp(), subject});
  }
  void check_limits();

  // add_event.cpp: actions become events
  bool perform(ThreadId t);
  void prepare(HistoryNode& node);
  EventId add(ThreadId t);
  void make_room(ThreadId t);
  void unlink(EventId e);
  // Takes the newest event out again.
  void forget(EventId e) {
    if (graph_[e].special) return forget_special(e);
    forget_plain(e);
  }
  void forget_special(EventId e);
  void forget_plain(EventId e) {
    const graph::Event& event = graph_[e];
    if (event.kind == EventKind::read) {
      if (event.reads_from != no_event) graph_.clear_source(e);
    } else if (event.kind == EventKind::write) {
      if (event.previous_write != no_event) graph_.unplace_write(e);
    }
    if (event.partner != no_event && graph_[event.partner].partner == e) graph_[event.partner].partner = no_event;
    park(event.thread, std::exchange(origins_[e], nullptr));
    graph_.remove_newest_event();
  }
  void put(ThreadId t, const Slot& slot) {
    ready_.change(t, slots_[t].readiness, slot.readiness);
    ends_ += slot.readiness == Readiness::ended;
    slots_[t] = slot;
  }
  // The thread, which is alive, is now there.
  void park(ThreadId t, HistoryNode* node) {
    Slot& slot = slots_[t];
    ready_.change(t, slot.readiness, node->readiness);
    if (node->readiness == Readiness::ended) ++ends_;
    slot.node = node;
    slot.readiness = node->readiness;
    slot.finished = false;
  }
  // It has just come there.
  void arrive_at(ThreadId t, HistoryNode* node) {
    if (node->readiness == Readiness::never) [[unlikely]]
      node = past_rounds(t, node);
    park(t, node);
  }
  void go_on(ThreadId t) { arrive_at(t, history_.next(*slots_[t].node, {})); }
  void answer(EventId e, Value value) {
    last_thread_ = graph_[e].thread;
    arrive_at(last_thread_, history_.next(*origins_[e], value));
  }
  void new_thread(ThreadId creator);
  bool stop_thread(ThreadId t);
  bool add_begin(ThreadId t);
  bool add_simple(ThreadId t);
  bool add_read(ThreadId t);
  bool add_write(ThreadId t);
  bool add_create(ThreadId t);
  bool add_finish(ThreadId t);
  // The main thread could join a thread that has ended. Should it now?
  bool join_is_due() {
    if (slots_[0].node == not_due_ && ends_ == not_due_since_) return false;
    return find_join_due();
  }
  bool find_join_due();
  bool was_joined(ThreadId t) const { return slots_[t].finished && graph_[graph_.last_of(t)].partner != no_event; }
  void add_idle_ends();
  bool add_join(ThreadId t);
  bool add_detach(ThreadId t);
  bool add_choice(ThreadId t);
  bool add_release(ThreadId t);
  bool add_print(ThreadId t);
  void set_side_effects(EventId e);  // of threads and memory objects, when a special event enters the graph
  void clear_side_effects(EventId e);  // ... and leaves it
  // An event has just entered the graph, or is about to leave it.
  void entered(EventId e) {
    const graph::Event& event = graph_[e];
    if (event.partner != no_event) graph_[event.partner].partner = e;
    if (event.special) set_side_effects(e);
  }
  void leaves(EventId e) {
    const graph::Event& event = graph_[e];
    if (event.partner != no_event && graph_[event.partner].partner == e) graph_[event.partner].partner = no_event;
    if (event.special) clear_side_effects(e);
  }
  void know_labels(Labels labels);
  void make_checker();
  void collect_history();

  // barriers.cpp
  EventId end_of_chain(EventId e) const;
  std::uint64_t arrivals_in_round(EventId arrival) const;
  bool round_is_complete(ThreadId t) const;
  bool add_meeting(ThreadId t);
  bool add_leave(ThreadId t);

  // options.cpp: what an event may do
  bool read_from(EventId r, EventId w, bool maximal);
  bool place(EventId w, EventId after, EventId revisited, bool maximal);
  void list_sources(EventId r);
  graph::ConstView kept_with(graph::ConstView before, EventId w);
  void list_lock_sources(EventId r);
  void list_places(EventId w);
  EventId rival_of(EventId w) const;
  Labels labels_of_read_value(EventId r) const;  // given the value it has read
  void list_late_steals();
  bool steal(EventId r, EventId victim);
  bool late_steal(ThreadId t, EventId victim);
  bool late_source(ThreadId t, EventId w);
  EventId add_late_lock_read(ThreadId t, LocationId location);

  // revisit.cpp: backward revisits and maximal extensions
  struct SavedSlot {
    ThreadId thread;
    EventId oldest;  // of its events that were cut; none if the thread itself went
    Slot slot;  // as it was
  };
  void list_revisits(EventId w);
  bool can_cut(EventId from, EventId keeper, graph::ConstView kept);
  bool maximal(EventId e, graph::ConstView kept) const;
  void cut(std::uint32_t from_stamp, EventId keeper, graph::ConstView kept, EventId spare);
  bool revisit(EventId w, EventId r);
  // The slot of a thread that the current cut changes. Entries from `first` on belong to it.
  SavedSlot& save_slot(ThreadId t, std::uint32_t first) {
    const std::uint32_t place = saved_in_[t];
    if (place >= first && place < saved_slots_.size() && saved_slots_[place].thread == t) return saved_slots_[place];
    saved_in_[t] = static_cast<std::uint32_t>(saved_slots_.size());
    saved_slots_.push_back({t, no_event, slots_[t]});
    return saved_slots_.back();
  }

  // futile.cpp: a read that nothing will take back, and whose thread has been answered: does it stop there for good?
  bool stopped_for_good(EventId r) { return slots_[graph_[r].thread].readiness == Readiness::never && is_futile(r); }
  bool is_futile(EventId r);

  // memory_checks.cpp: is the access allowed by the program's memory?
  bool locate(ThreadId t, HistoryNode& node);  // sets the location of the node's event; false if there was an error
  void check_overlaps(ThreadId t, LocationId location, const Action& action);
  bool check_object(ThreadId t, const Action& action);
  bool check_global(ThreadId t, const Action& action);
  static bool may_be_misuse(AccessKind access) {
    return access == AccessKind::mutex_init || access == AccessKind::mutex_destroy ||
           access == AccessKind::barrier_init || access == AccessKind::barrier_destroy;
  }
  bool check_misuse(ThreadId t, const Action& action, LocationId location);
  bool check_no_later_use(EventId release, const MemoryObject& object);
  bool reads_uninitialised(const graph::Event& read) const;
  // True if all is well. Most programs have no access that could race.
  bool check_races(EventId e) { return !races_possible_ || find_no_race(e); }
  bool find_no_race(EventId e);
  static std::string message_of(const consistency::ErrorRule& rule);
  Value initial_value(bytecode::Address address, unsigned size) const;

  // finish.cpp: the end of an execution, errors, records
  bool finish_execution();  // true if every thread has finished
  bool genuinely_waits(ThreadId t, bytecode::RecordedWait& wait, std::vector<EventId>& spinning_reads) const;
  // undone.cpp: loops that change memory and change it back
  [[gnu::cold, gnu::noinline]] HistoryNode* past_rounds(ThreadId t, HistoryNode* node);
  bool undid_everything(ThreadId t, std::uint32_t iteration);
  void note_passing(bytecode::Address address, const PassingValue& value);
  void note_reader(EventId r);
  bool notices(HistoryNode& reader, const PassingValue& value);
  bool is_alone(ThreadId t) const;

  bool read_the_newest(const graph::Event& read) const;
  bool spins_for_ever(ThreadId t, std::vector<EventId>* reads) const;
  bool ended_for_nothing();
  bool finish_complete();
  void report(ErrorKind kind, std::string message, ThreadId t, bytecode::CodePosition position,
              bytecode::Address address = 0, std::uint8_t size = 0, const std::vector<EventId>& events = {},
              std::vector<bytecode::RecordedWait> waits = {});
  void warn(ErrorKind kind, const std::string& message, ThreadId t, const Action& action,
            const std::vector<EventId>& events);
  void report_leaks();

  // late_constraints.cpp: models whose constraints or rules are only known when an execution has ended
  struct PostponedError {
    ErrorKind kind;
    std::string message;
    ThreadId thread;
    const HistoryNode* node;  // where the thread stopped
    bytecode::CodePosition position;
    bytecode::Address address;
    std::uint8_t size;
    std::vector<EventId> events;
  };
  bool postpone(PostponedError error);
  bool was_postponed() { return std::exchange(postponed_, false); }
  void wake_postponed(std::uint32_t first_slot);
  bool is_stopped_at(const PostponedError& error) const;
  bool report_late_errors();
  void report_late_races();
  void report_late_memory_errors();
  bytecode::RecordedExecution record(std::vector<std::uint32_t>* position_of_event = nullptr) const;
  std::vector<std::uint32_t> path() const;
  void note_duplicate();
  void count_bound_cuts();
  void count_loop_wait(const machine::Action& action);

  std::vector<EventId> events_by_stamp() const;
  const Action& action_of(EventId e) const { return origins_[e]->action; }

  const bytecode::Program& program_;
  const consistency::Model& model_;
  const ExploreOptions& options_given_;
  AccessHints& hints_;
  ExploreResult& result_;

  graph::ExecutionGraph graph_;
  machine::Machine machine_;
  ThreadHistory history_;
  std::unique_ptr<consistency::Checker> checker_;
  bool races_possible_ = false;
  std::vector<Labels> known_labels_;
  LocationTable locations_;
  MemoryObjects objects_;

  std::vector<Slot> slots_;  // by thread; whoever changes one keeps ready_ in step
  ReadyThreads ready_;  // the readiness of all slots, as sets
  std::vector<std::vector<ThreadId>> children_;  // children_[t][k]: the thread that t's k-th create event makes
  std::vector<ThreadId> creators_;  // by thread
  std::vector<std::uint32_t> thread_function_;
  std::vector<std::uint8_t> detached_;
  std::vector<HistoryNode*> origins_;  // by event: where its thread was just before it
  std::vector<std::string> texts_;  // by event: output, only on replay
  std::uint64_t event_limit_ = options_given_.event_limit;  // see add_print
  std::uint64_t after_print_ = 0, prints_in_a_row_ = 0;

  const bool watch_readers_ = hints_.watches_readers();
  std::set<bytecode::Address> looked_at_;  // see undone.cpp

  std::vector<TrailEntry> trail_;
  std::vector<Choice> choices_;
  std::vector<Option> options_;
  std::vector<EventId> scratch_;
  std::vector<std::uint32_t> kept_;  // see kept_with
  EventId last_obstacle_ = 0;  // see can_cut

  struct Cut {
    std::uint32_t first_event, event_count;  // in cut_events_, newest first
    std::uint32_t first_slot, slot_count;  // in saved_slots_
  };
  struct Revisit {
    graph::Event read_before;
    EventId read;
  };
  std::vector<Cut> cuts_;
  std::vector<EventId> cut_events_;
  std::vector<SavedSlot> saved_slots_;
  std::vector<std::uint32_t> saved_in_;  // by thread: its entry of saved_slots_ while cutting
  std::vector<Revisit> revisits_;

  std::set<std::pair<int, std::uint64_t>> reported_;  // kind and place of errors already reported
  std::set<std::pair<int, std::uint64_t>> warned_;  // the same of warnings
  std::unordered_set<std::string> seen_graphs_;
  std::vector<std::uint32_t> forced_path_;  // replay: the choices to take
  std::size_t forced_choices_ = 0;  // of options.path, already taken
  std::size_t first_open_choice_ = 0;  // the ones before it belong to options.below and are never changed
  bool follows_path_ = false;  // the next choice is given
  bool stop_ = false;
  const bool splits_;  // see is_left_to_others
  const bool has_late_parts_;  // of the model; most have none
  const bool idle_ends_;  // see ends.cpp
  const bool prune_futile_;  // see futile.cpp
  std::uint64_t ends_ = 0;  // how often a thread has ended, or was joined or detached
  const HistoryNode* not_due_ = nullptr;  // where the main thread was when its join was last found not to be due
  std::uint64_t not_due_since_ = 0;  // ends_ then
  bool postponed_ = false;  // the error that was just met
  bool execution_ended_ = false;  // finish_execution is at work
  std::vector<PostponedError> postponed_errors_;  // one for every `postponed` of the trail
  ThreadId last_thread_ = 0;  // whose turn it is, if it can go on
  std::uint64_t steps_ = 0;
  std::chrono::steady_clock::time_point started_, last_progress_;
};

}  // namespace heddle::explore
