// Label classes: the finitely many kinds of events that one question can tell apart. Two label combinations are in one
// class if no set that the question mentions, and no end of a letter, distinguishes them; a test [S] is then a set of
// classes. Only combinations that events can have are considered (an event has one kind, seq_cst reads acquire, ...).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "prover/letter.h"
#include "relation/expression.h"
#include "relation/vocabulary.h"

namespace heddle::prover {

using Classes = std::uint64_t;  // a set of classes
inline constexpr unsigned maximal_classes = 64;

// The label of this name, for sets of labels.
constexpr std::uint64_t bit(std::string_view name) { return std::uint64_t{1} << relation::bit_of(name); }

// Thrown when a question is too large to be decided; the answer is then `unknown`.
struct TooLarge {};

class LabelClasses {
 public:
  // Classes for all sets inside these relations. Throws TooLarge.
  explicit LabelClasses(const std::vector<const relation::Expression*>& relations);

  unsigned count() const { return static_cast<unsigned>(representative_.size()); }
  Classes all() const { return count() == 64 ? ~Classes{0} : (Classes{1} << count()) - 1; }
  Classes of(const relation::Expression& set) const;  // the set must be inside one of the relations
  Classes named(std::string_view set_name) const;     // one of R W F IW UR UW TC TB TE TJ

  // Which classes a step can start from, and end at, whatever the model asks.
  Classes source_of(StepCode step) const { return is_inverse(step) ? target_[step % 32] : source_[step % 32]; }
  Classes target_of(StepCode step) const { return is_inverse(step) ? source_[step % 32] : target_[step % 32]; }

  std::uint64_t labels_of(unsigned c) const { return representative_[c]; }  // one member of the class
  std::string name(unsigned c) const;                                       // "W", "R & SC"

 private:
  void collect(const relation::Expression& expression);
  void fill_ends();

  std::vector<const relation::Expression*> sets_;
  std::vector<std::uint64_t> representative_;
  Classes source_[letter_count] = {}, target_[letter_count] = {};
};

// Can an event have exactly these labels? Says yes to more than the explorer makes, never no to what it makes.
bool possible_labels(std::uint64_t labels);

bool in_set(const relation::Expression& set, std::uint64_t labels);

}  // namespace heddle::prover
