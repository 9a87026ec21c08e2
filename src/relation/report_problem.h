// Where the passes after the parser put their messages; falls silent when enough was said.
#pragma once

#include <string>

#include "relation/lexer.h"
#include "relation/parser.h"

namespace heddle::relation {

class ProblemReporter {
 public:
  ProblemReporter(const SourceFiles& files, Diagnostics& problems) : files_(files), problems_(problems) {}

  bool enough() const { return problems_.size() >= maximal_problems; }
  void operator()(Position position, std::string message, std::string hint = {}) {
    if (!enough()) problems_.push_back(diagnostic_at(files_, position, std::move(message), std::move(hint)));
  }

 private:
  const SourceFiles& files_;
  Diagnostics& problems_;
};

}  // namespace heddle::relation
