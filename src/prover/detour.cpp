// See detour.h. Tested in admission_test.cpp and random_graphs_test.cpp.
#include "prover/detour.h"

namespace heddle::prover {
namespace {

using enum Letter;

Steps both_ways(Steps set) { return set | inverse(set); }

}  // namespace

Detour around(StepCode arrive, StepCode leave) {
  const Steps a = steps(letter_of(arrive)), b = steps(letter_of(leave));
  const Steps po = program_order | steps(rmw), next_in_thread = steps(po_imm, rmw);
  const Steps placed = at_one_location & forward_steps;
  if ((a & po) && (b & po)) {
    Steps between = steps(po_loc, po_other);
    if ((a & placed) && (b & placed)) between = steps(po_loc);
    if (((a & placed) && (b & steps(po_other))) || ((b & placed) && (a & steps(po_other)))) between = steps(po_other);
    if ((a & next_in_thread) && (b & next_in_thread)) return {0, true};
    if (a & next_in_thread) return {inverse(between), true};
    return {b & next_in_thread ? between : both_ways(between), true};
  }
  if ((a & reads_from) && (b & reads_from)) return {0, true};
  if (a == b && (a & steps(tc, tj))) return {0, true};
  const Steps co = coherence | steps(co_imm);
  if ((a & co) && (b & co)) {
    if ((a & steps(co_imm)) && (b & steps(co_imm))) return {0, true};
    if (a & steps(co_imm)) return {inverse(coherence), true};
    return {b & steps(co_imm) ? coherence : both_ways(coherence), true};
  }
  // x is not y if one of them is in the thread (or at the location) of e and the other is not.
  const auto differ = [&](Steps yes, Steps no) { return ((a & yes) && (b & no)) || ((a & no) && (b & yes)); };
  const bool same = !differ(in_one_thread, in_two_threads) && !differ(at_one_location, at_two_locations);
  return {(a & placed) && (b & placed) ? steps(loc) : steps(unrelated), same};
}

}  // namespace heddle::prover
