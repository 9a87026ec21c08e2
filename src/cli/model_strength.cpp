// See model_strength.h. Tested in model_strength_test.cpp.
//
// A proof takes time above all where there is none to be found. So all pairs are tried with little effort first; what
// follows from other pairs, and what a graph that was found for another pair refutes, is not tried at all.
#include "cli/model_strength.h"

#include <algorithm>

#include "prover/label_classes.h"

namespace heddle::cli {

using prover::Claim;
using prover::SmallGraph;
using prover::Status;
using relation::ExpressionKind;
using relation::ExpressionPointer;

namespace {

// A regular relation that contains the given one: a & b and a \ b are parts of a. Null if there is none.
ExpressionPointer widened(const ExpressionPointer& e) {
  if (!e->uses(relation::feature_late)) return e;
  if (e->kind == ExpressionKind::relation_intersection) {
    const ExpressionPointer first = widened(e->parts[0]);
    return first ? first : widened(e->parts[1]);
  }
  if (e->kind == ExpressionKind::relation_difference) return widened(e->parts[0]);
  switch (e->kind) {
    case ExpressionKind::alternative:
    case ExpressionKind::sequence:
    case ExpressionKind::optional:
    case ExpressionKind::plus:
    case ExpressionKind::star:
    case ExpressionKind::inverse: break;
    default: return nullptr;
  }
  std::vector<ExpressionPointer> parts;
  for (const ExpressionPointer& part : e->parts) {
    parts.push_back(widened(part));
    if (!parts.back()) return nullptr;
  }
  return make_expression(e->kind, std::move(parts));
}

bool grows_with_parts(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::alternative:
    case ExpressionKind::sequence:
    case ExpressionKind::same_location:
    case ExpressionKind::other_location:
    case ExpressionKind::optional:
    case ExpressionKind::plus:
    case ExpressionKind::star:
    case ExpressionKind::inverse: return true;
    default: return false;
  }
}

constexpr std::uint64_t small_expression = 24;  // worth asking the prover about

// Is `small` inside `large` in every graph? Where the two are built in the same way, by operators that grow with their
// parts, it is enough that the parts are.
bool inside(const ExpressionPointer& small, const ExpressionPointer& large) {
  if (same_expression(*small, *large)) return true;
  if (small->kind == large->kind && small->parts.size() == large->parts.size() && grows_with_parts(small->kind)) {
    bool all = true;
    for (std::size_t i = 0; i < small->parts.size() && all; ++i) all = inside(small->parts[i], large->parts[i]);
    if (all) return true;
  }
  if (small->size > small_expression || large->size > small_expression) return false;
  const prover::ProofOptions options{.causal = true, .look_for_graph = false, .limits = {2000}};
  return prover::prove_inclusion(small, large, {}, options).status == Status::proved;
}

// None if the graph has something that cannot be evaluated.
std::optional<bool> allows(const std::vector<Claim>& claims, const SmallGraph& graph) {
  try {
    return std::all_of(claims.begin(), claims.end(),
                       [&](const Claim& claim) { return holds(claim.kind, *claim.relation, graph); });
  } catch (const prover::TooLarge&) {
    return std::nullopt;
  }
}

}  // namespace

StrengthOrder::Claims StrengthOrder::claims_of(const relation::ModelFile& model) {
  Claims claims;
  claims.exact = prover::claims_of(model);
  for (const Claim& claim : claims.exact) {
    if (!claim.relation->uses(relation::feature_late)) claims.assumed.push_back(claim);
    Claim wider = claim;
    if (const ExpressionPointer relation = widened(claim.relation)) wider.relation = relation;
    claims.to_prove.push_back(std::move(wider));
  }
  return claims;
}

StrengthOrder::StrengthOrder(const std::vector<relation::ModelFile>& models, Effort effort) {
  for (const relation::ModelFile& model : models) models_.push_back(claims_of(model));
  status_.assign(models_.size() * models_.size(), Status::unknown);
  for (std::size_t i = 0; i < models_.size(); ++i) at(i, i) = Status::proved;
  constexpr std::size_t little = 10000, much = 150000;
  compare_all(little);
  if (effort == Effort::all) compare_all(much);
}

void StrengthOrder::compare_all(std::size_t nodes) {
  for (std::size_t strong = 0; strong < models_.size(); ++strong) {
    for (std::size_t weak = 0; weak < models_.size(); ++weak) {
      if (status(strong, weak) == Status::unknown) compare(strong, weak, nodes);
    }
  }
}

void StrengthOrder::compare(std::size_t strong, std::size_t weak, std::size_t nodes) {
  Status& result = at(strong, weak);
  if (differ_in_known_graph(strong, weak)) {
    result = Status::refuted;
  } else {
    const std::vector<Claim>& given = models_[strong].assumed;
    bool all = true;
    for (const Claim& claim : models_[weak].to_prove) {
      const auto covers = [&](const Claim& other) {
        return other.kind == claim.kind && inside(claim.relation, other.relation);
      };
      if (std::any_of(given.begin(), given.end(), covers)) continue;
      // After a claim that cannot be proved, only graphs are of interest.
      const prover::ProofOptions options{.causal = true, .look_for_graph = true, .limits = {all ? nodes : nodes / 8}};
      const prover::Verdict verdict = prover::prove(claim, given, options);
      if (verdict.status == Status::proved) continue;
      all = false;
      if (!verdict.graph) continue;
      graphs_.push_back(*verdict.graph);
      break;
    }
    if (all)
      result = Status::proved;
    else if (differ_in_known_graph(strong, weak))
      result = Status::refuted;
  }
  if (result != Status::unknown) close();
}

// What follows from what is known.
void StrengthOrder::close() {
  for (bool changed = true; changed;) {
    changed = false;
    const auto settle = [&](std::size_t strong, std::size_t weak, Status status) {
      changed = changed || at(strong, weak) == Status::unknown;
      at(strong, weak) = status;
    };
    for (std::size_t a = 0; a < models_.size(); ++a) {
      for (std::size_t b = 0; b < models_.size(); ++b) {
        for (std::size_t c = 0; c < models_.size(); ++c) {
          if (proved(a, b) && proved(b, c)) settle(a, c, Status::proved);
          if (refuted(a, c) && proved(b, c)) settle(a, b, Status::refuted);
          if (proved(a, b) && refuted(a, c)) settle(b, c, Status::refuted);
        }
      }
    }
  }
}

bool StrengthOrder::differ_in_known_graph(std::size_t strong, std::size_t weak) const {
  return std::any_of(graphs_.begin(), graphs_.end(), [&](const SmallGraph& graph) {
    return allows(models_[strong].exact, graph) == true && allows(models_[weak].exact, graph) == false;
  });
}

std::vector<std::size_t> StrengthOrder::next_weaker(std::size_t model) const {
  const auto strictly = [&](std::size_t a, std::size_t b) { return proved(a, b) && !proved(b, a); };
  std::vector<std::size_t> result;
  for (std::size_t weak = 0; weak < models_.size(); ++weak) {
    bool next = strictly(model, weak);
    for (std::size_t between = 0; between < models_.size() && next; ++between) {
      next = !(strictly(model, between) && strictly(between, weak));
    }
    if (next) result.push_back(weak);
  }
  return result;
}

}  // namespace heddle::cli
