// From a word to a graph: builds execution graphs that contain the word and looks for one that satisfies all claims
// and an extra condition. The events of the word get threads and locations as its steps demand; reads that the word
// leaves open read the initial write or any other; coherence is tried in every order that the word allows.
#pragma once

#include <functional>
#include <optional>

#include "prover/claim.h"
#include "prover/small_graph.h"
#include "prover/word.h"

namespace heddle::prover {

// None found: says nothing, the search is limited.
std::optional<SmallGraph> find_witness(const Word& word, const std::vector<Claim>& claims,
                                       const std::function<bool(const SmallGraph&)>& condition);

}  // namespace heddle::prover
