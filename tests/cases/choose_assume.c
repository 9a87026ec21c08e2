// expect rc11: verified 2 blocked 3
// Of five values the even positive ones are kept: 2 and 4.
#include <assert.h>
#include <heddle.h>
int main(void) {
  int n = heddle_choose(1, 5);
  heddle_assume(n % 2 == 0);
  assert(n == 2 || n == 4);
  return 0;
}
