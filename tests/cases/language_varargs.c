// expect rc11: verified 1
// Variadic functions with every class of argument, more of them than registers, and va_copy.
#include <assert.h>
#include <stdarg.h>
static double sum(const char *kinds, ...) {
  va_list list, copy;
  double total = 0;
  va_start(list, kinds);
  va_copy(copy, list);
  for (int pass = 0; pass < 2; pass++) {
    for (const char *k = kinds; *k; k++) {
      va_list *from = pass ? &copy : &list;
      if (*k == 'i') total += va_arg(*from, int);
      if (*k == 'l') total += va_arg(*from, long long);
      if (*k == 'd') total += va_arg(*from, double);
      if (*k == 'p') total += *va_arg(*from, int *);
    }
  }
  va_end(copy);
  va_end(list);
  return total;
}
int main(void) {
  int n = 1;
  assert(sum("idlp", 1, 0.5, 100LL, &n) == 2 * 102.5);
  assert(sum("iiiiiiiiddddddddddi", 1, 2, 3, 4, 5, 6, 7, 8, 1., 1., 1., 1., 1., 1., 1., 1., 1., 1., -6) == 2 * 40.0);
  return 0;
}
