// expect rc11: verified 0
// What can only happen after a false assumption is never an error.
#include <assert.h>
#include <heddle.h>
int main(void) {
  heddle_assume(0);
  assert(0);
}
