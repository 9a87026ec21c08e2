// See describe_loops.h. Tested by tests/cases/verbose_loops.c.
#include "cli/describe_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "report/source_lines.h"

namespace heddle::cli {

namespace {

struct Loop {
  bool watched = false, first_round_merged = false;
  std::uint64_t waits = 0, undone = 0, cuts = 0;
};

}  // namespace

std::vector<std::string> describe_loops(const bytecode::Program& program, const report::Setup& setup,
                                        const explore::ExploreResult& result) {
  std::map<std::pair<std::string, unsigned>, Loop> loops;  // by file and line
  const auto loop_at = [&](const bytecode::SourcePosition& source) -> Loop& {
    return loops[{report::file_of(program, source), source.line}];
  };
  for (const bytecode::Function& function : program.functions) {
    for (const bytecode::SourcePosition& source : function.counting_loops)
      if (source.line != 0) loop_at(source);
    for (const bytecode::WatchedLoop& loop : function.loops)
      if (loop.waits_for.empty() && loop.declared.line != 0) {
        loop_at(loop.declared).watched = true;
        loop_at(loop.declared).first_round_merged |= loop.first_round_merged;
      }
  }
  for (const explore::LoopWait& wait : result.loop_waits) {
    const bytecode::WatchedLoop* loop = bytecode::watched_loop_at(program, wait.position);
    if (loop == nullptr || !loop->waits_for.empty() || loop->declared.line == 0) continue;
    loop_at(loop->declared).waits += wait.executions;
    loop_at(loop->declared).undone += wait.undone;
  }
  for (const explore::LoopBound& bound : result.bounds)
    if (const bytecode::SourcePosition source = report::source_of(program, bound.position); source.line != 0)
      loop_at(source).cuts += bound.cuts;
  std::vector<std::string> lines;
  for (const auto& [place, loop] : loops) {
    std::string text = fmt::format("{}:{}: ", place.first, place.second);
    if (loop.waits != 0)
      text += fmt::format("waits: {} {} in an iteration that changed nothing", loop.waits,
                          loop.waits == 1 ? "execution ends" : "executions end");
    else if (!loop.watched)
      text += "counts its iterations, so it never waits";
    else if (!setup.spin_assume)
      text += "not watched: --no-spin-assume";
    else
      text += "did not wait: every iteration ended the loop or changed something";
    if (loop.undone != 0)
      text += fmt::format(" (in {} of them one that changed memory and changed it back)", loop.undone);
    if (loop.first_round_merged) text += "; what stands before it and again at its end was merged";
    if (loop.cuts != 0)
      text += fmt::format("; cut off by its bound {} {}", loop.cuts, loop.cuts == 1 ? "time" : "times");
    lines.push_back(std::move(text));
  }
  if (setup.undone_updates && !result.undone_updates)
    lines.push_back("other threads can see what some loop changes and changes back: such iterations were not left out");
  return lines;
}

}  // namespace heddle::cli
