// See check_full.h. Tested in checker_test.cpp on litmus graphs with known verdicts.
#include "consistency/check_full.h"

#include <optional>
#include <unordered_map>

#include "consistency/bit_matrix.h"
#include "consistency/compiled_model.h"
#include "relation/vocabulary.h"

namespace heddle::consistency {
namespace {

using graph::Event;
using graph::EventId;
using graph::no_event;
using relation::Expression;
using relation::ExpressionKind;
using relation::Primitive;

class Evaluator {
 public:
  Evaluator(const relation::ModelFile& file, const graph::ExecutionGraph& graph) : file_(file), graph_(graph) {
    for (std::size_t l = 0; l < graph.location_count(); ++l) {
      events_.push_back(graph.location(static_cast<graph::LocationId>(l)).initial);
    }
    for (graph::ThreadId t = 0; t < graph.thread_count(); ++t) {
      for (EventId e : graph.events_of(t)) events_.push_back(e);
    }
    number_.assign(graph.event_capacity(), events_.size());
    for (std::size_t i = 0; i < events_.size(); ++i) number_[events_[i]] = i;
    fill_basic();
    views_.resize(file.views.size());
  }

  std::size_t count() const { return events_.size(); }
  EventId event(std::size_t i) const { return events_[i]; }
  std::size_t number(EventId e) const { return number_[e]; }
  const BitMatrix& view(std::size_t i) const {
    if (!views_[i]) views_[i] = relation(*file_.views[i].step).closure();
    return *views_[i];
  }

  // What a model names is one expression, used many times: each is evaluated once.
  const BitMatrix& relation(const Expression& e) const {
    if (const auto found = known_.find(&e); found != known_.end()) return found->second;
    return known_.emplace(&e, evaluate(e)).first->second;
  }

  BitMatrix evaluate(const Expression& e) const {
    switch (e.kind) {
      case ExpressionKind::primitive: return primitive(e.primitive);
      case ExpressionKind::view: return view(e.number) - identity();
      case ExpressionKind::test: {
        BitMatrix result(count());
        for (std::size_t i = 0; i < count(); ++i) {
          if (in_set(*e.parts[0], i)) result.set(i, i);
        }
        return result;
      }
      case ExpressionKind::alternative: {
        BitMatrix result(count());
        for (const auto& part : e.parts) result = result | relation(*part);
        return result;
      }
      case ExpressionKind::sequence: {
        BitMatrix result = identity();
        for (const auto& part : e.parts) result = result.then(relation(*part));
        return result;
      }
      case ExpressionKind::same_location: return relation(*e.parts[0]) & loc();
      case ExpressionKind::other_location: return relation(*e.parts[0]) - loc();
      case ExpressionKind::optional: return relation(*e.parts[0]) | identity();
      case ExpressionKind::plus: return relation(*e.parts[0]).closure();
      case ExpressionKind::star: return relation(*e.parts[0]).closure() | identity();
      case ExpressionKind::inverse: return relation(*e.parts[0]).inverse();
      case ExpressionKind::relation_intersection: return relation(*e.parts[0]) & relation(*e.parts[1]);
      case ExpressionKind::relation_difference: return relation(*e.parts[0]) - relation(*e.parts[1]);
      case ExpressionKind::product: return product(*e.parts[0], *e.parts[1]);
      default: HEDDLE_CHECK(false, "an expression that has no meaning on a graph");
    }
    return BitMatrix(count());
  }

  BitMatrix primitive(Primitive p) const {
    switch (p) {
      case Primitive::po: return po_imm_.closure();
      case Primitive::po_imm: return po_imm_;
      case Primitive::po_loc: return po_imm_.closure() & loc();
      case Primitive::rf: return rf_;
      case Primitive::rfe: return rf_ - same_thread_;
      case Primitive::rfi: return rf_ & same_thread_;
      case Primitive::co: return co_imm_.closure();
      case Primitive::co_imm: return co_imm_;
      case Primitive::coe: return co_imm_.closure() - same_thread_;
      case Primitive::coi: return co_imm_.closure() & same_thread_;
      case Primitive::fr: return fr();
      case Primitive::fr_imm: return rf_.inverse().then(co_imm_);
      case Primitive::fre: return fr() - same_thread_;
      case Primitive::fri: return fr() & same_thread_;
      case Primitive::rmw: return rmw_;
      case Primitive::tc: return tc_;
      case Primitive::tj: return tj_;
      case Primitive::loc: return loc();
      case Primitive::internal: return internal();
      case Primitive::external: return everything() - internal();
      case Primitive::addr:
      case Primitive::data:
      case Primitive::ctrl: break;
    }
    HEDDLE_CHECK(false, "dependencies are not tracked");
    return BitMatrix(count());
  }

