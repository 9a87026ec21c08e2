// expect rc11: verified 2
// <threads.h>: two threads take a mutex in either order.
#include <assert.h>
#include <stddef.h>
#include <threads.h>
mtx_t mutex;
int counter;
static int worker(void *argument) {
  mtx_lock(&mutex);
  counter += *(int *)argument;
  mtx_unlock(&mutex);
  thrd_yield();
  thrd_exit(7);
}
int main(void) {
  thrd_t a, b;
  int amount = 21, result;
  assert(mtx_init(&mutex, mtx_plain) == thrd_success);
  assert(thrd_create(&a, worker, &amount) == thrd_success);
  assert(thrd_create(&b, worker, &amount) == thrd_success);
  assert(thrd_join(a, &result) == thrd_success && result == 7);
  assert(thrd_join(b, NULL) == thrd_success);
  assert(counter == 42 && !thrd_equal(a, b) && thrd_equal(thrd_current(), thrd_current()));
  mtx_destroy(&mutex);
  return 0;
}
