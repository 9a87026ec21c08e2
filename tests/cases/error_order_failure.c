// expect rc11: violated undefined-behavior at here message "compare-exchange that fails with memory_order_acq_rel"
#include <stdatomic.h>
struct pair { long a, b; };
_Atomic int x;
_Atomic struct pair y;
int main(void) {
  volatile int order = memory_order_acq_rel;
  int e = 0;
  atomic_compare_exchange_strong_explicit(&x, &e, 1, memory_order_seq_cst, order);  // here
  (void)e;
  return 0;
}
