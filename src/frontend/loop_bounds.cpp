// See loop_bounds.h. Tested by tests/cases/bound_*.c.
#include "frontend/loop_bounds.h"

#include <fmt/format.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace heddle::frontend {

namespace {

// Users may name a file as they like: by its last part, or by the end of its path.
bool is_file(const std::string& file, const std::string& asked) {
  if (file == asked) return true;
  return file.size() > asked.size() && file.ends_with(asked) && file[file.size() - asked.size() - 1] == '/';
}

}  // namespace

LoopBounds::LoopBounds(const llvm::Module& module, const FrontendOptions& options) : options_(options) {
  const llvm::Function* annotation = module.getFunction(bound_annotation);
  counted_ = options.loop_counters || !options.loop_bounds.empty() || !options.unbounded_functions.empty() ||
             (annotation && !annotation->use_empty());
}

llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t> LoopBounds::annotated(const llvm::Function& function) const {
  llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t> result;
  const llvm::Function* annotation = function.getParent()->getFunction(bound_annotation);
  if (!annotation) return result;
  std::optional<llvm::DominatorTree> dominators;
  std::optional<llvm::LoopInfo> loops;
  for (const llvm::User* user : annotation->users()) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || call->getFunction() != &function || call->arg_size() != 1) continue;
    const auto* bound = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0));
    if (!bound || bound->isZero()) continue;
    if (!loops) {
      dominators.emplace(const_cast<llvm::Function&>(function));
      loops.emplace(*dominators);
    }
    if (const llvm::Loop* loop = loops->getLoopFor(call->getParent()))
      result[loop->getHeader()] = static_cast<std::uint32_t>(bound->getLimitedValue(0x7fffffff));
  }
  return result;
}

std::optional<std::uint32_t> LoopBounds::wanted(const std::string& function, const std::string& file, unsigned line) {
  functions_.insert(function);
  if (line != 0) loops_.insert({file, line});
  for (std::size_t i = 0; i < options_.loop_bounds.size(); ++i) {
    const LoopBoundOption& asked = options_.loop_bounds[i];
    if (asked.line != line || !is_file(file, asked.file)) continue;
    used_.insert(i);
    return asked.bound;
  }
  const auto& free = options_.unbounded_functions;
  if (std::find(free.begin(), free.end(), function) != free.end()) return 0;
  return std::nullopt;
}

Diagnostics LoopBounds::complaints() const {
  Diagnostics result;
  for (std::size_t i = 0; i < options_.loop_bounds.size(); ++i) {
    if (used_.contains(i)) continue;
    const LoopBoundOption& asked = options_.loop_bounds[i];
    std::string lines;
    for (const auto& [file, line] : loops_)
      if (is_file(file, asked.file)) lines += fmt::format("{}{}", lines.empty() ? "" : ", ", line);
    result.push_back(
        {.file = asked.file,
         .line = asked.line,
         .message = "--unroll-loop: no loop of the program begins here",
         .hint = lines.empty() ? "there is no loop in a file of this name" : "there are loops in lines " + lines});
  }
  for (const std::string& name : options_.unbounded_functions)
    if (!functions_.contains(name))
      result.push_back({.message = fmt::format("--no-unroll: there is no loop in a function '{}'", name)});
  return result;
}

}  // namespace heddle::frontend
