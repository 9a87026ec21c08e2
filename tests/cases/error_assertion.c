// expect sc, tso, ra, rc11: violated assertion at here
// A lost update: both threads read 0, both write 1.
#include "two_threads.h"
atomic_int x;
THREAD(worker) { STORE(x, LOAD(x, seq_cst) + 1, seq_cst); return NULL; }
int main(void) {
  run_two(worker, worker);
  assert(LOAD(x, relaxed) == 2);  // here
  return 0;
}
