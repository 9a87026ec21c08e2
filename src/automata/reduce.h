// Makes automata smaller without changing what they accept, and fits them to a program.
#pragma once

#include <cstdint>
#include <vector>

#include "automata/nfa.h"

namespace heddle::automata {

// Merges states that simulate each other and drops transitions that another one covers, forwards and backwards,
// until nothing changes (bisimulation minimisation is the special case of equal transitions).
void reduce(Nfa& nfa);

// Drops transitions that no event with one of these label combinations can take, and guards that every such event
// passes; then reduces. No combinations: nothing is known, and nothing changes.
void specialize(Nfa& nfa, const std::vector<std::uint64_t>& combinations);

// Can a walk of the circle return to its first event and state without passing the circle's state? Not if every loop
// between the other states consists only of steps inside one order that is acyclic in every graph: causality or
// coherence. If this is false, the checker must look for the circle's state in every cycle it finds.
bool every_cycle_passes_initial(const Nfa& circle);

}  // namespace heddle::automata
