// What the programs of generate.py use: operations that are defined for all operands, and the checksum.
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNUSED __attribute__((unused))

static inline UNUSED uint64_t mix(uint64_t sum, uint64_t value) {
  sum = (sum ^ value) * 1099511628211u;
  return sum ^ sum >> 29;
}

// The sign of what comparing gave: only that is defined.
static inline UNUSED int sign(int value) { return (value > 0) - (value < 0); }

// Which NaN a calculation gives is not defined.
static inline UNUSED uint64_t bits_of_double(double value) {
  uint64_t bits;
  if (value != value) return 4711;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
static inline UNUSED uint64_t bits_of_float(float value) {
  uint32_t bits;
  if (value != value) return 4711;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
static inline UNUSED uint64_t bits_of_integer(int64_t value) { return (uint64_t)value; }
#define bits_of(x) _Generic((x), double: bits_of_double, float: bits_of_float, default: bits_of_integer)(x)

static inline UNUSED uint64_t mix_text(uint64_t sum, const char* text) {
  for (; *text; text++) sum = mix(sum, (unsigned char)*text);
  return sum;
}

#define DEFINE_DIVISION(type, lowest)                                                                  \
  static inline UNUSED type div_##type(type a, type b) {                                               \
    return b == 0 || ((lowest) != 0 && a == (lowest) && b == (type)-1) ? a : (type)(a / b);             \
  }                                                                                                    \
  static inline UNUSED type rem_##type(type a, type b) {                                               \
    return b == 0 || ((lowest) != 0 && a == (lowest) && b == (type)-1) ? a : (type)(a % b);             \
  }                                                                                                    \
  static inline UNUSED uint64_t sum_of_##type(const type* values, uint32_t count) {                    \
    uint64_t sum = 0;                                                                                  \
    while (count-- > 0) sum = sum * 3 + (uint64_t)*values++;                                           \
    return sum;                                                                                        \
  }
DEFINE_DIVISION(int8_t, INT8_MIN)
DEFINE_DIVISION(int16_t, INT16_MIN)
DEFINE_DIVISION(int32_t, INT32_MIN)
DEFINE_DIVISION(int64_t, INT64_MIN)
DEFINE_DIVISION(uint8_t, 0)
DEFINE_DIVISION(uint16_t, 0)
DEFINE_DIVISION(uint32_t, 0)
DEFINE_DIVISION(uint64_t, 0)

static inline UNUSED int32_t to_int32(double x) { return x > -2e9 && x < 2e9 ? (int32_t)x : 5; }
static inline UNUSED int64_t to_int64(double x) { return x > -9e18 && x < 9e18 ? (int64_t)x : 6; }
static inline UNUSED uint8_t to_uint8(double x) { return x > -1 && x < 256 ? (uint8_t)x : 7; }

static UNUSED int by_value(const void* a, const void* b) {
  const int32_t x = *(const int32_t*)a, y = *(const int32_t*)b;
  return (x > y) - (x < y);
}

static UNUSED int64_t add_all(int count, ...) {
  va_list arguments;
  uint64_t sum = 0;
  va_start(arguments, count);
  while (count-- > 0) sum += (uint64_t)va_arg(arguments, int64_t);
  va_end(arguments);
  return (int64_t)sum;
}

static uint32_t operation_add(uint32_t a, uint32_t b) { return a + b; }
static uint32_t operation_xor(uint32_t a, uint32_t b) { return a ^ b; }
static uint32_t operation_multiply(uint32_t a, uint32_t b) { return a * b; }
static uint32_t operation_shift(uint32_t a, uint32_t b) { return a >> (b & 31); }
static UNUSED uint64_t apply(int number, uint32_t a, uint32_t b) {
  static uint32_t (*const operations[4])(uint32_t, uint32_t) = {operation_add, operation_xor, operation_multiply,
                                                                operation_shift};
  return operations[number](a, b);
}
