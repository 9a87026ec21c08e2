// See the header. Tested in native/native_code_test.cpp.
#include "consistency/native_runner.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::consistency {

void NativeRunner::grow() {
  const graph::GraphMemory& memory = graph_.memory();
  HEDDLE_CHECK(code_.searches < 0xffff, "compiled code may not start more searches than there are numbers left");
  events_ = std::max(events_, memory.event_capacity + memory.event_capacity / 2 + 16);
  threads_ = std::max(threads_, memory.stride);
  const std::size_t pairs = std::size_t{events_} * code_.marks_per_event;
  HEDDLE_CHECK(pairs <= 0xffffffff, "too many events for compiled code: --checker table has no such limit");
  marks_.assign(pairs, 0);
  stack_.resize(pairs + 3 * (std::size_t{events_} + 1));
  lowest_.resize(threads_);
  scratch_ = {marks_.data(), stack_.data(), lowest_.data(), 0};
}

void NativeRunner::refuse_labels() {
  HEDDLE_CHECK(false, "an event has labels that the checker was not told about");
  __builtin_unreachable();
}

}  // namespace heddle::consistency
