// expect sc, tso, pso: verified 3
// expect ra, sra, rc11, rc11-2017, rc11-c11, rc11-strong: verified 4
// A release store does not overtake; loads are only reordered by C.
#include "litmus.h"
atomic_int x, y;
THREAD(a, W(x, 1); STORE(y, 1, release))
THREAD(b, R(y); R(x))
MAIN(a, b)
