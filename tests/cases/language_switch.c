// expect rc11: verified 4
// A switch with ranges, fall-through and default on each of four chosen values.
#include <assert.h>
#include <heddle.h>
static int classify(int n) {
  int result = 0;
  switch (n) {
    case -1: return -10;
    case 0: result += 1; __attribute__((fallthrough));
    case 1: result += 2; break;
    case 1000000: return 7;
    default: result = 99;
  }
  return result;
}
int main(void) {
  int n = heddle_choose(-1, 2), expected[] = {-10, 3, 2, 99};
  assert(classify(n) == expected[n + 1]);
  return 0;
}
