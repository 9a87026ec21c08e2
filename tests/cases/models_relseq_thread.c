// expect rc11, rc11-strong, ra, sra: verified 5
// expect rc11-2017, rc11-c11: verified 4
// Before C++20 a later store of the same thread continues a release sequence.
#include "litmus.h"
atomic_int x, y;
THREAD(a, STORE(x, 1, relaxed); STORE(y, 1, release); STORE(y, 2, relaxed))
THREAD(b, LOAD(y, acquire); LOAD(x, relaxed))
MAIN(a, b)
