// expect rc11: verified 1 blocked 0 message "verbose_loops.c:11: waits: 1 execution ends" message "verbose_loops.c:16: counts its iterations"
// flags: --verbose
// --verbose tells what became of each loop.
#include "two_threads.h"
atomic_int flag, x;
THREAD(first) {
  STORE(flag, 1, release);
  return 0;
}
THREAD(second) {
  while (!LOAD(flag, acquire)) {
  }
  return 0;
}
int main(void) {
  for (int i = 0; i < 5; ++i) STORE(x, i, relaxed);
  run_two(first, second);
}
