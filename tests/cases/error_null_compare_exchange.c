// A compare-exchange through a null pointer: what it expects must not get in the way of the message.
// expect: violated null-dereference at here message "read through a null pointer"
#include <stdatomic.h>
#include <stddef.h>

int main(void) {
  atomic_long *cell = NULL;
  long expected = 0x123456789abcdef;
  atomic_compare_exchange_strong(cell, &expected, 1);  // here
  return 0;
}
