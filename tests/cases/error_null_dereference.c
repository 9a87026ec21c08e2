// expect rc11: violated null-dereference at here
// The flag's value decides whether the pointer is set.
#include "two_threads.h"
struct item { int a, b; } item;
_Atomic(struct item *) pointer;
THREAD(a) { STORE(pointer, &item, release); return NULL; }
THREAD(b) {
  struct item *seen = LOAD(pointer, acquire);
  seen->b = 1;  // here
  return NULL;
}
int main(void) { run_two(a, b); return 0; }
