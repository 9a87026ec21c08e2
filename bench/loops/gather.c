// A gate: whoever comes counts itself in, and out again if the gate is closed. The first thread closes the gate, waits
// until nobody is inside, and opens it again.
#include "threads.h"
static atomic_int inside, closed;
static int data;
static void body(int number) {
  if (number == 0) {
    STORE(closed, 1, seq_cst);
    while (LOAD(inside, seq_cst) != 0) {
    }
    data = 1;
    STORE(closed, 0, seq_cst);
    return;
  }
  for (;;) {
    atomic_fetch_add(&inside, 1);
    if (!LOAD(closed, seq_cst)) break;
    atomic_fetch_sub(&inside, 1);
  }
  assert(data == 0 || data == 1);
  atomic_fetch_sub(&inside, 1);
}
int main(void) { run_threads(); }
