// expect rc11, rc11-strong, ra, sra: violated assertion
// expect rc11-2017, rc11-c11: verified
// The same as an assertion.
#include "litmus.h"
atomic_int x, y;
THREAD(a, STORE(x, 1, relaxed); STORE(y, 1, release); STORE(y, 2, relaxed))
THREAD(b, if (LOAD(y, acquire) == 2) assert(LOAD(x, relaxed) == 1))
MAIN(a, b)
