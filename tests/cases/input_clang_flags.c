// expect rc11: verified 3
// clang: -DHIGHEST=2 -std=c11
// What follows -- goes to clang.
#include <assert.h>
#include <heddle.h>
int main(void) {
  assert(heddle_choose(0, HIGHEST) <= HIGHEST);
  return 0;
}
