// What a model must satisfy before the explorer may use it (thesis 5.1 to 5.4, 9.3.3). The algorithm is correct only
// for models that do; a model that fails gets an error that names the obligation and a word that shows why.
//
//  causal order    The model's constraints imply that (po | rf | tc | tj)+ is acyclic: executions are built along it,
//  so
//                  graphs with such cycles are never seen. The declared causal order lies between (rf | tc | tj)+ and
//                  (po | rf | tc | tj)+.
//  saved relation  Each view of an event depends only on what is causally before it: then it never changes.
//  prefix          A part of an allowed graph that is closed under causality is allowed. All operators are monotone, so
//                  only co-imm and fr-imm, which can gain pairs when events are removed, need a proof.
//  extension       An allowed graph stays allowed when an event is added in the newest way (extensibility.h).
//  rule            Two events that race go on racing when the graph grows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "prover/inclusion.h"
#include "relation/model_file.h"

namespace heddle::prover {

enum class ObligationKind : std::uint8_t { causal_order, saved_relation, prefix, extension, rule };
enum class ObligationStatus : std::uint8_t { proved, failed, unknown };

struct Obligation {
  ObligationKind kind{};
  ObligationStatus status{};
  std::string subject;  // the constraint, view or rule it is about, as text
  Diagnostic diagnostic;  // failed, unknown: where and why
  Word word;  // failed: the counterexample
};

// Everything that the model must satisfy, proved or not. `causal`: the declared causal order.
std::vector<Obligation> admit(const relation::ModelFile& model);
std::vector<Obligation> admit(const relation::ModelFile& model, const relation::ExpressionPointer& causal);

// The diagnostics of the obligations that are not proved; none: the model may be used.
Diagnostics objections(const std::vector<Obligation>& obligations);

std::string_view name_of(ObligationKind kind);

}  // namespace heddle::prover
