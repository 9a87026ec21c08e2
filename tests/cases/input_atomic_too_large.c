// expect: exit 3 at here message "an atomic object of 24 bytes is not supported"
#include <stdatomic.h>
struct large { long a[3]; };
_Atomic struct large x;
int main(void) {
  struct large y = atomic_load(&x);  // here
  return (int)y.a[0];
}
