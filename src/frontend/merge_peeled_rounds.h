// Loops whose first round stands before them, or a part of it:
//
//     seen = load(x);               becomes    do {
//     while (seen != 42)                         seen = load(x);
//       seen = load(x);                        } while (seen != 42);
//
// What happens on every way to the head of a loop at last, in the same way, happens at the head instead (thesis 7.2.4:
// the two loads are bisimilar). The program does the same as before, but what was read is no longer part of the state
// in which the loop comes back to its head: a thread that waits need not read twice to be found waiting.
//
// Only atomic accesses and arithmetic are moved: an event then stands at the line of the loop's own access, and errors
// of plain accesses are still reported where they are written. Tested in load_program_test.cpp and
// tests/cases/peeled_*.
#pragma once

namespace llvm {
class Function;
}

namespace heddle::frontend {

// What is moved is marked with this metadata.
inline constexpr const char* merged_round = "heddle.merged";
void merge_peeled_rounds(llvm::Function& function);

}  // namespace heddle::frontend
