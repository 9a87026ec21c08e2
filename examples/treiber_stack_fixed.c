// Treiber's lock-free stack, done right: nodes are freed when nobody can hold a pointer to them any more.
//
// The threads hand the popped nodes back to main, which frees them after both have ended. (Long-running programs use
// hazard pointers or epochs for this.) Two executions: one for each order of the two pops.
//
// A real stack would try again when the swap fails; heddle_assume keeps only the executions in which it succeeds.
//
//   ./heddle check examples/treiber_stack_fixed.c
//
// expect: verified 2
// expect sc: verified 2
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
  return node;
}

int main(void) {
  pthread_t a, b;
  int first, second;
  push(1);
  push(2);
  pthread_create(&a, NULL, popper, &first);
  pthread_create(&b, NULL, popper, &second);
  void *popped_by_a, *popped_by_b;
  pthread_join(a, &popped_by_a);
  pthread_join(b, &popped_by_b);
  assert(first + second == 3);
  free(popped_by_a);
  free(popped_by_b);
  return 0;
}
