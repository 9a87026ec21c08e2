// The queue lock of Mellor-Crummey and Scott: every thread waits at a place of its own.
#include "threads.h"
struct node {
  struct node *_Atomic next;
  atomic_int waits;
};
static struct node *_Atomic tail;
static struct node nodes[N];
static int count;
static void body(int number) {
  struct node *const mine = &nodes[number];
  STORE(mine->next, 0, relaxed);
  STORE(mine->waits, 1, relaxed);
  struct node *const before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
  if (before) {
    STORE(before->next, mine, release);
    while (LOAD(mine->waits, acquire)) {
    }
  }
  ++count;
  if (!LOAD(mine->next, acquire)) {
    struct node *last = mine;
    if (atomic_compare_exchange_strong_explicit(&tail, &last, 0, memory_order_release, memory_order_relaxed)) return;
    while (!LOAD(mine->next, acquire)) {
    }
  }
  STORE(LOAD(mine->next, relaxed)->waits, 0, release);
}
int main(void) {
  run_threads();
  assert(count == N);
}
