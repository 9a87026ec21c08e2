// Does a claim follow from others in every execution graph? And with it: is one model stronger than another?
//
// The techniques are those of thesis chapter 3: inclusion in an assumption's relation; rotation, deduplication and same
// ends of cycles (cycles.h); emptiness; and, once the assumptions are seen to imply coherence per location, what
// follows from coherence being total (Theory::coherent). A refutation is a graph that satisfies all assumptions and
// breaks the claim (witness.h); anything between a proof and such a graph is `unknown`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "prover/claim.h"
#include "prover/inclusion.h"
#include "prover/small_graph.h"

namespace heddle::prover {

enum class Status : std::uint8_t { proved, refuted, unknown };

struct Verdict {
  Status status = Status::unknown;
  std::string claim;  // what was to be shown
  Word word;  // refuted, unknown: the word on which the proof fails (empty: limits were reached)
  std::optional<SmallGraph> graph;  // refuted: the assumptions hold in it, the claim does not
};

// Assumed beside the given claims: built_in_claims(), and causal acyclicity if `causal`.
struct ProofOptions {
  bool causal = true;
  bool look_for_graph = true;  // otherwise nothing is refuted
  Limits limits = {300000};
};

Verdict prove(const Claim& claim, const std::vector<Claim>& assumptions, ProofOptions options = {});

// left <= right in every graph that satisfies the assumptions. Expressions are without views.
Verdict prove_inclusion(const relation::ExpressionPointer& left, const relation::ExpressionPointer& right,
                        const std::vector<Claim>& assumptions, ProofOptions options = {});

// Is every graph that `strong` allows also allowed by `weak`? One verdict for every claim of `weak`. Rules about races
// say nothing about which graphs are allowed and play no part.
std::vector<Verdict> stronger(const relation::ModelFile& strong, const relation::ModelFile& weak,
                              ProofOptions options = {});

// Proved if all are, refuted if one is.
Status summary(const std::vector<Verdict>& verdicts);

}  // namespace heddle::prover
