// The checker: specialised tables of the model, and what coherence allows. The searches are in search.h, the views in
// views.h. Tested in checker_test.cpp and random_graphs_test.cpp.
#include "consistency/checker.h"

#include <algorithm>
#include <array>

#include "automata/reduce.h"
#include "consistency/compiled_model.h"
#include "consistency/cycle_filter.h"
#include "consistency/general_rules.h"
#include "consistency/neighbours.h"
#include "consistency/search.h"
#include "consistency/views.h"

namespace heddle::consistency {

using automata::Guard;
using automata::Nfa;
using relation::ConstraintKind;

namespace {

struct Constraint {
  ConstraintKind kind{};
  Table table;         // acyclic, irreflexive: a circle; empty: from its initial state to `accepting`
  Table backwards;     // empty only
  std::uint32_t accepting = 0;
  bool filtered = false;  // no cycle of the plain relations, no cycle here
  bool marked = false; // acyclic: cycles that avoid the initial state exist and must be told apart
  automata::Guards empty_word;
};

struct Rule {
  const ErrorRule* rule = nullptr;
  std::vector<std::pair<Guard, Guard>> pairs;
  unsigned view = 0;
  bool needs_plain = true;  // every pair has a non-atomic side
  std::optional<GeneralRule> general;  // instead of all this
};

// Does some word of a view, other than program order itself, end with a step of program order to a read? Then a read
// knows more than the event before it, even without its source.
bool grows_without_source(const Nfa& circle) {
  return std::any_of(circle.transitions.begin(), circle.transitions.end(), [&](const automata::Transition& t) {
    const bool program_order =
        t.step.kind == StepKind::po_imm || t.step.kind == StepKind::po_loc || t.step.kind == StepKind::po_other;
    const bool to_read = !automata::conjunction({t.target}, {Guard{graph::label_read, graph::label_read}}).empty();
    return program_order && to_read && t.to == circle.initial && t.from != circle.initial;
  });
}

// Joins the accepting state of an automaton to its initial one.
Nfa close_circle(Nfa nfa) {
  for (automata::Transition& t : nfa.transitions) {
    if (nfa.accepting[t.to]) t.to = nfa.initial;
  }
  nfa.accepting.assign(nfa.states, false);
  nfa.accepting[nfa.initial] = true;
  automata::trim(nfa);
  return nfa;
}

Constraint make_constraint(const CompiledConstraint& compiled, const std::vector<graph::Labels>& labels) {
  Nfa nfa = compiled.automaton;
  automata::specialize(nfa, labels);
  Constraint constraint;
  constraint.kind = compiled.kind;
  constraint.filtered = compiled.kind != ConstraintKind::empty && CycleFilter::applies_to(nfa);
  constraint.empty_word = nfa.empty_word;
  switch (compiled.kind) {
    case ConstraintKind::acyclic:
      constraint.table = Table(nfa);
      constraint.marked = !automata::every_cycle_passes_initial(nfa);
      break;
    case ConstraintKind::irreflexive: constraint.table = Table(close_circle(std::move(nfa))); break;
    case ConstraintKind::empty:
      if (nfa.transitions.empty()) break;
      constraint.table = Table(nfa);
      constraint.backwards = Table(automata::reverse(nfa));
      constraint.accepting = static_cast<std::uint32_t>(std::find(nfa.accepting.begin(), nfa.accepting.end(), true) -
                                                        nfa.accepting.begin());
      break;
  }
  return constraint;
}

bool satisfiable(const Guard& guard, const std::vector<graph::Labels>& labels) {
  return labels.empty() || std::any_of(labels.begin(), labels.end(), [&](auto l) { return guard.holds(l); });
}

}  // namespace

class Checker::Implementation {
 public:
  Implementation(const Model& model, ExecutionGraph& graph, std::vector<graph::Labels> labels, bool use_filter)
      : model_(model),
        compiled_(model_.compiled()),
        graph_(graph),
        labels_(with_initial(std::move(labels))),
        views_(graph, specialized_views(compiled_, labels_)),
        search_(graph),
        filter_(graph),
        use_filter_(use_filter),
        coherence_(compiled_.coherence),
        views_grow_(std::any_of(compiled_.view_circles.begin(), compiled_.view_circles.end(), grows_without_source)) {
    HEDDLE_CHECK(graph.view_count() >= compiled_.view_count, "the graph must carry every view of the model");
    for (const CompiledConstraint& constraint : compiled_.constraints) {
      Constraint made = make_constraint(constraint, labels_);
      if (!made.table.rows.empty() || !made.empty_word.empty()) constraints_.push_back(std::move(made));
    }
    for (std::size_t i = 0; i < compiled_.rules.size(); ++i) add_rule(compiled_.rules[i], compiled_.compiled_rules[i]);
    std::stable_partition(rules_.begin(), rules_.end(), [](const Rule& rule) { return !rule.rule->warning; });
  }

