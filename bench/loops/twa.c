// A ticket lock with a waiting array: threads that are far back wait elsewhere first.
#include "threads.h"
static atomic_uint next, serving, waiting[2];
static int count;
static void body(int number) {
  (void)number;
  const unsigned mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  if (mine - LOAD(serving, acquire) > 1) {
    const unsigned before = LOAD(waiting[mine % 2], acquire);
    if (mine - LOAD(serving, acquire) > 1)
      while (LOAD(waiting[mine % 2], acquire) == before) {
      }
  }
  while (LOAD(serving, acquire) != mine) {
  }
  ++count;
  STORE(serving, mine + 1, seq_cst);
  atomic_fetch_add_explicit(&waiting[(mine + 2) % 2], 1, memory_order_seq_cst);
}
int main(void) {
  run_threads();
  assert(count == N);
}
