// expect rc11, rc11-strong, ra, sra: violated race
// expect rc11-2017, rc11-c11: verified
// The same with plain data.
#include "litmus.h"
static int x; atomic_int y;
THREAD(a, x = 1; STORE(y, 1, release); STORE(y, 2, relaxed))
THREAD(b, if (LOAD(y, acquire) == 2) assert(x == 1))
MAIN(a, b)
