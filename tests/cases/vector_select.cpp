// expect rc11: verified 1
// Element-wise choice, comparison of floats, vectors that live through a loop.
#include <cassert>
typedef int ints __attribute__((ext_vector_type(4)));
typedef float floats __attribute__((ext_vector_type(4)));
typedef long longs __attribute__((ext_vector_type(4)));
static ints smaller(ints x, ints y) { return x < y ? x : y; }
int main() {
  ints x = {1, 7, 3, 9}, y = {5, 2, 8, 4};
  ints least = smaller(x, y);
  assert(least.x == 1 && least.y == 2 && least.z == 3 && least.w == 4);
  floats total = 0;
  for (int i = 0; i < 3; ++i) total += __builtin_convertvector(least, floats) * (i % 2 ? 1.0f : 0.5f);
  assert(total.x == 2 && total.w == 8);
  floats chosen = total > 3 ? total : -total;
  assert(chosen.x == -2 && chosen.y == 4);
  longs wide = __builtin_convertvector(x.wzyx, longs) << 40;
  assert(wide[0] == 9L << 40 && wide[3] == 1L << 40);
  assert((x.xy == y.yx)[1] == 0);
  return 0;
}
