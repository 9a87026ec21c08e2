// A reader-writer lock with one counter, as kernels had: the first thread writes, the others read. A writer that comes
// too early gives back what it took: a round of that loop changes nothing in the end.
#include "threads.h"
#define BIAS 0x100000
static atomic_int lock = BIAS;
static int data;
static void body(int number) {
  if (number == 0) {
    while (atomic_fetch_sub_explicit(&lock, BIAS, memory_order_acquire) != BIAS) {
      atomic_fetch_add_explicit(&lock, BIAS, memory_order_relaxed);
      while (LOAD(lock, relaxed) != BIAS) {
      }
    }
    ++data;
    atomic_fetch_add_explicit(&lock, BIAS, memory_order_release);
    return;
  }
  while (atomic_fetch_sub_explicit(&lock, 1, memory_order_acquire) <= 0) {
    atomic_fetch_add_explicit(&lock, 1, memory_order_relaxed);
    while (LOAD(lock, relaxed) <= 0) {
    }
  }
  assert(data <= 1);
  atomic_fetch_add_explicit(&lock, 1, memory_order_release);
}
int main(void) { run_threads(); }
