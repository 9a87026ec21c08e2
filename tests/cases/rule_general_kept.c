// expect: verified 2
// flags: --model parts/published.kat
// A rule of the model about pairs that are no conflicts: the acquire read synchronises.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
atomic_int flag;
static void *writer(void *unused) {
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  (void)atomic_load_explicit(&flag, memory_order_acquire);
  pthread_join(thread, NULL);
  return 0;
}
