// expect rc11: bounded 0
// flags: --unroll 100
// heddle_unroll bounds the innermost loop around it, whatever --unroll says.
#include <heddle.h>
#include <stdatomic.h>
atomic_int x;
int main(void) {
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 7; ++j) atomic_fetch_add(&x, 1);
    heddle_unroll(3);
  }
}
