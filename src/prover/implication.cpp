// See implication.h. Tested in implication_test.cpp and, against graphs, in random_graphs_test.cpp.
#include "prover/implication.h"

#include <algorithm>

#include "prover/cycles.h"
#include "prover/witness.h"
#include "relation/print_expression.h"

namespace heddle::prover {
namespace {

using relation::ConstraintKind;
using relation::ExpressionKind;
using relation::ExpressionPointer;
using relation::make_expression;
using relation::Primitive;

// irreflexive po ; (rf | (co | fr) ; rf?): what Theory::coherent stands for.
Claim coherent_per_location() {
  const ExpressionPointer rf = primitive(Primitive::rf);
  const ExpressionPointer maybe_rf = make_expression(ExpressionKind::optional, {rf});
  const ExpressionPointer co_or_fr = any_of({primitive(Primitive::co), primitive(Primitive::fr)});
  return {ConstraintKind::irreflexive,
          sequence({primitive(Primitive::po), any_of({rf, sequence({co_or_fr, maybe_rf})})}),
          "coherence",
          {}};
}

// Any number of steps before and after the words of the automaton.
void surround_by_anything(Automaton& automaton, const LabelClasses& classes) {
  automaton.edges[automaton.initial].push_back({automaton.initial, every_step, classes.all(), classes.all()});
  automaton.edges[automaton.final].push_back({automaton.final, every_step, classes.all(), classes.all()});
}

class Proof {
 public:
  Proof(const std::vector<Claim>& assumptions, const ProofOptions& options) : options_(options), given_(assumptions) {
    for (Claim& claim : built_in_claims()) given_.push_back(std::move(claim));
    if (options.causal) given_.push_back(causally_acyclic());
    theory_.reads_own_past = options.causal;
  }

  Verdict run(const Claim& claim) {
    const auto broken = [&](const SmallGraph& graph) { return !holds(claim.kind, *claim.relation, graph); };
    return strengthen(claim.text, broken, [&] { return attempt(claim, broken); });
  }

  Verdict run(const ExpressionPointer& left, const ExpressionPointer& right) {
    const auto broken = [&](const SmallGraph& graph) {
      return !(evaluate(*left, graph) - evaluate(*right, graph)).empty();
    };
    const std::string text = relation::print_expression(*left) + " <= " + relation::print_expression(*right);
    return strengthen(text, broken, [&] { return included(*left, *right, theory_, options_.limits); });
  }

 private:
  // Tries with what is known from the start, then looks for a graph that shows that no proof exists, then tries with
  // what else follows from the assumptions.
  template <class Broken, class Attempt>
  Verdict strengthen(std::string text, const Broken& broken, const Attempt& attempt) {
    Verdict verdict{Status::unknown, std::move(text), {}, {}};
    for (unsigned round = 0;; ++round) {
      InclusionResult result = attempt();
      if (result.answer == Answer::yes) {
        verdict.status = Status::proved;
        verdict.word = {};
        return verdict;
      }
      if (!result.word.names.empty()) verdict.word = std::move(result.word);
      if (refuted(verdict, broken)) return verdict;
      if (!learn()) return verdict;
    }
  }

  template <class Broken>
  bool refuted(Verdict& verdict, const Broken& broken) const {
    if (!options_.look_for_graph || verdict.word.names.empty()) return false;
    verdict.graph = find_witness(verdict.word, given_, broken);
    if (verdict.graph) verdict.status = Status::refuted;
    return verdict.graph.has_value();
  }

  // Extends the theory by the next fact that the assumptions imply. False if there is none.
  bool learn() {
    if (!theory_.reads_own_past && !asked_own_past_) {
      asked_own_past_ = true;
      const Claim own_past{
          ConstraintKind::irreflexive, sequence({primitive(Primitive::po), primitive(Primitive::rf)}), "", {}};
      // Program order is total on a thread: a read of an own write that is not later is earlier.
      theory_.reads_own_past = show_claim(own_past, Rotation::all).answer == Answer::yes;
      if (theory_.reads_own_past) return true;
    }
    if (!theory_.coherent && theory_.reads_own_past && !asked_coherent_) {
      asked_coherent_ = true;
      theory_.coherent = show_claim(coherent_per_location(), Rotation::all).answer == Answer::yes;
      return theory_.coherent;
    }
    return false;
  }

  template <class Broken>
  InclusionResult attempt(const Claim& claim, const Broken& broken) {
    for (const Claim& assumption : given_) {
      if (assumption.kind == claim.kind &&
          relation::print_expression(*assumption.relation) == relation::print_expression(*claim.relation))
        return {Answer::yes, {}, {}};
    }
    if (claim.kind == ConstraintKind::empty) return show_claim(claim, Rotation::none);
    if (lies_in_assumption(claim)) return {Answer::yes, {}, {}};
    const auto is_real = [&](const Word& word) {
      Verdict verdict{Status::unknown, {}, word, {}};
      return refuted(verdict, broken);
    };
    InclusionResult result;
    if (options_.look_for_graph) {
      result = show_claim(claim, Rotation::none, is_real, true);
      if (result.answer == Answer::no && is_real(result.word)) return result;
    }
    for (Rotation rotation : {Rotation::none, Rotation::all}) {
      result = show_claim(claim, rotation);
      if (result.answer == Answer::yes) return result;
    }
    // A cycle is a cycle in both directions.
    const Claim turned{claim.kind, make_expression(ExpressionKind::inverse, {claim.relation}), claim.text, {}};
    return show_claim(turned, Rotation::all).answer == Answer::yes ? InclusionResult{Answer::yes, {}, {}} : result;
  }

