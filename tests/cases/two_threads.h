// What most cases need: two threads that run once, short names for memory orders.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define THREAD(name) static void *name(void *unused __attribute__((unused)))
#define LOAD(x, order) atomic_load_explicit(&(x), memory_order_##order)
#define STORE(x, value, order) atomic_store_explicit(&(x), value, memory_order_##order)

static inline void run_two(void *(*first)(void *), void *(*second)(void *)) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
}
