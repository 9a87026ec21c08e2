// expect rc11: violated undefined-behavior at here message "atomic load with memory_order_release"
#include <stdatomic.h>
struct pair { long a, b; };
_Atomic int x;
_Atomic struct pair y;
int main(void) {
  volatile int order = memory_order_release;
  int e = 0;
  atomic_load_explicit(&x, order);  // here
  (void)e;
  return 0;
}
