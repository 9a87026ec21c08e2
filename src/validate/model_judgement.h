// What the model's own text says of an execution that the second run has seen: its events with the labels that their
// instructions give them, and the relations of the record, evaluated literally (consistency/literal_model.h).
// Tested in validate_test.cpp and mutation_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "consistency/literal_model.h"
#include "consistency/model.h"
#include "validate/second_run.h"

namespace heddle::validate {

class ModelJudgement {
 public:
  ModelJudgement(const consistency::Model& model, const SecondRun& run);

  // Events of the graph, initial writes among them: the work grows with the cube of it.
  static std::size_t size_of(const SecondRun& run);

  bool allows(std::string* broken_rule) { return literal_->allows(broken_rule); }
  // Is the pair one that a rule of the model calls an error?
  bool is_error(std::uint32_t first, std::uint32_t second);
  // Does the model put the first event before the second?
  bool ordered(std::uint32_t first, std::uint32_t second);

 private:
  const consistency::Model& model_;
  std::uint32_t initial_writes_ = 0;  // they come first in the graph, the recorded events after them
  consistency::PlainGraph graph_;
  std::unique_ptr<consistency::LiteralModel> literal_;
};

}  // namespace heddle::validate
