// expect rc11: verified 1
// Arithmetic, comparison and conversion of floats and doubles, NaN included.
#include <assert.h>
#include <math.h>
volatile double three = 3, zero = 0;
volatile float tenth = 0.1f;
int main(void) {
  double nan = zero / zero, infinity = 1 / zero;
  assert(three / 2 == 1.5 && (int)(three * 1.9) == 5 && (unsigned char)(three + 250) == 253);
  assert((double)tenth != 0.1 && (float)0.1 == tenth && (long)-2.7 == -2);
  assert(nan != nan && !(nan < 1) && !(nan >= 1) && infinity > 1e308 && -infinity < 0);
  assert(sqrt(three * 3) == 3 && fabs(-three) == 3 && floor(-0.5) == -1 && ceil(0.5) == 1);
  assert((double)(1ull << 63) == 9223372036854775808.0 && (float)16777217 == 16777216.0f);
  return 0;
}
