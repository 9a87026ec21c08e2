// expect rc11, rc11-c11: violated assertion
// expect rc11-2017: verified
// The same as an assertion. Under rc11-c11 it fails only because of what the second thread does later.
#include "litmus.h"
atomic_int x, y;
THREAD(a, STORE(x, 1, relaxed); STORE(y, 1, release); STORE(y, 3, relaxed))
THREAD(b, STORE(y, 2, relaxed))
THREAD(c, if (LOAD(y, acquire) == 3) assert(LOAD(x, relaxed) == 1))
MAIN(a, b, c)
