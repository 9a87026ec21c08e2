// expect rc11: verified 1
// Vector types of the compiler: arithmetic, comparison, conversion, elements, shuffles, in memory.
#include <assert.h>
#include <string.h>
typedef int ints __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));
typedef short shorts __attribute__((vector_size(16)));
typedef long longs __attribute__((vector_size(32)));
static ints global = {1, 2, 3, 4};
static longs wide = {1, -2, 3, -4};
static ints select(ints condition, ints x, ints y) { return (condition & x) | (~condition & y); }
static ints pick(int first, ints x, ints y) { return first ? x : y; }
int main(void) {
  ints x = global, y = {10, 20, 30, 40}, zero = {0};
  ints sum = x + y * 2 - (x << 1);
  for (int i = 0; i < 4; i++) assert(sum[i] == x[i] + 20 * (i + 1) - 2 * x[i]);
  assert((x > 2)[0] == 0 && (x > 2)[3] == -1);
  ints chosen = select(x > 2, x, y);
  assert(chosen[0] == 10 && chosen[1] == 20 && chosen[2] == 3 && chosen[3] == 4);
  assert(pick(0, x, y)[2] == 30 && pick(1, x, y)[2] == 3);
  ints shuffled = __builtin_shufflevector(x, y, 3, 4, 0, 7);
  assert(shuffled[0] == 4 && shuffled[1] == 10 && shuffled[2] == 1 && shuffled[3] == 40);
  floats f = __builtin_convertvector(x, floats) / 2;
  assert(f[0] == 0.5f && f[3] == 2 && (-f)[1] == -1);
  shorts halves = (shorts)x;
  assert(halves[0] == 1 && halves[1] == 0 && halves[6] == 4);
  __int128 whole = (__int128)x;
  assert((long)whole == (2L << 32 | 1) && (long)(whole >> 64) == (4L << 32 | 3));
  zero[x[0]] = 9;
  global = zero;
  assert(global[1] == 9 && global[0] == 0);
  longs w = wide * wide;
  assert(w[1] == 4 && w[3] == 16);
  int bytes[4];
  memcpy(bytes, &y, sizeof y);
  assert(bytes[3] == 40);
  return 0;
}
