// expect rc11: verified 1
// The loop waits for something that it writes itself, in memory that a pointer leads to: a write is an effect.
#include "two_threads.h"
#include <stdlib.h>
static void *first(void *arg) {
  int *turn = malloc(sizeof *turn);
  *turn = 0;
  while (*turn != 2) *turn = *turn == 0 ? 1 : 2;
  free(turn);
  return arg;
}
static void *second(void *arg) { return arg; }
int main(void) {
  run_two(first, second);
  return 0;
}
