// expect rc11: violated assertion at here message "n == 2"
// No thread is needed for a wrong assertion; the report quotes its text.
#include <assert.h>
volatile int one = 1;
int main(void) {
  int n = one + 2;
  assert(n == 2);  // here
  return 0;
}
