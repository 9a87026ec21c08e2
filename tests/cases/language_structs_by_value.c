// expect rc11: verified 1
// Small, large and mixed structs as parameters and results.
#include <assert.h>
struct small { int a, b; };
struct large { long n[5]; };
struct mixed { double d; int i; float f; };
static struct small swap(struct small s) { return (struct small){s.b, s.a}; }
static struct large fill(struct large l, long n) { for (int i = 0; i < 5; i++) l.n[i] += n; return l; }
static struct mixed twice(struct mixed m) { return (struct mixed){2 * m.d, 2 * m.i, 2 * m.f}; }
int main(void) {
  struct small (*volatile f)(struct small) = swap;
  struct large (*volatile g)(struct large, long) = fill;
  struct mixed (*volatile h)(struct mixed) = twice;
  struct large l = {{1, 2, 3, 4, 5}}, m = g(l, 10);
  assert(f((struct small){1, 2}).a == 2 && l.n[0] == 1 && m.n[4] == 15);
  assert(h((struct mixed){1.5, 2, 0.25f}).d == 3.0 && h((struct mixed){1.5, 2, 0.25f}).f == 0.5f);
  return 0;
}
