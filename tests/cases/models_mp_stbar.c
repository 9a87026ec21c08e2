// expect sc, tso, pso: verified 3
// expect ra, sra, rc11, rc11-2017, rc11-c11, rc11-strong: verified 4
// A release fence keeps the order of stores: pso needs no more, C an acquire, too.
#include "litmus.h"
atomic_int x, y;
THREAD(a, W(x, 1); FENCE(release); W(y, 1))
THREAD(b, R(y); R(x))
MAIN(a, b)
