// expect: exit 3 at here message "memory order"
// clang: -w
// An order that an operation cannot have, written as a constant: the compiler would drop the store.
#include <stdatomic.h>
_Atomic int x;
int main(void) {
  atomic_store_explicit(&x, 1, memory_order_acquire);  // here
  return 0;
}
