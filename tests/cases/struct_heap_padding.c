// expect rc11: verified 1
// Passing a struct from the heap does not use its padding.
#include <assert.h>
#include <stdlib.h>
struct padded { char c; int i; };
static int sum(struct padded p) { return p.c + p.i; }
int main(void) {
  struct padded *p = malloc(sizeof *p);
  p->c = 1;
  p->i = 2;
  assert(sum(*p) == 3);
  free(p);
  return 0;
}
