// Warnings of a user's model are told and change nothing else.
// flags: --model parts/rules.kat
// expect: verified 2
// warning: race
#include "two_threads.h"

atomic_int x;

THREAD(first) {
  STORE(x, 1, relaxed);
  return NULL;
}

THREAD(second) {
  LOAD(x, relaxed);
  return NULL;
}

int main(void) {
  run_two(first, second);
  return 0;
}