  BitMatrix fr() const { return rf_.inverse().then(co_imm_.closure()); }
  BitMatrix identity() const { return BitMatrix::identity(count()); }

 private:
  bool in_set(const Expression& e, std::size_t i) const {
    switch (e.kind) {
      case ExpressionKind::every_event: return true;
      case ExpressionKind::label: return graph_[events_[i]].labels >> e.number & 1;
      case ExpressionKind::set_union:
        for (const auto& part : e.parts) {
          if (in_set(*part, i)) return true;
        }
        return false;
      case ExpressionKind::set_intersection:
        for (const auto& part : e.parts) {
          if (!in_set(*part, i)) return false;
        }
        return true;
      case ExpressionKind::set_difference: return in_set(*e.parts[0], i) && !in_set(*e.parts[1], i);
      case ExpressionKind::domain:
      case ExpressionKind::range: {
        const BitMatrix inner = relation(*e.parts[0]);
        const bool first = e.kind == ExpressionKind::domain;
        for (std::size_t j = 0; j < count(); ++j) {
          if (first ? inner.get(i, j) : inner.get(j, i)) return true;
        }
        return false;
      }
      default: HEDDLE_CHECK(false, "a set that has no meaning on a graph");
    }
    return false;
  }

  BitMatrix everything() const {
    BitMatrix result(count());
    for (std::size_t a = 0; a < count(); ++a) {
      for (std::size_t b = 0; b < count(); ++b) result.set(a, b);
    }
    return result;
  }

  // Initial writes are of no thread: two of them are not internal.
  BitMatrix internal() const {
    BitMatrix result = identity();
    for (std::size_t a = 0; a < count(); ++a) {
      for (std::size_t b = 0; b < count(); ++b) {
        const graph::ThreadId thread = graph_[events_[a]].thread;
        if (thread != graph::no_thread && thread == graph_[events_[b]].thread) result.set(a, b);
      }
    }
    return result;
  }

  BitMatrix product(const Expression& first, const Expression& second) const {
    BitMatrix result(count());
    for (std::size_t a = 0; a < count(); ++a) {
      if (!in_set(first, a)) continue;
      for (std::size_t b = 0; b < count(); ++b) {
        if (in_set(second, b)) result.set(a, b);
      }
    }
    return result;
  }

  BitMatrix loc() const {
    BitMatrix result(count());
    for (std::size_t a = 0; a < count(); ++a) {
      for (std::size_t b = 0; b < count(); ++b) {
        const graph::LocationId location = graph_[events_[a]].location;
        if (location != graph::no_location && location == graph_[events_[b]].location) result.set(a, b);
      }
    }
    return result;
  }

  void fill_basic() {
    const std::size_t n = count();
    po_imm_ = rf_ = co_imm_ = rmw_ = tc_ = tj_ = same_thread_ = BitMatrix(n);
    for (std::size_t i = 0; i < n; ++i) {
      const Event& event = graph_[events_[i]];
      const auto link = [&](BitMatrix& relation, EventId from) {
        if (from != no_event && number_[from] < n) relation.set(number_[from], i);
      };
      if (event.thread != graph::no_thread && event.index > 0)
        link(po_imm_, graph_.events_of(event.thread)[event.index - 1]);
      if (event.labels & graph::label_read) link(rf_, event.reads_from);
      if (event.labels & graph::label_rmw_write) link(rmw_, event.partner);
      if (event.kind == graph::EventKind::begin) link(tc_, event.partner);
      if (event.kind == graph::EventKind::join) link(tj_, event.partner);
      if (event.labels & graph::label_write) link(co_imm_, event.previous_write);
      for (std::size_t j = 0; j < n; ++j) {
        if (event.thread == graph_[events_[j]].thread) same_thread_.set(i, j);
      }
    }
  }

