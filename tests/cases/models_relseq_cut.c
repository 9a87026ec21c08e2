// expect rc11: verified 21
// expect rc11-2017: verified 18
// expect rc11-c11: verified 19
// A store of another thread ends a release sequence of C11, not one of the RC11 paper.
#include "litmus.h"
atomic_int x, y;
THREAD(a, STORE(x, 1, relaxed); STORE(y, 1, release); STORE(y, 3, relaxed))
THREAD(b, STORE(y, 2, relaxed))
THREAD(c, LOAD(y, acquire); LOAD(x, relaxed))
MAIN(a, b, c)
