// expect rc11, sc: verified 2 blocked 4
// Adding one and subtracting it again when it was too much changes nothing: such rounds are left out.
// undone_off.c keeps them.
#include <heddle.h>
#include "two_threads.h"
atomic_int count;
int data;
static void *enter(void *arg) {
  while (atomic_fetch_add_explicit(&count, 1, memory_order_acquire) != 0)
    atomic_fetch_sub_explicit(&count, 1, memory_order_relaxed);
  data++;
  atomic_fetch_sub_explicit(&count, 1, memory_order_release);
  return arg;
}
int main(void) {
  run_two(enter, enter);
  return data != 2;
}
