// expect rc11: verified 1
// aligned_alloc and posix_memalign align; malloc aligns to 16.
#define _GNU_SOURCE
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  char *a = aligned_alloc(64, 128), *b = malloc(1);
  void *c;
  assert(posix_memalign(&c, 256, 16) == 0);
  assert((uintptr_t)a % 64 == 0 && (uintptr_t)b % 16 == 0 && (uintptr_t)c % 256 == 0);
  a[127] = 1;
  free(a);
  free(b);
  free(c);
  return 0;
}
