// Calls compiled code: owns its scratch memory, and grows it before the code needs it.
#pragma once

#include <vector>

#include "consistency/native_code.h"
#include "graph/execution_graph.h"

namespace heddle::consistency {

class NativeRunner {
 public:
  NativeRunner(const graph::ExecutionGraph& graph, NativeCode code) : graph_(graph), code_(std::move(code)) {}

  void update_views(graph::EventId e) {
    if (full()) grow();
    if (code_.update_views(&graph_.memory(), &scratch_, e) == 0) refuse_labels();
  }
  // As NativeCode::consistent.
  std::uint32_t consistent(graph::EventId e) {
    if (full() || graph_.memory().stride > threads_) grow();
    return code_.consistent(&graph_.memory(), &scratch_, e);
  }

 private:
  bool full() const { return graph_.memory().event_capacity > events_ || scratch_.search > last_search; }
  void grow();
  [[noreturn]] static void refuse_labels();

  // Searches are numbered with 32 bits: when they run out, all marks are cleared.
  static constexpr std::uint32_t last_search = 0xffff0000;

  const graph::ExecutionGraph& graph_;
  NativeCode code_;
  NativeScratch scratch_;
  std::uint32_t events_ = 0, threads_ = 0;  // that there is room for
  std::vector<std::uint32_t> marks_, stack_, lowest_;
};

}  // namespace heddle::consistency
