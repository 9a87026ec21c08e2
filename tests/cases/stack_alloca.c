// expect rc11: verified 1
// alloca and variable-length arrays.
#include <alloca.h>
#include <assert.h>
static int sum(int n) {
  int *a = alloca(n * sizeof *a), b[n + 1], total = 0;
  for (int i = 0; i < n; i++) a[i] = b[i] = i;
  for (int i = 0; i < n; i++) total += a[i] + b[i];
  return total;
}
int main(void) {
  for (int i = 0; i < 2; i++) assert(sum(4) == 12);
  return 0;
}
