// expect rc11, sc: verified 1
// One thread after the other (join): a single execution; each size keeps its values and wraps around.
#include <stdint.h>
#include "two_threads.h"
_Atomic uint8_t a;
_Atomic uint16_t b;
_Atomic uint32_t c;
_Atomic uint64_t d;
THREAD(writer) {
  STORE(a, UINT8_MAX, relaxed);
  STORE(b, UINT16_MAX, relaxed);
  STORE(c, UINT32_MAX, relaxed);
  STORE(d, UINT64_MAX, relaxed);
  return NULL;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  pthread_join(t, NULL);
  assert(LOAD(a, relaxed) == UINT8_MAX && LOAD(b, relaxed) == UINT16_MAX);
  assert(LOAD(c, relaxed) == UINT32_MAX && LOAD(d, relaxed) == UINT64_MAX);
  atomic_fetch_add(&a, 1);
  atomic_fetch_add(&b, 1);
  atomic_fetch_add(&c, 1);
  atomic_fetch_add(&d, 1);
  assert(!a && !b && !c && !d);
  return 0;
}
