// Chase and Lev's deque: the owner pushes and takes, the other threads steal until each has got an element.
#include "threads.h"
static atomic_int top, bottom;
static atomic_int cells[N + 1];
static void push(int value) {
  const int b = LOAD(bottom, relaxed);
  STORE(cells[b], value, relaxed);
  atomic_thread_fence(memory_order_release);
  STORE(bottom, b + 1, relaxed);
}
static int steal(void) {
  for (;;) {
    int t = LOAD(top, acquire);
    atomic_thread_fence(memory_order_seq_cst);
    if (t >= LOAD(bottom, acquire)) continue;
    const int value = LOAD(cells[t], relaxed);
    if (atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
      return value;
  }
}
static void body(int number) {
  if (number == 0)
    for (int i = 1; i < N; ++i) push(i);
  else
    assert(steal() > 0);
}
int main(void) { run_threads(); }
