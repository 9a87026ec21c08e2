// The first thread waits for the value that all others write last, in a loop whose first round stands before it;
// the others write twice.
#include "threads.h"
static atomic_int x;
static void body(int number) {
  if (number != 0) {
    STORE(x, number, release);
    STORE(x, N, release);
    return;
  }
  int seen = LOAD(x, acquire);
  while (seen != N) seen = LOAD(x, acquire);
}
int main(void) { run_threads(); }
