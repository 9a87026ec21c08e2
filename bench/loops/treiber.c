// Threads push onto Treiber's stack; the first one also takes an element, and waits for it.
#include "threads.h"
struct node {
  int value;
  struct node *_Atomic next;
};
static struct node *_Atomic top;
static struct node nodes[N];
static void push(struct node *node) {
  struct node *head = LOAD(top, relaxed);
  do
    STORE(node->next, head, relaxed);
  while (!atomic_compare_exchange_strong_explicit(&top, &head, node, memory_order_release, memory_order_relaxed));
}
static struct node *pop(void) {
  for (;;) {
    struct node *head = LOAD(top, acquire);
    if (!head) continue;
    struct node *next = LOAD(head->next, relaxed);
    if (atomic_compare_exchange_strong_explicit(&top, &head, next, memory_order_acquire, memory_order_relaxed))
      return head;
  }
}
static void body(int number) {
  if (number == 0) {
    assert(pop()->value > 0);
    return;
  }
  nodes[number].value = number;
  push(&nodes[number]);
}
int main(void) { run_threads(); }
