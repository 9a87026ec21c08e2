// Short forms for litmus tests: one function a thread, all locations 0, all accesses of one order unless they say so.
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef RELEASE_ACQUIRE
#define STORE_ORDER memory_order_release
#define LOAD_ORDER memory_order_acquire
#else
#define STORE_ORDER memory_order_relaxed
#define LOAD_ORDER memory_order_relaxed
#endif

#define W(x, value) atomic_store_explicit(&(x), value, STORE_ORDER)
#define R(x) atomic_load_explicit(&(x), LOAD_ORDER)
#define STORE(x, value, order) atomic_store_explicit(&(x), value, memory_order_##order)
#define LOAD(x, order) atomic_load_explicit(&(x), memory_order_##order)
#define ADD(x, value, order) atomic_fetch_add_explicit(&(x), value, memory_order_##order)
#define FENCE(order) atomic_thread_fence(memory_order_##order)
#define THREAD(name, ...) \
  static void *name(void *unused __attribute__((unused))) { __VA_ARGS__; return NULL; }

#define RUN(...)                                                                              \
  do {                                                                                        \
    void *(*threads[])(void *) = {__VA_ARGS__};                                               \
    enum { count = sizeof threads / sizeof *threads };                                        \
    pthread_t ids[count];                                                                     \
    for (int i = 0; i < count; ++i) pthread_create(&ids[i], NULL, threads[i], NULL);          \
    for (int i = 0; i < count; ++i) pthread_join(ids[i], NULL);                               \
  } while (0)
#define MAIN(...) int main(void) { RUN(__VA_ARGS__); return 0; }
