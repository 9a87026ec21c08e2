// Which labels an event can have at some point of the code, and the cheapest test that tells what is asked of them.
// If nothing is known of the program's labels, guards are tested as they are.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "automata/guard.h"
#include "graph/labels.h"

namespace heddle::consistency::native {

class LabelSet {
 public:
  LabelSet() = default;  // nothing is known: any labels
  explicit LabelSet(std::vector<graph::Labels> labels) : known_(true), labels_(std::move(labels)) {}

  bool known() const { return known_; }
  const std::vector<graph::Labels>& labels() const { return labels_; }
  bool none() const { return known_ && labels_.empty(); }

  // Those that pass. Of unknown labels nothing is learnt.
  LabelSet that(const automata::Guard& guard) const;
  LabelSet that(const std::function<bool(graph::Labels)>& passes) const;
  LabelSet united(const LabelSet& other) const;
  bool may_pass(const automata::Guard& guard) const;

 private:
  bool known_ = false;
  std::vector<graph::Labels> labels_;
};

// A guard that, among the labels of `among`, exactly those of `wanted` pass: trivial if all do; as few labels as
// possible. Nothing if there is no such guard. Both sets are known.
std::optional<automata::Guard> guard_for(const LabelSet& wanted, const LabelSet& among);

// The guard, or a simpler one that the labels of `among` pass alike. Unknown labels: the guard itself.
automata::Guard simplified(const automata::Guard& guard, const LabelSet& among);

}  // namespace heddle::consistency::native