  void update_views(EventId e) {
    if (!labels_.empty()) require_known(graph_[e].labels);
    views_.update(e);
  }

  void coherent_sources(EventId r, std::vector<EventId>& sources) {
    sources.clear();
    // What r knows before it reads: usually the same as the event before it does.
    if (views_grow_) views_.update(r);
    const EventId knowing = views_grow_ ? r : graph_.po_previous(r);
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
    for (const Constraint& constraint : constraints_) {
      if (breaks(constraint, e)) return false;
    }
    return true;
  }

  std::optional<RuleViolation> erroneous(EventId e) {
    const Event& event = graph_[e];
    if (rules_.empty() || event.location == graph::no_location || event.thread == graph::no_thread) return std::nullopt;
    if (!(event.labels & (graph::label_read | graph::label_write))) return std::nullopt;
    const graph::Location& location = graph_.location(event.location);
    for (const Rule& rule : rules_) {  // errors come before warnings
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

  bool has_rules() const { return !rules_.empty(); }
  unsigned happens_before_view() const { return coherence_.value_or(0); }
  const std::vector<EventId>& broken_cycle() const { return search_.found(); }

 private:
  // Parts of the model were dropped because no event would have certain labels: an event that does have them would
  // make every verdict worthless, so this is checked even in release builds. The last answers are remembered.
  void require_known(graph::Labels labels) {
    graph::Labels& remembered = known_labels_[(labels * 0x9e3779b97f4a7c15u) >> 60];
    if (remembered == labels) return;
    HEDDLE_CHECK(std::find(labels_.begin(), labels_.end(), labels) != labels_.end(),
                 "an event has labels that the checker was not told about");
    remembered = labels;
  }

  static std::vector<graph::Labels> with_initial(std::vector<graph::Labels> labels) {
    if (!labels.empty()) labels.push_back(graph::label_write | graph::label_initial);
    return labels;
  }

  static std::vector<Nfa> specialized_views(const CompiledModel& compiled, const std::vector<graph::Labels>& labels) {
    std::vector<Nfa> circles = compiled.view_circles;
    for (Nfa& circle : circles) {
      if (circle.states > 0) automata::specialize(circle, labels);
    }
    return circles;
  }

  void add_rule(const ErrorRule& rule, const CompiledRule& compiled) {
    Rule made{&rule, {}, compiled.view.value_or(0), true, {}};
    if (!compiled.view) {
      made.general.emplace(compiled, labels_);
      if (!made.general->never_applies()) rules_.push_back(std::move(made));
      return;
    }
    for (const auto& [a, b] : compiled.pairs) {
      if (!satisfiable(a, labels_) || !satisfiable(b, labels_)) continue;
      made.pairs.emplace_back(a, b);
      if (!((a.value | b.value) & graph::label_plain)) made.needs_plain = false;
    }
    if (!made.pairs.empty()) rules_.push_back(std::move(made));
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

  bool breaks(const Constraint& constraint, EventId e) {
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

  EventId find_unordered(const Rule& rule, EventId e) const {
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
  const CompiledModel& compiled_;
  ExecutionGraph& graph_;
  std::vector<graph::Labels> labels_;
  std::array<graph::Labels, 16> known_labels_{};
  Views views_;
  Search search_;
  CycleFilter filter_;
  bool use_filter_;
  std::optional<unsigned> coherence_;
  bool views_grow_;
  std::vector<Constraint> constraints_;
  std::vector<Rule> rules_;
};

Checker::Checker(const Model& model, ExecutionGraph& graph, std::vector<graph::Labels> labels_in_program,
                 bool use_cycle_filter)
    : implementation_(std::make_unique<Implementation>(model, graph, std::move(labels_in_program), use_cycle_filter)) {}
Checker::~Checker() = default;

void Checker::update_views(EventId e) { implementation_->update_views(e); }
void Checker::coherent_sources(EventId r, std::vector<EventId>& sources) {
  implementation_->coherent_sources(r, sources);
}
void Checker::coherent_places(EventId w, std::vector<EventId>& predecessors) {
  implementation_->coherent_places(w, predecessors);
}
bool Checker::coherent_source(EventId r) { return implementation_->coherent_source(r); }
bool Checker::consistent(EventId e) { return implementation_->consistent(e); }
bool Checker::has_rules() const { return implementation_->has_rules(); }
std::optional<RuleViolation> Checker::erroneous(EventId e) { return implementation_->erroneous(e); }
unsigned Checker::happens_before_view() const { return implementation_->happens_before_view(); }
const std::vector<EventId>& Checker::broken_cycle() const { return implementation_->broken_cycle(); }

}  // namespace heddle::consistency
