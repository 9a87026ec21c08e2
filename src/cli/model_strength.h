// Which of several models is stronger than which, as far as the prover can tell. A model is stronger than another one
// if every execution that it allows is allowed by the other one, too.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "prover/implication.h"
#include "relation/model_file.h"

namespace heddle::cli {

class StrengthOrder {
 public:
  enum class Effort { little, all };  // a second; half a minute
  StrengthOrder(const std::vector<relation::ModelFile>& models, Effort effort);

  prover::Status status(std::size_t strong, std::size_t weak) const { return status_[strong * models_.size() + weak]; }
  bool proved(std::size_t strong, std::size_t weak) const { return status(strong, weak) == prover::Status::proved; }
  bool refuted(std::size_t strong, std::size_t weak) const { return status(strong, weak) == prover::Status::refuted; }
  bool equivalent(std::size_t a, std::size_t b) const { return proved(a, b) && proved(b, a); }

  // The models that this one is stronger than with none in between: the rest follows.
  std::vector<std::size_t> next_weaker(std::size_t model) const;

 private:
  // What a model says, as it is; and, of a model with late constraints, more and less than that for the prover, which
  // knows regular relations only.
  struct Claims {
    std::vector<prover::Claim> exact;
    std::vector<prover::Claim> assumed;  // follow from the exact ones
    std::vector<prover::Claim> to_prove;  // the exact ones follow from these
  };
  static Claims claims_of(const relation::ModelFile& model);

  void compare_all(std::size_t nodes);
  void compare(std::size_t strong, std::size_t weak, std::size_t nodes);
  void close();
  bool differ_in_known_graph(std::size_t strong, std::size_t weak) const;
  prover::Status& at(std::size_t strong, std::size_t weak) { return status_[strong * models_.size() + weak]; }

  std::vector<Claims> models_;
  std::vector<prover::Status> status_;
  std::vector<prover::SmallGraph> graphs_;  // that have told two models apart
};

}  // namespace heddle::cli
