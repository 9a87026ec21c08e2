// See letter.h.
#include "prover/letter.h"

namespace heddle::prover {

std::string print_step(StepCode step) {
  static constexpr const char* names[] = {"po-loc", "po",  "po-imm", "rfe", "rfi", "coe", "coi", "co-imm",
                                          "fre",    "fri", "fr-imm", "rmw", "tc",  "tj",  "loc", "..."};
  static_assert(std::size(names) == letter_count);
  std::string text = names[static_cast<unsigned>(letter_of(step))];
  return is_inverse(step) ? text + "^-1" : text;
}

}  // namespace heddle::prover
