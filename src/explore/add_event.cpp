// Turns the action a thread is parked at into an event of the graph, and keeps threads and memory objects in step with
// the events that are in the graph.
#include <algorithm>

#include "explore/search.h"

namespace heddle::explore {

using graph::Event;

bool Search::perform(ThreadId t) {
  HistoryNode& node = *slots_[t].node;
  if (!node.prepared) prepare(node);
  if (node.at_begin) return add_begin(t);
  const Action& action = node.action;
  switch (action.kind) {
    case ActionKind::read: return add_read(t);
    case ActionKind::write: return add_write(t);
    case ActionKind::fence:
    case ActionKind::allocate: return add_simple(t);
    case ActionKind::release: return add_release(t);
    case ActionKind::create: return add_create(t);
    case ActionKind::finish:
    case ActionKind::exit: return add_finish(t);
    case ActionKind::join: return add_join(t);
    case ActionKind::detach: return add_detach(t);
    case ActionKind::choose: return add_choice(t);
    case ActionKind::meet: return add_meeting(t);
    case ActionKind::leave: return add_leave(t);
    case ActionKind::arrive:
    case ActionKind::pass: return add_simple(t);
    case ActionKind::print: return add_print(t);
    case ActionKind::error:
      report(action.error, *action.text, t, action.position, action.address, action.size);
      return !postponed_ && options_given_.keep_going && stop_thread(t);
    case ActionKind::unsupported:
      throw StopExploration{Outcome::unsupported, Obstacle{*action.text, t, action.position, {}}};
    case ActionKind::call_limit:
      throw StopExploration{
          Outcome::limit,
          Obstacle{"calls are nested too deeply: is there a recursion without end?", t, action.position, {}}};
    case ActionKind::step_limit:
      throw StopExploration{
          Outcome::limit, Obstacle{"a thread ran " + std::to_string(options_given_.step_limit) +
                                       " instructions without reading or writing shared memory; if it does end, raise "
                                       "the limit with --step-limit",
                                   t,
                                   action.position,
                                   {}}};
    case ActionKind::block:
    case ActionKind::bound:
    case ActionKind::spin:
    case ActionKind::round: break;
  }
  HEDDLE_CHECK(false, "a blocked thread is never scheduled");
  return false;
}

// Fills in what the node's event has in every graph: most of it is the same each time the thread comes by.
void Search::prepare(HistoryNode& node) {
  node.prepared = true;
  const Action& action = node.action;
  Event& event = node.event;
  event = Event{};
  if (node.at_begin) {
    event.kind = EventKind::begin;
    event.labels = graph::label_begin;
    know_labels(event.labels);
    return;
  }
  switch (action.kind) {
    case ActionKind::read:
      event.kind = EventKind::read;
      event.labels = labels_of_read(action, false);
      event.determined = action.access == AccessKind::barrier_leave;
      // Lock reads are reordered by stealing (options.cpp), and a thread leaves a barrier in only one way.
      event.revisitable = !event.determined && action.access != AccessKind::lock;
      if (action.exclusive) {
        node.labels_if_it_writes = labels_of_read(action, true);
        know_labels(node.labels_if_it_writes);
      }
      if (action.exclusive && action.access == AccessKind::rmw) return;  // it always goes on to write
      break;
    case ActionKind::write:
      event.kind = EventKind::write;
      event.labels = labels_of_write(action);
      event.value = truncate(action.value, action.size);
      break;
    case ActionKind::fence:
      event.kind = EventKind::fence;
      event.labels = labels_of_fence(action.order);
      break;
    case ActionKind::create:
      event.kind = EventKind::create;
      event.labels = graph::label_create;
      break;
    case ActionKind::finish:
    case ActionKind::exit:
      event.kind = EventKind::finish;
      event.labels = graph::label_finish;
      event.value = action.value;
      break;
    case ActionKind::join:
    case ActionKind::meet:
    case ActionKind::leave:
      event.kind = EventKind::join;
      event.labels = graph::label_join;
      break;
    case ActionKind::arrive:
    case ActionKind::pass:
      event.kind = EventKind::finish;
      event.labels = graph::label_finish;
      break;
    case ActionKind::allocate:
      event.kind = EventKind::allocate;
      event.labels = graph::label_allocate;
      break;
    case ActionKind::release:
      event.kind = EventKind::release;
      event.labels = graph::label_free;
      break;
    case ActionKind::choose:
      event.kind = EventKind::choice;
      event.labels = graph::label_other;
      break;
    default:
      event.kind = EventKind::other;
      event.labels = graph::label_other;
      event.value.low = action.kind == ActionKind::detach ? action.target : 0;
      break;
  }
  event.special = action.kind == ActionKind::create || action.kind == ActionKind::allocate ||
                  action.kind == ActionKind::release || action.kind == ActionKind::detach;
  know_labels(event.labels);
}

// After an error, with --keep-going: this thread stays where it is, the others go on, so that what they write can
// still revisit what this one has read.
bool Search::stop_thread(ThreadId t) {
  Slot slot = slots_[t];
  slot.readiness = Readiness::never;
  put(t, slot);
  record_change(TrailEntry::Kind::stopped, t);
  return true;
}

// Adds the event of the action that the thread is parked at.
EventId Search::add(ThreadId t) {
  if (!graph_.has_room(t) || graph_.next_stamp() >= event_limit_) make_room(t);
  HistoryNode* const node = slots_[t].node;
  const EventId e = graph_.add_event_in_room(t, node->event);
  origins_[e] = node;
  ++result_.events_added;
  return e;
}

// Apart from `add`, which is short without.
void Search::make_room(ThreadId t) {
  if (graph_.next_stamp() >= event_limit_)
    throw StopExploration{Outcome::limit,
                          Obstacle{"an execution has more than " + std::to_string(options_given_.event_limit) +
                                       " events: is there a loop that does not end? A bound on loops "
                                       "(--unroll N) cuts it",
                                   t,
                                   slots_[t].node->action.position,
                                   {}}};
  graph_.make_room(t);
  origins_.resize(graph_.event_capacity(), nullptr);
  if (options_given_.path) texts_.resize(graph_.event_capacity());
}

// A read has no source any more, a write no place.
void Search::unlink(EventId e) {
  Event& event = graph_[e];
  if (event.kind == EventKind::read) {
    if (event.reads_from == no_event) return;
    graph_.clear_source(e);
    event.reads_from = no_event;
  } else if (event.kind == EventKind::write && event.previous_write != no_event) {
    graph_.unplace_write(e);
    graph_.forget_place(e);
  }
}

void Search::forget_special(EventId e) {
  clear_side_effects(e);
  forget_plain(e);
}

void Search::know_labels(Labels labels) {
  if (!options_given_.specialise_model) return;
  if (std::find(known_labels_.begin(), known_labels_.end(), labels) != known_labels_.end()) return;
  known_labels_.push_back(labels);
  make_checker();
}

void Search::make_checker() {
  checker_ = std::make_unique<consistency::Checker>(model_, graph_, known_labels_, options_given_.cycle_filter,
                                                    options_given_.native);
  races_possible_ = options_given_.race_detection && checker_->has_rules() && !has_late_parts_;
}

void Search::collect_history() {
  std::vector<HistoryNode*> in_use;
  for (const Slot& slot : slots_) in_use.push_back(slot.node);
  for (const SavedSlot& saved : saved_slots_) in_use.push_back(saved.slot.node);
  in_use.insert(in_use.end(), origins_.begin(), origins_.end());
  std::erase(in_use, nullptr);
  history_.collect(in_use);
  not_due_ = nullptr;
}

bool Search::add_begin(ThreadId t) {
  const EventId e = add(t);
  graph_[e].partner = slots_[t].created_by;
  entered(e);
  checker_->update_views(e);
  go_on(t);
  return true;
}

bool Search::add_read(ThreadId t) {
  HistoryNode& node = *slots_[t].node;
  if (!locate(t, node)) return false;
  const EventId r = add(t);
  const EventId last = graph_.location(node.event.location).last_write;
  // Nothing was written yet: no choice.
  if (graph_[last].kind == EventKind::initial && node.readiness != Readiness::waits) return read_from(r, last, true);
  Choice choice;
  choice.event = r;
  choice.first_option = static_cast<std::uint32_t>(options_.size());
  if (node.action.access == AccessKind::lock)
    list_lock_sources(r);
  else
    list_sources(r);
  HEDDLE_CHECK(options_.size() > choice.first_option, "a read that goes on has something to read");
  return take_first_option(choice);
}

bool Search::add_write(ThreadId t) {
  HistoryNode& node = *slots_[t].node;
  if (!locate(t, node) || (may_be_misuse(node.action.access) && !check_misuse(t, node.action, node.event.location)))
    return false;
  const EventId w = add(t);
  if (node.action.exclusive) {
    graph_[w].partner = graph_.po_previous(w);
    entered(w);
  }
  checker_->update_views(w);
  Choice choice;
  choice.event = w;
  choice.first_option = static_cast<std::uint32_t>(options_.size());
  list_places(w);
  list_revisits(w);
  go_on(t);
  if (options_.size() == choice.first_option + 1 && options_.back().kind == Option::Kind::place) {  // no choice
    const Option only = options_.back();
    options_.pop_back();
    return place(w, only.target, no_event, only.maximal);
  }
  return take_first_option(choice);
}

bool Search::add_simple(ThreadId t) {
  const EventId e = add(t);
  entered(e);
  checker_->update_views(e);
  go_on(t);
  return true;
}

// Ids are given in the order in which threads are first seen, over all executions. A path begins with the list of
// creators, so that replaying it gives the same ids without having seen the other executions.
void Search::new_thread(ThreadId creator) {
  const ThreadId thread = graph_.add_thread();
  slots_.emplace_back();
  ready_.add_thread();
  saved_in_.push_back(0);
  children_.emplace_back();
  detached_.push_back(0);
  thread_function_.push_back(0);
  creators_.push_back(creator);
  if (thread != 0) children_[creator].push_back(thread);
}

bool Search::add_create(ThreadId t) {
  const Action& action = slots_[t].node->action;
  const std::uint32_t number = slots_[t].node->creates;
  if (children_[t].size() <= number) {
    if (slots_.size() >= bytecode::max_threads)
      throw StopExploration{
          Outcome::limit,
          Obstacle{"more than " + std::to_string(bytecode::max_threads) + " threads", t, action.position, {}}};
    new_thread(t);
  }
  const ThreadId child = children_[t][number];
  const EventId e = add(t);
  graph_[e].value.low = child;
  HistoryNode* creator = origins_[e];
  const Action& created = creator->action;
  thread_function_[child] = created.function;
  Slot slot;
  slot.alive = true;
  slot.created_by = e;
  slot.node = history_.start(creator, child, created.function, created.value.low, created.c11_thread);
  slot.readiness = slot.node->readiness;
  put(child, slot);
  checker_->update_views(e);
  answer(e, {child, 0});
  return true;
}

bool Search::add_detach(ThreadId t) {
  add_idle_ends();  // the thread may have been joined
  const Action& action = slots_[t].node->action;
  const ThreadId target = action.target;
  const char* misuse = nullptr;
  if (target >= slots_.size() || !slots_[target].alive)
    misuse = "detach of a thread that does not exist";
  else if (detached_[target])
    misuse = "detach of a thread that is detached already";
  else if (was_joined(target))
    misuse = "detach of a thread that was joined";
  if (misuse != nullptr) {
    report(ErrorKind::thread_misuse, misuse, t, action.position);
    return false;
  }
  return add_simple(t);
}

bool Search::add_choice(ThreadId t) {
  const Action& action = slots_[t].node->action;
  Choice choice;
  const std::int64_t low = action.low, high = action.high;
  constexpr std::uint64_t most_values = 1'000'000;
  if (static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) >= most_values)
    throw StopExploration{
        Outcome::unsupported,
        Obstacle{"a choice among more than " + std::to_string(most_values) + " values", t, action.position, {}}};
  choice.event = add(t);
  checker_->update_views(choice.event);
  choice.first_option = static_cast<std::uint32_t>(options_.size());
  for (std::int64_t number = low;; ++number) {
    Option option;
    option.kind = Option::Kind::value;
    option.number = number;
    options_.push_back(option);
    if (number == high) break;
  }
  return take_first_option(choice);
}

