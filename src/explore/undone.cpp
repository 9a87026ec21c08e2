// Loops that change memory and change it back before they come round (thesis 7.2.6): lock, look, unlock; or add one,
// see that it was too much, subtract it.
//
// Such an iteration can be left out of an execution, as one without effect can, if nobody saw what lay between:
//  * Per location, the iteration's updates follow each other at once in coherence, and the last one writes the value
//    that the first one read. Updates follow each other at once if each reads from the one before; nobody gets between
//    taking a mutex and freeing it. This never changes as long as the events are there.
//  * Other threads' updates may come between if they add something without looking at the sum ('blind'): without the
//    iteration, they do the same from another value.
//  * Whoever reads from the last update reads the same value from what the first one read. (The models that come with
//    Heddle promise no more to such a reader: updates continue a release sequence. See docs/trust.md.)
//  * Nobody reads what the other updates wrote and goes on. An update by another thread would have come between. But a
//    plain read may, even an old value, long after the loop has gone on. So each value that was there for a moment is
//    given to every read of that location, in every state in which a thread reads it: if the thread then waits at once,
//    it might as well not have read; if it comes round to the same state that it comes to with the value that would be
//    there otherwise, it might as well have read that. If not, the exploration starts again without all this. (The
//    reads of a thread that is alone order nothing to the contrary: what other threads wrote in between is overwritten
//    for it.)
// An update that writes the value it has read is none of that: it does not count as an effect in the first place
// (machine/spinning.cpp).
//
// If it has to give up, it first does without other threads' updates in between. Tested by spin_loops, which compares
// with ExploreOptions::undone_updates off.
#include <algorithm>

#include "explore/search.h"

namespace heddle::explore {

using graph::Event;

// Where the thread goes on if it has come round with something left to see for others; else it stays.
HistoryNode* Search::past_rounds(ThreadId t, HistoryNode* node) {
  while (node->action.kind == ActionKind::round && !undid_everything(t, node->action.iteration))
    node = history_.next(*node, {});
  return node;
}

bool Search::undid_everything(ThreadId t, std::uint32_t iteration) {
  struct Updated {
    LocationId location;
    EventId last;  // update so far
    Value without;  // what it would have written if the iteration did not exist
  };
  std::vector<Updated> all;
  std::vector<std::pair<bytecode::Address, PassingValue>> passing;
  const auto note_write = [&](Updated& updated, EventId w) {
    updated.last = w;
    if (!(graph_[w].value == updated.without))
      passing.push_back({action_of(w).address, {graph_[w].value, updated.without}});
  };
  const auto events = graph_.events_of(t);
  for (std::size_t i = events.size() - iteration; i < events.size(); ++i) {
    const Event& event = graph_[events[i]];
    const bool updates = event.kind == EventKind::read && (event.labels & graph::label_rmw_read) != 0;
    if (!updates && event.kind != EventKind::write) continue;
    const auto known = std::find_if(all.begin(), all.end(),
                                    [&](const Updated& updated) { return updated.location == event.location; });
    if (updates && known == all.end()) {
      all.push_back({event.location, event.reads_from, event.value});
      continue;
    }
    if (known == all.end()) return false;  // frees a mutex that was taken before
    while (updates && known->last != event.reads_from) {
      const EventId other = graph_[known->last].next_write;
      if (other == no_event || !options_given_.undone_among_others || !action_of(other).blind ||
          graph_[graph_[other].partner].reads_from != known->last)
        return false;
      const Value added = graph_[other].value - graph_[known->last].value;
      known->without = truncate(known->without + added, action_of(other).size);
      note_write(*known, other);
    }
    if (!updates) note_write(*known, events[i]);
  }
  for (const Updated& updated : all)
    if (!(graph_[updated.last].value == updated.without)) return false;
  if (options_given_.path) return true;  // it is known that nobody looks
  for (const auto& [address, value] : passing) note_passing(address, value);
  return true;
}

// A value that comes late has to be tried with the reads that have been there before: they come again.
void Search::note_passing(bytecode::Address address, const PassingValue& value) {
  constexpr std::size_t most_values = 32;
  const bool first = !hints_.watches_readers();
  if (!hints_.learn_passing(address, value)) return;
  if (hints_.passing_values(address)->size() > most_values) throw RestartWithoutUndoing{};
  if (first || looked_at_.contains(address)) throw RestartWithHints{};
}

void Search::note_reader(EventId r) {
  const Event& read = graph_[r];
  if ((read.labels & graph::label_rmw_read) != 0 || is_alone(read.thread)) return;
  HistoryNode& node = *origins_[r];
  looked_at_.insert(node.action.address);
  const std::vector<PassingValue>* values = hints_.passing_values(node.action.address);
  if (values == nullptr) return;
  for (; node.values_tried < values->size(); ++node.values_tried)
    if (notices(node, (*values)[node.values_tried])) throw RestartWithoutUndoing{};
}

// Would a thread that reads this value for a moment do anything that it would not do otherwise?
bool Search::notices(HistoryNode& reader, const PassingValue& value) {
  if (goes_on_to_write(reader.action, value.value)) return false;  // then the value would not be undone at once
  const Action& next = history_.next(reader, value.value)->action;
  if (next.kind == ActionKind::spin || next.kind == ActionKind::block) return false;
  if (next.kind != ActionKind::round || goes_on_to_write(reader.action, value.without)) return true;
  // The state is that of an earlier visit to the same head, `iteration` actions ago.
  const Action& otherwise = history_.next(reader, value.without)->action;
  return otherwise.kind != ActionKind::round || !(otherwise.position == next.position) ||
         otherwise.iteration != next.iteration;
}

// Every other thread is over, and the thread knows.
bool Search::is_alone(ThreadId t) const {
  if (t != 0) return false;
  for (ThreadId other = 1; other < slots_.size(); ++other)
    if (slots_[other].alive && !was_joined(other)) return false;
  return true;
}

}  // namespace heddle::explore
