// Treiber's lock-free stack: the top is changed by compare-and-swap only. Two threads pop one node each.
//
// The bug: a thread frees the node that it has popped at once. The other thread may have loaded the same top a moment
// earlier and is about to read its `next`: use after free. No memory order helps; the node must be freed when nobody
// can hold a pointer to it any more, as in treiber_stack_fixed.c.
//
// A real stack would try again when the swap fails; heddle_assume keeps only the executions in which it succeeds.
//
//   ./heddle check examples/treiber_stack.c
//
// expect: violated use-after-free
// expect sc: violated use-after-free
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

_Atomic(struct node *) top;

static void push(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  node->next = atomic_load_explicit(&top, memory_order_relaxed);
  heddle_assume(
      atomic_compare_exchange_strong_explicit(&top, &node->next, node, memory_order_release, memory_order_relaxed));
}

static struct node *pop(void) {
  struct node *node = atomic_load_explicit(&top, memory_order_acquire);
  struct node *next = node->next;
  heddle_assume(
      atomic_compare_exchange_strong_explicit(&top, &node, next, memory_order_acq_rel, memory_order_relaxed));
  return node;
}

static void *popper(void *result) {
  struct node *node = pop();
  *(int *)result = node->value;
  free(node);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int first, second;
  push(1);
  push(2);
  pthread_create(&a, NULL, popper, &first);
  pthread_create(&b, NULL, popper, &second);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(first + second == 3);
  return 0;
}
