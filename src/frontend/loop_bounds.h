// Which bound each loop has: its own, from the command line (--unroll-loop) or from a call of heddle_unroll in its
// body; none, if it is in a function that --no-unroll names; else the one of --unroll. Notes which of the wishes were
// met.
#pragma once

#include <llvm/ADT/DenseMap.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "bytecode/program.h"
#include "frontend/load_program.h"

namespace llvm {
class BasicBlock;
class Function;
class Module;
}  // namespace llvm

namespace heddle::frontend {

inline constexpr const char* bound_annotation = "heddle_unroll";

class LoopBounds {
 public:
  LoopBounds(const llvm::Module& module, const FrontendOptions& options);

  // Must loops count their iterations?
  bool counted() const { return counted_; }
  // By loop header: bounds that heddle_unroll gives in this function.
  llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t> annotated(const llvm::Function& function) const;
  // The bound of a loop with a back edge at this place; no value: the general one; 0: none.
  std::optional<std::uint32_t> wanted(const std::string& function, const std::string& file, unsigned line);
  // What was asked for and is not there.
  Diagnostics complaints() const;

 private:
  const FrontendOptions& options_;
  bool counted_ = false;
  std::set<std::size_t> used_;  // of options_.loop_bounds
  std::set<std::string> functions_;  // with loops
  std::set<std::pair<std::string, unsigned>> loops_;  // file and line
};

}  // namespace heddle::frontend
