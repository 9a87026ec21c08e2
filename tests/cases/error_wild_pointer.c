// expect rc11: violated any at here
// An address where nothing has ever been.
#include <stdint.h>
volatile uintptr_t number = 0x7654321000;
int main(void) {
  *(int *)number = 1;  // here
  return 0;
}
