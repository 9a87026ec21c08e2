// One thread writes 1, 2, ..., N; the others wait for the last value, in loops whose first round stands before them.
#include "threads.h"
static atomic_int x;
static void write_all(void) {
  for (int i = 1; i <= N; ++i) STORE(x, i, release);
}
static void body(int number) {
  if (number == 0) return write_all();
  int seen = LOAD(x, acquire);
  while (seen != N) seen = LOAD(x, acquire);
}
int main(void) { run_threads(); }
