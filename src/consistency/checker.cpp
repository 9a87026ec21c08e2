// The checker: specialised tables of the model, and what coherence allows. The searches are in search.h, the views in
// views.h. Tested in checker_test.cpp and random_graphs_test.cpp.
#include "consistency/checker.h"

#include <algorithm>
#include <array>

#include "consistency/compiled_model.h"
#include "consistency/cycle_filter.h"
#include "consistency/native_runner.h"
#include "consistency/neighbours.h"
#include "consistency/search.h"
#include "consistency/specialised_model.h"
#include "consistency/views.h"

namespace heddle::consistency {

using automata::Guard;
using relation::ConstraintKind;

struct CheckedConstraint {
  explicit CheckedConstraint(const SpecialisedConstraint& made)
      : kind(made.kind), marked(made.marked), filtered(made.filtered), empty_word(made.automaton.empty_word) {
    if (made.automaton.transitions.empty()) return;
    table = Table(made.automaton);
    if (kind != ConstraintKind::empty) return;
    backwards = Table(automata::reverse(made.automaton));
    accepting = accepting_state(made.automaton);
  }

  ConstraintKind kind{};
  bool marked = false, filtered = false;
  automata::Guards empty_word;
  Table table;
  Table backwards;     // empty only
  std::uint32_t accepting = 0;
};

class Checker::Implementation {
 public:
  Implementation(const Model& model, ExecutionGraph& graph, std::vector<graph::Labels> labels, bool use_filter,
                 NativeOptions native)
      : model_(model),
        graph_(graph),
        special_(model_.compiled(), std::move(labels)),
        views_(graph, special_.views),
        search_(graph),
        filter_(graph),
        use_filter_(use_filter),
        coherence_(model_.compiled().coherence),
        native_options_(native) {
    HEDDLE_CHECK(graph.view_count() >= model_.view_count(), "the graph must carry every view of the model");
    for (const SpecialisedConstraint& constraint : special_.constraints) constraints_.emplace_back(constraint);
    if (native.generator == nullptr) return;
    for (const bool with_searches : {true, false}) {
      auto code = native_ ? std::nullopt : native.generator->find(request(with_searches));
      if (code) native_.emplace(graph_, std::move(*code));
    }
    if (!native_) work_left_ = std::max<std::uint64_t>(native.after_work, 1);
  }

  void update_views(EventId e) {
    if (!special_.labels.empty()) require_known(graph_[e].labels);
    views_.update(e);
    if (work_left_ > 1) --work_left_;
  }

  void coherent_sources(EventId r, std::vector<EventId>& sources) {
    sources.clear();
    // What r knows before it reads: usually the same as the event before it does.
    if (special_.views_grow_without_source) views_.update(r);
    const EventId knowing = special_.views_grow_without_source ? r : graph_.po_previous(r);
    for (EventId w = graph_.location(graph_[r].location).last_write; w != no_event; w = graph_[w].previous_write) {
      sources.push_back(w);
      if (coherence_ && knowing != no_event && known(graph_.view(*coherence_, knowing), w, no_event)) return;
    }
  }

  void coherent_places(EventId w, std::vector<EventId>& predecessors) {
    predecessors.clear();
    EventId next = no_event;
    for (EventId x = graph_.location(graph_[w].location).last_write; x != no_event; x = graph_[x].previous_write) {
      if (next == no_event || !splits_rmw(x, next)) predecessors.push_back(x);
      if (coherence_ && known(graph_.view(*coherence_, w), x, no_event)) return;
      next = x;
    }
  }

  bool coherent_source(EventId r) {
    if (!coherence_ || graph_[r].reads_from == no_event) return true;
    const graph::ConstView view = graph_.view(*coherence_, r);
    for (EventId w = graph_[graph_[r].reads_from].next_write; w != no_event; w = graph_[w].next_write) {
      if (known(view, w, r)) return false;
    }
    return true;
  }

  bool consistent(EventId e) {
    if (work_left_ != 0) note_check();
    if (constraints_.empty()) return true;
    return native_ ? take(native_->consistent(e), e) : allowed_by_tables(e);
  }

  // The answer of compiled code.
  bool take(std::uint32_t answer, EventId e) {
    if (answer == 1) return true;
    if (answer != 0) return decide_open_check(e);
    broken_at_ = e;
    return false;
  }

  bool holds_always() const { return constraints_.empty() && work_left_ == 0; }

