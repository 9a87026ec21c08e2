// expect rc11: violated assertion, division-by-zero
// flags: --keep-going
// Both errors are reported, each once.
#include <assert.h>
#include <heddle.h>
int main(void) {
  int n = heddle_choose(0, 3);
  assert(n != 1);
  return 6 / (n - 2) > 9;
}
