// expect: bounded 2
// flags: --unroll 1
// A loop that a bound cuts off after an old value: the verdict has to say so, although the execution leads nowhere.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int go, seen;

static void *writer(void *arg) {
  atomic_store(&go, 1);
  return arg;
}

static void *waiter(void *arg) {
  int rounds = 0;  // what the loop counts is looked at afterwards, so that it does more than to wait
  while (!atomic_load(&go)) rounds++;
  seen = rounds;
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, writer, NULL);
  pthread_create(&threads[1], NULL, waiter, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
