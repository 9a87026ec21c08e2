// expect rc11: verified 1
// flags: --unroll 4
// Four iterations are four entries into the body, also for a loop that tests first.
#include <assert.h>
int n;
int main(void) {
  for (int i = 0; i < 4; i++) n++;
  assert(n == 4);
}
