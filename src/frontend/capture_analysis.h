// Which stack objects and thread-locals can another thread reach? Those that cannot live in the thread's own private
// memory and need no events.
//
// An object is captured if its address may be stored in memory, returned, handed to another thread or to code that is
// not known. The analysis follows the address through casts, arithmetic, phis and calls of defined functions; what a
// function does with its parameters is a greatest fixpoint: assume that nothing is captured, then correct until
// nothing changes. Mutexes and barriers count as captured, because operations on them are always visible.
#pragma once

#include <llvm/ADT/DenseMap.h>

namespace llvm {
class Argument;
class CallBase;
class Module;
class Use;
class Value;
}  // namespace llvm

namespace heddle::frontend {

class CaptureAnalysis {
 public:
  explicit CaptureAnalysis(const llvm::Module& module);

  // May the address `object` (an alloca, a thread-local variable or a byval parameter) reach another thread?
  bool is_captured(const llvm::Value* object) const;

 private:
  // What becomes of an address.
  struct Fate {
    bool captured = false;
    bool returned = false;
    friend bool operator==(const Fate&, const Fate&) = default;
  };
  enum class Step { harmless, follow, captured, returned };

  Fate follow(const llvm::Value* address) const;
  Step classify(const llvm::Use& use) const;
  Step classify_call(const llvm::CallBase& call, const llvm::Use& use) const;

  llvm::DenseMap<const llvm::Argument*, Fate> parameters_;
};

}  // namespace heddle::frontend
