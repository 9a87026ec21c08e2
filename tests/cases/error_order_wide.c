// expect rc11: violated undefined-behavior at here message "atomic load with memory_order_release"
#include <stdatomic.h>
struct pair { long a, b; };
_Atomic int x;
_Atomic struct pair y;
int main(void) {
  volatile int order = memory_order_release;
  int e = 0;
  (void)atomic_load_explicit(&y, order);  // here
  (void)e;
  return 0;
}
