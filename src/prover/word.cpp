// See word.h. Tested in inclusion_test.cpp.
#include "prover/word.h"

namespace heddle::prover {

std::string print_word(const Word& word) {
  std::string text;
  for (std::size_t i = 0; i < word.names.size(); ++i) {
    if (i > 0) text += " -" + print_step(word.steps[i - 1]) + "-> ";
    text += word.names[i];
  }
  if (word.cycle) text += " (the first event again)";
  return text;
}

}  // namespace heddle::prover
