// expect rc11: verified 2
// One of the two test_and_set comes first; exactly that thread gets the flag.
#include "two_threads.h"
atomic_flag taken = ATOMIC_FLAG_INIT;
int winners[2];
THREAD(a) { winners[0] = !atomic_flag_test_and_set(&taken); return NULL; }
THREAD(b) { winners[1] = !atomic_flag_test_and_set(&taken); return NULL; }
int main(void) {
  run_two(a, b);
  assert(winners[0] + winners[1] == 1);
  atomic_flag_clear(&taken);
  assert(!atomic_flag_test_and_set(&taken));
  return 0;
}
