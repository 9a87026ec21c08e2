// expect rc11: verified 2
// A pointer with a tag, swapped from the same old value by two threads: whoever is first wins, the other one fails.
#include <stdbool.h>
#include "two_threads.h"
struct tagged { void *pointer; unsigned long tag; };
_Atomic struct tagged top;
int target;
static void *push(void *unused) {
  (void)unused;
  struct tagged expected = {NULL, 0}, desired = {&target, 1};
  bool won = atomic_compare_exchange_strong(&top, &expected, desired);
  assert(won || (expected.pointer == &target && expected.tag == 1));
  return NULL;
}
int main(void) { run_two(push, push); return 0; }