// Output is an event only on replay. It does not count among those that the path was found with; but output without an
// end, which takes the place of steps of the machine, ends like these.
bool Search::add_print(ThreadId t) {
  if (!options_given_.path) return add_simple(t);
  const std::string& text = *slots_[t].node->action.text;
  prints_in_a_row_ = graph_.next_stamp() == after_print_ ? prints_in_a_row_ + 1 : 1;
  if (prints_in_a_row_ <= options_given_.step_limit) ++event_limit_;
  add_simple(t);
  after_print_ = graph_.next_stamp();
  texts_[graph_.newest()] = text;
  return true;
}

void Search::set_side_effects(EventId e) {
  const Event& event = graph_[e];
  const Action& action = origins_[e]->action;
  switch (event.kind) {
    case EventKind::allocate: {
      MemoryObject object;
      object.address = action.address;
      object.size = action.object_size;
      object.kind = action.object;
      object.zeroed = action.zeroed;
      object.allocated = e;
      objects_.add(event.thread, object);
      break;
    }
    case EventKind::release: objects_.mark_released(*objects_.nearest(action.address), e); break;
    case EventKind::other:
      if (action.kind == ActionKind::detach) {
        detached_[action.target] = 1;
        ++ends_;
      }
      break;
    default: break;
  }
}

void Search::clear_side_effects(EventId e) {
  const Event& event = graph_[e];
  const Action& action = origins_[e]->action;
  switch (event.kind) {
    case EventKind::allocate: objects_.remove_last(event.thread); break;
    case EventKind::release: objects_.mark_alive(*objects_.nearest(action.address)); break;
    case EventKind::create: put(static_cast<ThreadId>(event.value.low), Slot{}); break;
    case EventKind::other:
      if (action.kind == ActionKind::detach) detached_[action.target] = 0;
      break;
    default: break;
  }
}

}  // namespace heddle::explore
