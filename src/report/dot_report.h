// An execution graph for Graphviz: a cluster per thread, program order down, reads-from green, coherence orange,
// from-reads red. `heddle check --format dot ... | dot -Tsvg`.
#pragma once

#include <string>

#include "report/check_report.h"

namespace heddle::report {

// The first error's graph; a graph with only a title if there is none.
std::string dot_report(const bytecode::Program& program, const CheckReport& report);

}  // namespace heddle::report
