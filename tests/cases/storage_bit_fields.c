// expect rc11: verified 1
// Bit fields and unions in memory of one thread.
#include <assert.h>
struct bits { unsigned a : 3, b : 7; int c : 6; } global;
union view { unsigned word; unsigned char bytes[4]; };
int main(void) {
  struct bits local = {.a = 7, .b = 100, .c = -5};
  union view v = {.word = 0x01020304};
  local.a++;
  global = local;
  assert(global.a == 0 && global.b == 100 && global.c == -5);
  v.bytes[3] = 9;
  assert(v.word == 0x09020304 && v.bytes[0] == 4);
  return 0;
}
