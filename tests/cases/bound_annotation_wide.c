// expect rc11: verified 1
// flags: --unroll 2
#include <heddle.h>
#include <stdatomic.h>
atomic_int x;
int main(void) {
  for (int i = 0; i < 5; ++i) {
    heddle_unroll(5);
    atomic_fetch_add(&x, 1);
  }
}