  std::optional<RuleViolation> erroneous(EventId e) {
    const Event& event = graph_[e];
    if (special_.rules.empty() || event.location == graph::no_location || event.thread == graph::no_thread)
      return std::nullopt;
    if (!(event.labels & (graph::label_read | graph::label_write))) return std::nullopt;
    const graph::Location& location = graph_.location(event.location);
    for (const SpecialisedRule& rule : special_.rules) {  // errors come before warnings
      if (rule.general) {
        const auto pair = rule.general->broken_by(graph_, search_, e);
        if (!pair) continue;
        const bool in_order = graph_[pair->first].stamp < graph_[pair->second].stamp;
        return RuleViolation{rule.rule, in_order ? pair->first : pair->second, in_order ? pair->second : pair->first};
      }
      if (rule.needs_plain && location.plain_accesses == 0) continue;
      const EventId other = find_unordered(rule, e);
      if (other == no_event) continue;
      const bool older = graph_[other].stamp < event.stamp;
      return RuleViolation{rule.rule, older ? other : e, older ? e : other};
    }
    return std::nullopt;
  }

  NativeRunner* native() { return native_ ? &*native_ : nullptr; }
  bool has_rules() const { return !special_.rules.empty(); }
  unsigned happens_before_view() const { return coherence_.value_or(0); }
  const std::vector<std::string>& simplifications() const { return special_.simplifications; }
  // Compiled code does not remember cycles: the tables find it again.
  const std::vector<EventId>& broken_cycle() {
    if (broken_at_ != no_event) {
      HEDDLE_CHECK(!allowed_by_tables(broken_at_), "compiled code refuses a graph that the tables allow");
      broken_at_ = no_event;
    }
    return search_.found();
  }

 private:
  // Parts of the model were dropped because no event would have certain labels: an event that does have them would
  // make every verdict worthless, so this is checked even in release builds. The last answers are remembered.
  void require_known(graph::Labels labels) {
    graph::Labels& remembered = known_labels_[(labels * 0x9e3779b97f4a7c15u) >> 60];
    if (remembered == labels) return;
    HEDDLE_CHECK(std::find(special_.labels.begin(), special_.labels.end(), labels) != special_.labels.end(),
                 "an event has labels that the checker was not told about");
    remembered = labels;
  }

  CodeRequest request(bool with_searches) const { return {special_, graph_.view_count(), use_filter_, with_searches}; }

  // Long runs deserve compiled code. It is made before a check, not before: until the first check an exploration may
  // still be learning which labels its program has.
  void note_check() {
    work_left_ -= std::min<std::uint64_t>(work_left_, 8);
    if (work_left_ != 0) return;
    make_code(native_options_.after_open_checks == 0);
  }

  // The graph has a cycle, but compiled code does not know the model's automata yet.
  bool decide_open_check(EventId e) {
    if (++open_checks_ == native_options_.after_open_checks) make_code(true);
    return allowed_by_tables(e);
  }

  void make_code(bool with_searches) {
    if (auto code = native_options_.generator->make(request(with_searches))) native_.emplace(graph_, std::move(*code));
  }

  bool allowed_by_tables(EventId e) {
    for (const CheckedConstraint& constraint : constraints_) {
      if (breaks(constraint, e)) return false;
    }
    return true;
  }

  // The write or one of its readers (other than `except`) is in the view: the view's owner knows of the write.
  bool known(graph::ConstView view, EventId w, EventId except) const {
    if (graph_.contains(view, w)) return true;
    for (EventId r = graph_[w].first_reader; r != no_event; r = graph_[r].next_reader) {
      if (r != except && graph_.contains(view, r)) return true;
    }
    return false;
  }

  // A write between x and its successor would come between the halves of a read-modify-write.
  bool splits_rmw(EventId x, EventId next) const {
    const Event& write = graph_[next];
    return (write.labels & graph::label_rmw_write) && write.partner != no_event &&
           graph_[write.partner].reads_from == x;
  }

