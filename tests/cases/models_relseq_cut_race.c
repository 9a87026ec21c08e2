// expect rc11, rc11-c11: violated race
// expect rc11-2017: verified
// The same with plain data.
#include "litmus.h"
static int x; atomic_int y;
THREAD(a, x = 1; STORE(y, 1, release); STORE(y, 3, relaxed))
THREAD(b, STORE(y, 2, relaxed))
THREAD(c, if (LOAD(y, acquire) == 3) assert(x == 1))
MAIN(a, b, c)
