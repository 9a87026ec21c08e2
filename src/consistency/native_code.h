// The seam between checkers and compiled code: what a code generator gets, and what it gives. The generator itself
// (native/) needs LLVM; nothing else here does. Whoever makes a checker may pass one in.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "consistency/specialised_model.h"
#include "graph/execution_graph.h"

namespace heddle::consistency {

// Memory that compiled code works in. Grown before the code is called, never by it.
struct NativeScratch {
  std::uint32_t* marks = nullptr;   // by event and state: the last search that saw them
  std::uint32_t* stack = nullptr;   // as many numbers as marks, and three more an event
  std::uint32_t* lowest = nullptr;  // by thread
  std::uint32_t search = 0;         // the last search; a call starts at most NativeCode::searches new ones
};

struct NativeCode {
  // 1: done; 0: the event has labels that the code was not made for.
  std::uint32_t (*update_views)(const graph::GraphMemory*, NativeScratch*, graph::EventId) = nullptr;
  // 1: the model allows the graph, given that it allowed it without the event's newest change. 0: it does not.
  // 2: there may be a cycle, and a search has to tell (only if the code was made without).
  std::uint32_t (*consistent)(const graph::GraphMemory*, NativeScratch*, graph::EventId) = nullptr;
  unsigned marks_per_event = 1;     // a power of two
  unsigned searches = 1;            // that one call may start
  std::shared_ptr<const void> owner;  // of the memory the code is in
};

struct CodeRequest {
  const SpecialisedModel& model;
  unsigned views = 1;               // that events of the graph carry
  bool use_cycle_filter = true;
  // Searches of what the cycle filter leaves open are most of the code and seldom needed: they may be left out at
  // first.
  bool with_searches = true;
};

// Only time depends on whether there is code: without it, checkers run on their tables.
class CodeGenerator {
 public:
  virtual ~CodeGenerator() = default;
  // Code that need not be made first.
  virtual std::optional<NativeCode> find(const CodeRequest& request) = 0;
  // Code, made if necessary; nothing if that is not possible.
  virtual std::optional<NativeCode> make(const CodeRequest& request) = 0;
};

// How a checker uses the generator it is given.
struct NativeOptions {
  CodeGenerator* generator = nullptr;  // null: never
  // How much work the tables do before code is made (unless it is found at once): consistency checks count 8, view
  // updates 1. 0: make it before the first check.
  std::uint64_t after_work = 0;
  // How many checks the cycle filter may leave open (the tables then search) before code is made for these, too.
  std::uint64_t after_open_checks = 0;
};

}  // namespace heddle::consistency
