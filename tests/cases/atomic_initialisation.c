// expect rc11: verified 1
// atomic_init, ATOMIC_VAR_INIT-like initialisers and atomics inside arrays and structs; a single thread.
#include <assert.h>
#include <stdatomic.h>
struct counters { atomic_int a; int plain; atomic_long b[2]; } global = {1, 2, {3, 4}};
int main(void) {
  struct counters local;
  atomic_init(&local.a, 5);
  atomic_init(&local.b[1], 6);
  assert(global.a + global.plain + global.b[0] + global.b[1] == 10);
  assert(local.a + local.b[1] == 11);
  assert(atomic_is_lock_free(&local.a));
  return 0;
}
