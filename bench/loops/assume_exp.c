// The first thread writes twenty values, the second one is only interested in the last; meanwhile the others write and
// read a variable of their own.
#include <heddle.h>
#include "threads.h"
static atomic_int x, y;
static void body(int number) {
  if (number == 0) {
    for (int i = 1; i <= 20; ++i) STORE(x, i, relaxed);
  } else if (number == 1) {
    heddle_assume(LOAD(x, relaxed) == 20);
  } else {
    STORE(y, number, relaxed);
    LOAD(y, relaxed);
  }
}
int main(void) { run_threads(); }
