// expect rc11, sc: verified 2 blocked 1
// An exchange that writes what was there has no effect that anybody could notice.
#include "two_threads.h"
atomic_int held;
int data;
static void *enter(void *arg) {
  while (atomic_exchange_explicit(&held, 1, memory_order_acquire))
    ;
  data++;
  atomic_store_explicit(&held, 0, memory_order_release);
  return arg;
}
int main(void) {
  run_two(enter, enter);
  return data != 2;
}
