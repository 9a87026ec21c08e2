// expect rc11: verified 1
// Structs that travel in vector registers: parameters, results, through pointers, variadic; and complex numbers.
#include <assert.h>
#include <complex.h>
#include <stdarg.h>
struct two { float a, b; };
struct three { float a, b, c; };
struct four { float a[4]; };
struct mixed { float a; int b; };
struct tail { float a, b; int c; };
struct doubles { double a, b; };
static struct two swap(struct two s) { return (struct two){s.b, s.a}; }
static struct three turn(struct three s) { return (struct three){s.b, s.c, s.a}; }
static struct four twice(struct four s) { for (int i = 0; i < 4; i++) s.a[i] *= 2; return s; }
static struct mixed next(struct mixed s) { return (struct mixed){s.a + 0.5f, s.b + 1}; }
static struct tail last(struct tail s) { return (struct tail){s.b, s.a, -s.c}; }
static struct doubles sum(struct doubles x, struct doubles y) { return (struct doubles){x.a + y.a, x.b + y.b}; }
static _Complex float product(_Complex float x, _Complex float y) { return x * y; }
static _Complex double conjugate(_Complex double x) { return ~x; }
static float variadic(int count, ...) {
  va_list list;
  va_start(list, count);
  float total = 0;
  for (int i = 0; i < count; i++) {
    struct two two = va_arg(list, struct two);
    struct three three = va_arg(list, struct three);
    total += two.a + 10 * two.b + 100 * three.a + 1000 * three.b + 10000 * three.c + (float)va_arg(list, int);
  }
  va_end(list);
  return total;
}
int main(void) {
  struct two (*volatile f)(struct two) = swap;
  struct two two = f((struct two){1, 2});
  assert(two.a == 2 && two.b == 1);
  struct three three = turn((struct three){1, 2, 3});
  assert(three.a == 2 && three.b == 3 && three.c == 1);
  struct four four = twice((struct four){{1, 2, 3, 4}});
  assert(four.a[0] == 2 && four.a[1] == 4 && four.a[2] == 6 && four.a[3] == 8);
  struct mixed mixed = next((struct mixed){1, 2});
  assert(mixed.a == 1.5f && mixed.b == 3);
  struct tail tail = last((struct tail){1, 2, 3});
  assert(tail.a == 2 && tail.b == 1 && tail.c == -3);
  struct doubles doubles = sum((struct doubles){1, 2}, (struct doubles){0.5, 0.25});
  assert(doubles.a == 1.5 && doubles.b == 2.25);
  _Complex float z = product(1 + 2 * I, 3 + 4 * I);
  assert(__real__ z == -5 && __imag__ z == 10);
  assert(__imag__ conjugate(1 + 2 * I) == -2);
  assert(variadic(2, two, three, 7, two, three, 8) == 2 * (2 + 10 + 200 + 3000 + 10000) + 15);
  return 0;
}