  const relation::ModelFile& file_;
  const graph::ExecutionGraph& graph_;
  std::vector<EventId> events_;
  std::vector<std::size_t> number_;
  BitMatrix po_imm_{0}, rf_{0}, co_imm_{0}, rmw_{0}, tc_{0}, tj_{0}, same_thread_{0};
  mutable std::vector<std::optional<BitMatrix>> views_;  // filled when asked for
  mutable std::unordered_map<const Expression*, BitMatrix> known_;  // by address: the model outlives the evaluator
};

bool holds(const relation::Constraint& constraint, const Evaluator& evaluator) {
  const BitMatrix relation = evaluator.relation(*constraint.expression);
  switch (constraint.kind) {
    case relation::ConstraintKind::acyclic: return relation.closure().irreflexive();
    case relation::ConstraintKind::irreflexive: return relation.irreflexive();
    case relation::ConstraintKind::empty: return relation.empty();
  }
  return false;
}

}  // namespace

bool allowed(const Model& model, const graph::ExecutionGraph& graph, std::string* broken_rule) {
  const relation::ModelFile& file = model.compiled().file;
  const Evaluator evaluator(file, graph);
  const auto broken = [&](const std::string& rule) {
    if (broken_rule) *broken_rule = rule;
    return false;
  };
  const auto p = [&](Primitive primitive) { return evaluator.primitive(primitive); };
  const BitMatrix causal = p(Primitive::po) | p(Primitive::rf) | p(Primitive::tc) | p(Primitive::tj);
  if (!causal.closure().irreflexive()) return broken("causal order");
  if (!(p(Primitive::rmw) & evaluator.fr().then(p(Primitive::co))).empty()) return broken("atomicity");
  if (file.coherence) {
    const BitMatrix communication = p(Primitive::rf) | p(Primitive::co) | evaluator.fr();
    const BitMatrix cycle = evaluator.view(*file.coherence).then(communication.closure() | evaluator.identity());
    if (!cycle.irreflexive()) return broken("coherence " + file.views[*file.coherence].name);
  }
  for (const relation::Constraint& constraint : file.constraints) {
    if (!holds(constraint, evaluator)) return broken(constraint.text);
  }
  return true;
}

bool late_constraints_hold(const Model& model, const graph::ExecutionGraph& graph) {
  const CompiledModel& compiled = model.compiled();
  if (compiled.late_constraints.empty()) return true;
  const Evaluator evaluator(compiled.file, graph);
  for (const unsigned index : compiled.late_constraints) {
    if (!holds(compiled.file.constraints[index], evaluator)) return false;
  }
  return true;
}

std::vector<FullViolation> violations(const Model& model, const graph::ExecutionGraph& graph) {
  const CompiledModel& compiled = model.compiled();
  const Evaluator evaluator(compiled.file, graph);
  std::vector<FullViolation> found;
  for (std::size_t i = 0; i < compiled.rules.size(); ++i) {
    const relation::Rule& rule = compiled.file.rules[i];
    BitMatrix pairs = evaluator.relation(*rule.expression);
    if (rule.conflict) pairs = (pairs | pairs.inverse()) - evaluator.primitive(Primitive::internal);
    if (pairs.empty()) continue;
    BitMatrix bound = evaluator.relation(*rule.bound);
    if (rule.conflict) bound = bound | bound.inverse();
    const BitMatrix broken = pairs - bound - evaluator.identity();
    for (std::size_t a = 0; a < evaluator.count(); ++a) {
      for (std::size_t b = 0; b < evaluator.count(); ++b) {
        const Event& first = graph[evaluator.event(a)];
        const Event& second = graph[evaluator.event(b)];
        if (first.stamp >= second.stamp || !(broken.get(a, b) || broken.get(b, a))) continue;
        if (first.thread == graph::no_thread || second.thread == graph::no_thread) continue;
        found.push_back({&compiled.rules[i], evaluator.event(a), evaluator.event(b)});
      }
    }
  }
  return found;
}

bool synchronised(const Model& model, const graph::ExecutionGraph& graph, EventId a, EventId b) {
  const relation::ModelFile& file = model.compiled().file;
  const Evaluator evaluator(file, graph);
  const auto p = [&](Primitive primitive) { return evaluator.primitive(primitive); };
  const BitMatrix order = !file.rules.empty() ? evaluator.relation(*file.rules[0].bound)
                          : file.coherence
                              ? evaluator.view(*file.coherence)
                              : (p(Primitive::po) | p(Primitive::rf) | p(Primitive::tc) | p(Primitive::tj)).closure();
  return order.get(evaluator.number(a), evaluator.number(b));
}

bool in_view(const Model& model, const graph::ExecutionGraph& graph, const std::string& view, EventId a, EventId b) {
  const relation::ModelFile& file = model.compiled().file;
  const Evaluator evaluator(file, graph);
  for (std::size_t i = 0; i < file.views.size(); ++i) {
    if (file.views[i].name == view) return a == b || evaluator.view(i).get(evaluator.number(a), evaluator.number(b));
  }
  return false;
}

}  // namespace heddle::consistency
