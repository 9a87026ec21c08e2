// expect rc11: verified 2
#include <assert.h>
#include <threads.h>
mtx_t mutex;
cnd_t condition;
int ready;
static int wait(void *arg) {
  mtx_lock(&mutex);
  while (!ready) cnd_wait(&condition, &mutex);
  mtx_unlock(&mutex);
  return arg != 0;
}
int main(void) {
  thrd_t thread;
  mtx_init(&mutex, mtx_plain);
  cnd_init(&condition);
  thrd_create(&thread, wait, 0);
  mtx_lock(&mutex);
  ready = 1;
  cnd_signal(&condition);
  mtx_unlock(&mutex);
  thrd_join(thread, 0);
  cnd_destroy(&condition);
}
