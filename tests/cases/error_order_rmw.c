// expect rc11: violated undefined-behavior at here message "atomic read-modify-write with a number that is no memory order"
#include <stdatomic.h>
struct pair { long a, b; };
_Atomic int x;
_Atomic struct pair y;
int main(void) {
  volatile int order = 6;
  int e = 0;
  atomic_fetch_add_explicit(&x, 1, order);  // here
  (void)e;
  return 0;
}
