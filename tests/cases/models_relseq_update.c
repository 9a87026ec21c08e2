// expect rc11, rc11-2017, rc11-c11, ra: verified 9
// A read-modify-write of another thread continues every kind of release sequence.
#include "litmus.h"
atomic_int x, y;
THREAD(a, STORE(x, 1, relaxed); STORE(y, 1, release))
THREAD(b, ADD(y, 1, relaxed))
THREAD(c, LOAD(y, acquire); LOAD(x, relaxed))
MAIN(a, b, c)
