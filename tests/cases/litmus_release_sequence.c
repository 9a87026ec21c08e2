// expect ra, rc11: verified 2
// The increment continues the release sequence of the store, so a reader of the increment sees data too. The first
// thread does both; assumptions leave two executions: the reader sees the store or the increment, always with data.
#include <heddle.h>
#include "two_threads.h"
atomic_int data, flag;
THREAD(a) {
  STORE(data, 1, relaxed);
  STORE(flag, 1, release);
  atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
  return NULL;
}
THREAD(b) {
  heddle_assume(LOAD(flag, acquire) != 0);
  assert(LOAD(data, relaxed) == 1);
  return NULL;
}
int main(void) { run_two(a, b); return 0; }
