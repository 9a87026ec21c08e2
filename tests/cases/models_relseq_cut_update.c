// expect rc11: violated assertion
// expect rc11-2017, rc11-c11: verified
// A read-modify-write of another thread does not end a release sequence.
#include "litmus.h"
atomic_int x, y;
THREAD(a, STORE(x, 1, relaxed); STORE(y, 1, release); STORE(y, 3, relaxed))
THREAD(b, ADD(y, 10, relaxed))
THREAD(c, if (LOAD(y, acquire) == 3) assert(LOAD(x, relaxed) == 1))
MAIN(a, b, c)