  // Every word of the claim is one of an assumption, or of the closure of an acyclic one: no need to think of cycles.
  bool lies_in_assumption(const Claim& claim) const {
    const auto inside = [&](const ExpressionPointer& left, const ExpressionPointer& right) {
      return included(*left, *right, theory_, options_.limits).answer == Answer::yes;
    };
    std::vector<ExpressionPointer> no_cycle;
    for (const Claim& assumption : given_) {
      if (assumption.kind == ConstraintKind::irreflexive) no_cycle.push_back(assumption.relation);
      if (assumption.kind != ConstraintKind::acyclic) continue;
      no_cycle.push_back(make_expression(ExpressionKind::plus, {assumption.relation}));
      // Then also the closure of the claim is inside.
      if (claim.kind == ConstraintKind::acyclic && inside(claim.relation, no_cycle.back())) return true;
    }
    const bool repeats = claim.kind == ConstraintKind::acyclic;
    return inside(repeats ? make_expression(ExpressionKind::plus, {claim.relation}) : claim.relation,
                  any_of(std::move(no_cycle)));
  }

  using IsReal = std::function<bool(const Word&)>;

  // `ordinary`: only for words over ordinary accesses and fences, to find a counterexample soon.
  InclusionResult show_claim(const Claim& claim, Rotation rotation, const IsReal& is_real = {},
                             bool ordinary = false) const {
    try {
      if (claim.kind == ConstraintKind::empty) return show_empty(claim);
      return show_no_cycles(claim, rotation, is_real, ordinary);
    } catch (const TooLarge&) {
      return {Answer::unknown, {}, {}};
    }
  }

  LabelClasses classes_for(const Claim& claim) const {
    std::vector<const relation::Expression*> relations{claim.relation.get()};
    for (const Claim& assumption : given_) relations.push_back(assumption.relation.get());
    return LabelClasses(relations);
  }

  InclusionResult show_empty(const Claim& claim) const {
    const LabelClasses classes = classes_for(claim);
    const Automaton left = left_automaton(*claim.relation, classes);
    std::vector<ExpressionPointer> empty;
    for (const Claim& assumption : given_) {
      if (assumption.kind == ConstraintKind::empty) empty.push_back(assumption.relation);
    }
    Automaton right = right_automaton(*any_of(std::move(empty)), classes, theory_, alphabet(left));
    surround_by_anything(right, classes);
    return included(left, right, classes, options_.limits);
  }

  InclusionResult show_no_cycles(const Claim& claim, Rotation rotation, const IsReal& is_real, bool ordinary) const {
    const LabelClasses classes = classes_for(claim);
    const Automaton left = claim.kind == ConstraintKind::acyclic ? left_cycle_automaton(*claim.relation, classes)
                                                                 : left_automaton(*claim.relation, classes);
    std::vector<Forbidden> forbidden;
    for (const Claim& assumption : given_) {
      Forbidden next{right_automaton(*assumption.relation, classes, theory_, alphabet(left)),
                     assumption.kind != ConstraintKind::irreflexive};
      if (assumption.kind == ConstraintKind::empty) surround_by_anything(next.automaton, classes);
      forbidden.push_back(std::move(next));
    }
    Limits limits = options_.limits;
    if (ordinary) {
      limits.events = classes.named("R") | classes.named("W") | classes.named("F");
      for (std::string_view special : {"IW", "UR", "UW", "RX", "LR", "LW", "UL"})
        limits.events &= ~classes.named(special);
    }
    return no_cycles(left, forbidden, classes, rotation, limits, is_real);
  }

  const ProofOptions options_;
  std::vector<Claim> given_;
  Theory theory_;
  bool asked_own_past_ = false, asked_coherent_ = false;
};

}  // namespace

Verdict prove(const Claim& claim, const std::vector<Claim>& assumptions, ProofOptions options) {
  return Proof(assumptions, options).run(claim);
}

Verdict prove_inclusion(const ExpressionPointer& left, const ExpressionPointer& right,
                        const std::vector<Claim>& assumptions, ProofOptions options) {
  return Proof(assumptions, options).run(left, right);
}

std::vector<Verdict> stronger(const relation::ModelFile& strong, const relation::ModelFile& weak,
                              ProofOptions options) {
  const std::vector<Claim> assumptions = claims_of(strong);
  std::vector<Verdict> verdicts;
  for (const Claim& claim : claims_of(weak)) verdicts.push_back(prove(claim, assumptions, options));
  return verdicts;
}

Status summary(const std::vector<Verdict>& verdicts) {
  Status result = Status::proved;
  for (const Verdict& verdict : verdicts) {
    if (verdict.status == Status::refuted) return Status::refuted;
    if (verdict.status == Status::unknown) result = Status::unknown;
  }
  return result;
}

}  // namespace heddle::prover
