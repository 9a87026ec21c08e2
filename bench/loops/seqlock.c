// One writer, the other threads read: a reader that met the writer begins again.
#include "threads.h"
static atomic_uint sequence;
static atomic_int x, y;
static void body(int number) {
  if (number == 0) {
    STORE(sequence, 1, relaxed);
    atomic_thread_fence(memory_order_release);
    STORE(x, 1, relaxed);
    STORE(y, 1, relaxed);
    STORE(sequence, 2, release);
    return;
  }
  unsigned before;
  int a, b;
  do {
    before = LOAD(sequence, acquire);
    a = LOAD(x, relaxed);
    b = LOAD(y, relaxed);
    atomic_thread_fence(memory_order_acquire);
  } while (before % 2 || LOAD(sequence, relaxed) != before);
  assert(a == b);
}
int main(void) { run_threads(); }
