// expect rc11: violated undefined-behavior at here message "fence with a number that is no memory order"
#include <stdatomic.h>
struct pair { long a, b; };
_Atomic int x;
_Atomic struct pair y;
int main(void) {
  volatile int order = 77;
  int e = 0;
  atomic_thread_fence(order);  // here
  (void)e;
  return 0;
}
