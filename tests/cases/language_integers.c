// expect rc11: verified 1
// Integer arithmetic of every width, signs, shifts, 128 bits, overflow and bit builtins.
#include <assert.h>
#include <limits.h>
#include <stdint.h>
volatile int minus = -7;
volatile unsigned char byte = 200;
volatile uint64_t wide = 0x8000000000000001;
int main(void) {
  int result;
  __int128 huge = (__int128)wide * wide;
  assert(minus / 2 == -3 && minus % 2 == -1 && minus >> 1 == -4 && (unsigned)minus >> 28 == 15);
  assert((unsigned char)(byte + 100) == 44 && (signed char)byte == -56 && (int16_t)(byte << 8) == -14336);
  assert((uint64_t)(huge >> 64) == 0x4000000000000001 && (unsigned __int128)huge / wide == wide);
  assert(__builtin_add_overflow(INT_MAX, -minus, &result) && !__builtin_mul_overflow(minus, 3, &result));
  assert(result == -21 && __builtin_popcountll(wide) == 2 && __builtin_clzll(wide >> 1) == 1);
  assert(__builtin_ctzll(wide << 4) == 4 && __builtin_bswap32(0x01020304u) == 0x04030201u);
  return 0;
}
