// expect rc11: violated assertion at here
// A double cannot hold every long double.
#include <assert.h>
#include <float.h>
int main(void) {
  volatile long double x = 1;
  double y = (double)(x + LDBL_EPSILON);
  assert(y > 1);  // here
  return 0;
}
