// What went wrong, first and in the source's own words: one headline, then the places and facts that belong to this
// kind of error. Used by the text and the JSON report.
#pragma once

#include <string>
#include <vector>

#include "report/name_address.h"

namespace heddle::report {

// "assertion failed: data == 42", "data race on counter"
std::string headline(const Names& names, const bytecode::Violation& violation);
// What to write at the step where it happens: "assertion failed"
std::string short_name(bytecode::ErrorKind kind);
// The file that "line 12" means in the rest of the report.
std::uint32_t home_file(const Names& names, const bytecode::Violation& violation);
// Further facts, a line each: the accesses of a race, who waits for whom, where the memory was freed.
std::vector<std::string> facts(const Names& names, const bytecode::Violation& violation);
// "waits for m, held by writer since line 12"
std::string describe_wait(const Names& names, const bytecode::RecordedWait& wait, std::uint32_t home);

}  // namespace heddle::report
