// expect rc11: verified
// call_once runs once; a held mutex is busy for mtx_trylock, a recursive one is not for its owner.
#include <assert.h>
#include <stddef.h>
#include <threads.h>
once_flag once = ONCE_FLAG_INIT;
mtx_t plain, recursive;
int runs;
static void initialise(void) { runs++; }
static int worker(void *unused) {
  (void)unused;
  call_once(&once, initialise);
  assert(runs == 1);
  return mtx_trylock(&plain) == thrd_busy;
}
int main(void) {
  thrd_t t;
  int busy;
  mtx_init(&plain, mtx_plain);
  mtx_init(&recursive, mtx_plain | mtx_recursive);
  mtx_lock(&plain);
  mtx_lock(&recursive);
  assert(mtx_trylock(&recursive) == thrd_success);
  thrd_create(&t, worker, NULL);
  call_once(&once, initialise);
  thrd_join(t, &busy);
  assert(busy && runs == 1);
  return 0;
}
