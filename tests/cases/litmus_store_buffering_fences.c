// expect sc, tso, rc11: verified 3
// expect ra: verified 4
// seq_cst fences between store and load forbid that both reads see 0; ra has no seq_cst.
#include "two_threads.h"
atomic_int x, y;
THREAD(a) { STORE(x, 1, relaxed); atomic_thread_fence(memory_order_seq_cst); (void)LOAD(y, relaxed); return NULL; }
THREAD(b) { STORE(y, 1, relaxed); atomic_thread_fence(memory_order_seq_cst); (void)LOAD(x, relaxed); return NULL; }
int main(void) { run_two(a, b); return 0; }
