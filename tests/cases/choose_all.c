// expect rc11: verified 12
// Four values times three values.
#include <assert.h>
#include <heddle.h>
int main(void) {
  int a = heddle_choose(0, 3), b = heddle_choose(-1, 1);
  assert(0 <= a && a <= 3 && -1 <= b && b <= 1);
  return 0;
}
