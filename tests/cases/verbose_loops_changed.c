// expect rc11: verified 2 message "verbose_loops_changed.c:8: waits" message "changed memory and changed it back" message "verbose_loops_changed.c:15: waits" message "again at its end was merged"
// flags: --verbose
// --verbose also tells of loops that change something back, and of those whose first round stands before them.
#include "two_threads.h"
atomic_int count, done;
int data;
static void enter(void) {
  while (atomic_fetch_add_explicit(&count, 1, memory_order_acquire) != 0)
    atomic_fetch_sub_explicit(&count, 1, memory_order_relaxed);
  data++;
  atomic_fetch_sub_explicit(&count, 1, memory_order_release);
}
static void *first(void *arg) {
  int seen = LOAD(done, acquire);
  while (!seen) seen = LOAD(done, acquire);
  enter();
  return arg;
}
static void *second(void *arg) {
  STORE(done, 1, release);
  enter();
  return arg;
}
int main(void) {
  run_two(first, second);
  return data != 2;
}
