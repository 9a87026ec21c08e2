// The queue of Michael and Scott, without reuse of nodes: threads put in, the first one takes out.
#include "threads.h"
struct node {
  int value;
  struct node *_Atomic next;
};
static struct node *_Atomic head, *_Atomic tail;
static struct node nodes[N + 1];
static void put(struct node *node) {
  for (;;) {
    struct node *last = LOAD(tail, acquire);
    struct node *next = LOAD(last->next, acquire);
    if (last != LOAD(tail, acquire)) continue;
    if (next) {
      atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release, memory_order_relaxed);
      continue;
    }
    if (!atomic_compare_exchange_strong_explicit(&last->next, &next, node, memory_order_release, memory_order_relaxed))
      continue;
    atomic_compare_exchange_strong_explicit(&tail, &last, node, memory_order_release, memory_order_relaxed);
    return;
  }
}
static int take(void) {
  for (;;) {
    struct node *first = LOAD(head, acquire);
    struct node *next = LOAD(first->next, acquire);
    if (!next) continue;
    if (atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_release, memory_order_relaxed))
      return next->value;
  }
}
static void body(int number) {
  if (number == 0) {
    assert(take() > 0);
    return;
  }
  nodes[number].value = number;
  put(&nodes[number]);
}
int main(void) {
  STORE(head, &nodes[N], relaxed);
  STORE(tail, &nodes[N], relaxed);
  run_threads();
}
