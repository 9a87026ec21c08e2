// Is there an interleaving of the threads that shows an execution? If so, one; if not, why not.
// An interleaving exists exactly if program order, reads-from, coherence and from-reads (and starting and joining
// threads) have no cycle together: then a topological order is one. Otherwise the shortest cycle is the reason, and
// the program-order links on it that no memory order keeps are what the reader should look at.
// Works on steps (describe_step.h). Tested in explain_order_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/describe_step.h"

namespace heddle::report {

enum class Link : std::uint8_t { program_order, reads_from, coherence, from_read };

struct CycleStep {
  std::uint32_t step = 0;  // index into the steps
  Link next{};             // why it comes before the next one (after the last: before the first)
};

struct Order {
  std::vector<std::uint32_t> interleaving;  // indices of steps; empty if there is a cycle
  std::vector<CycleStep> cycle;             // empty if there is an interleaving
};

// `last`: events to put as late as possible, e.g. the two sides of a race.
Order find_order(const bytecode::RecordedExecution& execution, const std::vector<Step>& steps,
                 const std::vector<std::uint32_t>& last);

// Why nothing keeps the second step of a program-order link from taking effect before the first; nothing if something
// does. "line 14 is only relaxed".
std::optional<std::string> why_unordered(const Names& names, const Step& first, const Step& second,
                                         const std::string& model, std::uint32_t home);

// The cycle in words, one line a step.
std::vector<std::string> tell_cycle(const Names& names, const std::vector<Step>& steps, const Order& order,
                                    const std::string& model, std::uint32_t home);
// The same in one sentence: which reordering makes the execution possible.
std::string tell_reordering(const Names& names, const std::vector<Step>& steps, const Order& order,
                            const std::string& model, std::uint32_t home);

}  // namespace heddle::report
