// expect rc11: violated any at here
// INT_MIN / -1 does not fit.
#include <limits.h>
volatile int smallest = INT_MIN, minus_one = -1;
int main(void) {
  return smallest / minus_one;  // here
}
