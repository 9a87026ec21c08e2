// expect rc11: violated assertion at here
// expect sc: verified 2
// A signal fence only binds the compiler within its thread: it orders nothing for another thread.
#include "two_threads.h"
atomic_int data, flag;
THREAD(a) { STORE(data, 1, relaxed); atomic_signal_fence(memory_order_seq_cst); STORE(flag, 1, relaxed); return NULL; }
THREAD(b) {
  if (LOAD(flag, relaxed)) {
    atomic_signal_fence(memory_order_seq_cst);
    assert(LOAD(data, relaxed) == 1);  // here
  }
  return NULL;
}
int main(void) { run_two(a, b); return 0; }
