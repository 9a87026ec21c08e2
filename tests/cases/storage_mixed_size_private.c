// expect rc11: verified 1
// Accesses of different sizes are no problem in memory that only one thread can reach.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  uint64_t word = 0x1122334455667788;
  unsigned char bytes[8];
  uint32_t half;
  memcpy(bytes, &word, 8);
  memcpy(&half, bytes + 2, 4);
  assert(bytes[0] == 0x88 && half == 0x33445566);
  return 0;
}
