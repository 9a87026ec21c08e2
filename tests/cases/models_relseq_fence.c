// expect rc11, rc11-2017, rc11-c11: verified
// After a release fence every store of the thread heads a release sequence: nothing can cut it.
#include "litmus.h"
atomic_int x, y;
THREAD(a, STORE(y, 1, relaxed); STORE(x, 1, relaxed); FENCE(release); STORE(y, 2, relaxed); STORE(y, 3, relaxed); STORE(y, 4, relaxed))
THREAD(b, STORE(y, 9, relaxed))
THREAD(c, if (LOAD(y, acquire) == 4) assert(LOAD(x, relaxed) == 1))
MAIN(a, b, c)
