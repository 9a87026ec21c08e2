// expect rc11: violated assertion at here
// One of the four values breaks the assertion.
#include <assert.h>
#include <heddle.h>
int main(void) {
  int n = heddle_choose(0, 3);
  assert(n * n != 4);  // here
  return 0;
}
