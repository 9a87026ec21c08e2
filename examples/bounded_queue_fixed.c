// A bounded queue between one producer and one consumer, done right: both counters are published with release stores.
//
// The producer's release store of `tail` says "this slot is filled", the consumer's release store of `head` says "this
// slot is free again". Each pairs with the acquire load on the other side, and no access to a slot is ever a race.
//
//   ./heddle check examples/bounded_queue_fixed.c
//
// expect: verified
// expect tso: verified
// expect sc: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define CAPACITY 2
#define ITEMS 3

int slots[CAPACITY];
atomic_uint head;  // items taken so far: written by the consumer only
atomic_uint tail;  // items put so far: written by the producer only

static bool try_put(int item) {
  unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
  if (t - atomic_load_explicit(&head, memory_order_acquire) == CAPACITY) return false;
  slots[t % CAPACITY] = item;
  atomic_store_explicit(&tail, t + 1, memory_order_release);
  return true;
}

static bool try_get(int *item) {
  unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
  if (h == atomic_load_explicit(&tail, memory_order_acquire)) return false;
  *item = slots[h % CAPACITY];
  atomic_store_explicit(&head, h + 1, memory_order_release);
  return true;
}

static void *producer(void *unused) {
  (void)unused;
  int next = 1;
  for (int i = 0; i < ITEMS; i++)
    if (try_put(next)) next++;
  return NULL;
}

static void *consumer(void *unused) {
  (void)unused;
  int item, next = 1;
  for (int i = 0; i < ITEMS; i++)
    if (try_get(&item)) {
      assert(item == next);
      next++;
    }
  return NULL;
}

int main(void) {
  pthread_t p, c;
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
  return 0;
}
