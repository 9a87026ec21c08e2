// Runs N threads, numbered from 0, and waits for them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef N
#define N 3
#endif

static void body(int number);
static void *begin(void *number) {
  body((int)(intptr_t)number);
  return 0;
}
static void run_threads(void) {
  pthread_t threads[N];
  for (intptr_t i = 0; i < N; ++i) pthread_create(&threads[i], 0, begin, (void *)i);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
}

#define LOAD(x, order) atomic_load_explicit(&(x), memory_order_##order)
#define STORE(x, value, order) atomic_store_explicit(&(x), value, memory_order_##order)
