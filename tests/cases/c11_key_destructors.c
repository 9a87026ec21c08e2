// expect rc11: verified 1
// The destructors of C11's thread-specific storage; the thread's result stays what it was.
#include <assert.h>
#include <threads.h>
tss_t key;
int calls;
static void count(void *value) { calls += *(int *)value; }
static int worker(void *value) { tss_set(key, value); return 7; }
static int exits(void *value) { tss_set(key, value); thrd_exit(8); }
int main(void) {
  thrd_t t;
  int one = 1, result;
  assert(tss_create(&key, count) == thrd_success);
  thrd_create(&t, worker, &one);
  thrd_join(t, &result);
  assert(calls == 1 && result == 7);
  thrd_create(&t, exits, &one);
  thrd_join(t, &result);
  assert(calls == 2 && result == 8);
  return 0;
}
