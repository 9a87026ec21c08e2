// expect rc11, sc: verified 6 blocked 9
// Of the executions in which a thread waits for its turn for ever, only those are explored in which it read the newest
// value. futile_ticket_all.c explores the others, too.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int next, serving;
int counter;

static void *customer(void *arg) {
  const int ticket = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&serving, memory_order_acquire) != ticket)
    ;
  counter++;
  atomic_store_explicit(&serving, ticket + 1, memory_order_release);
  return arg;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, customer, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return counter != 3;
}