  bool breaks(const CheckedConstraint& constraint, EventId e) {
    for (const Guard& guard : constraint.empty_word) {
      if (guard.holds(graph_[e].labels)) {
        search_.reaches(constraint.table, e, 0, 0);  // records e as the whole cycle
        return true;
      }
    }
    if (constraint.table.rows.empty()) return false;
    if (constraint.filtered && use_filter_ && !filter_.may_have_cycle(e)) return false;
    switch (constraint.kind) {
      case ConstraintKind::acyclic:
        return constraint.marked ? search_.finds_marked_cycle(constraint.table, e, false)
                                 : search_.finds_cycle(constraint.table, e);
      case ConstraintKind::irreflexive: return search_.finds_marked_cycle(constraint.table, e, true);
      case ConstraintKind::empty:
        for (std::uint32_t q = 0; q < constraint.table.states; ++q) {
          if (search_.reaches(constraint.table, e, q, constraint.accepting) &&
              search_.reaches(constraint.backwards, e, q, constraint.table.initial)) {
            return true;
          }
        }
        return false;
    }
    return false;
  }

  EventId find_unordered(const SpecialisedRule& rule, EventId e) const {
    const Event& event = graph_[e];
    const graph::ConstView view = static_cast<const ExecutionGraph&>(graph_).view(rule.view, e);
    const auto unordered = [&](EventId x) {
      const Event& other = graph_[x];
      if (other.thread == event.thread || graph_.contains(view, x)) return false;  // initial writes are in every view
      if (graph_.contains(static_cast<const ExecutionGraph&>(graph_).view(rule.view, x), e)) return false;
      for (const auto& [a, b] : rule.pairs) {
        if (a.holds(other.labels) && b.holds(event.labels)) return true;
        if (a.holds(event.labels) && b.holds(other.labels)) return true;
      }
      return false;
    };
    const auto among_readers = [&](EventId w) {
      for (EventId r = graph_[w].first_reader; r != no_event; r = graph_[r].next_reader) {
        if (unordered(r)) return r;
      }
      return no_event;
    };
    for (EventId w = graph_.location(event.location).last_write; w != no_event; w = graph_[w].previous_write) {
      if (unordered(w)) return w;
      if (const EventId r = among_readers(w); r != no_event) return r;
    }
    return event.labels & graph::label_write ? among_readers(e) : no_event;  // e may not be placed yet
  }

  Model model_;  // shares the compiled model: rules stay valid
  ExecutionGraph& graph_;
  SpecialisedModel special_;
  std::array<graph::Labels, 16> known_labels_{};
  Views views_;
  Search search_;
  CycleFilter filter_;
  bool use_filter_;
  std::optional<unsigned> coherence_;
  std::vector<CheckedConstraint> constraints_;
  NativeOptions native_options_;
  std::optional<NativeRunner> native_;
  std::uint64_t work_left_ = 0;  // for the tables to do before code is made; 0: none will be made
  std::uint64_t open_checks_ = 0;
  EventId broken_at_ = no_event;  // compiled code refused this event, and its cycle is not known yet
};

Checker::Checker(const Model& model, ExecutionGraph& graph, std::vector<graph::Labels> labels_in_program,
                 bool use_cycle_filter, NativeOptions native)
    : implementation_(
          std::make_unique<Implementation>(model, graph, std::move(labels_in_program), use_cycle_filter, native)) {
  ask_implementation();
}
Checker::~Checker() = default;

void Checker::ask_implementation() {
  native_ = implementation_->native();
  holds_always_ = implementation_->holds_always();
}

void Checker::update_views_by_tables(EventId e) { implementation_->update_views(e); }
void Checker::coherent_sources(EventId r, std::vector<EventId>& sources) {
  implementation_->coherent_sources(r, sources);
}
void Checker::coherent_places(EventId w, std::vector<EventId>& predecessors) {
  implementation_->coherent_places(w, predecessors);
}
bool Checker::coherent_source(EventId r) { return implementation_->coherent_source(r); }
bool Checker::decide(EventId e) {
  if (native_ != nullptr) {
    const std::uint32_t answer = native_->consistent(e);
    if (answer == 1) return true;
    const bool result = implementation_->take(answer, e);
    ask_implementation();  // it may have made more code
    return result;
  }
  const bool result = implementation_->consistent(e);
  ask_implementation();  // checks are when code is made
  return result;
}
bool Checker::has_rules() const { return implementation_->has_rules(); }
std::optional<RuleViolation> Checker::erroneous(EventId e) { return implementation_->erroneous(e); }
unsigned Checker::happens_before_view() const { return implementation_->happens_before_view(); }
const std::vector<std::string>& Checker::simplifications() const { return implementation_->simplifications(); }
const std::vector<EventId>& Checker::broken_cycle() { return implementation_->broken_cycle(); }

}  // namespace heddle::consistency
