// expect rc11, sc: verified 2 blocked 1
// What is merged may also write: here the attempts to take a lock. The arithmetic between them moves along.
#include "two_threads.h"
atomic_int held;
int data;
static void *enter(void *arg) {
  int before = atomic_exchange_explicit(&held, 1, memory_order_acquire);
  int others = before & 1;
  while (others) {
    before = atomic_exchange_explicit(&held, 1, memory_order_acquire);
    others = before & 1;
  }
  data++;
  STORE(held, 0, release);
  return arg;
}
int main(void) {
  run_two(enter, enter);
  return data != 2;
}
