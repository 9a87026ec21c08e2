// expect rc11: verified 1
// long double: more precise than double, in memory, as parameter and result, variadic.
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
struct holder { char c; long double value; int i; };
static long double third = 1.0L / 3;
static struct holder global = {1, 2.5L, 3};
static long double half(long double x) { return x / 2; }
static struct holder next(struct holder h) { h.value += 1; return h; }
static _Complex long double times_i(_Complex long double z) { return (_Complex long double){0} + z * 1.0iL; }
static long double total(int count, ...) {
  va_list list;
  va_start(list, count);
  long double sum = 0;
  for (int i = 0; i < count; i++) sum += va_arg(list, int) * va_arg(list, long double) + va_arg(list, struct holder).i;
  va_end(list);
  return sum;
}
static __int128 wide(int first, ...) {
  va_list list;
  va_start(list, first);
  __int128 a = va_arg(list, __int128), b = va_arg(list, long);
  b += va_arg(list, __int128);
  va_end(list);
  return a - b;
}
int main(void) {
  long double (*volatile f)(long double) = half;
  volatile long double one = 1;
  assert(third != (double)third && f(3) == 1.5L);
  assert(one + LDBL_EPSILON > one && (double)(one + LDBL_EPSILON) == 1);
  volatile long big = (1L << 62) + 1;
  assert((long)(long double)big == big && (long)(double)big != big);
  assert((unsigned long)(one * 1.8e19L) == 18000000000000000000UL && (float)third == 1.0f / 3);
  assert(-one == -1 && one * 3 - 2 == 1 && !(one < one) && one <= one);
  global = next(global);
  assert(global.value == 3.5L && global.i == 3 && global.c == 1);
  long double values[3] = {1, 2, 3}, copy[3];
  memcpy(copy, values, sizeof values);
  assert(copy[2] == 3 && sqrtl(copy[1] * 2) == 2 && fabsl(-third) == third && fmodl(7.5L, 2) == 1.5L);
  assert(floorl(2.5L) == 2 && powl(2, 10) == 1024 && fmaxl(one, third) == 1);
  assert(__imag__ times_i(2) == 2);
  assert(total(2, 1, 2.5L, global, 2, 0.25L, global) == 2.5L + 3 + 0.5L + 3);
  assert(wide(0, (__int128)1 << 100, 5L, (__int128)1 << 90) == ((__int128)1 << 100) - ((__int128)1 << 90) - 5);
  char text[40];
  snprintf(text, sizeof text, "%d %.3Lf %d %Lg", 1, third, 2, one / 4);
  assert(strcmp(text, "1 0.333 2 0.25") == 0);
  return one > 0 ? 0 : 1;
}
