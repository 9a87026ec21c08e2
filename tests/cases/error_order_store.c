// expect rc11: violated undefined-behavior at here message "atomic store with memory_order_acquire"
#include <stdatomic.h>
struct pair { long a, b; };
_Atomic int x;
_Atomic struct pair y;
int main(void) {
  volatile int order = memory_order_acquire;
  int e = 0;
  atomic_store_explicit(&x, 1, order);  // here
  (void)e;
  return 0;
}
