// expect rc11, ra: verified 2
// Release and acquire fences around relaxed accesses synchronise: no flag, or flag with data.
#include "two_threads.h"
int data;
atomic_int flag;
THREAD(a) { data = 1; atomic_thread_fence(memory_order_release); STORE(flag, 1, relaxed); return NULL; }
THREAD(b) {
  if (LOAD(flag, relaxed)) {
    atomic_thread_fence(memory_order_acquire);
    assert(data == 1);
  }
  return NULL;
}
int main(void) { run_two(a, b); return 0; }
