// expect sc, tso: verified 7
// expect pso, ra, rc11, rc11-2017, rc11-c11, rc11-strong: verified 8
// ISA2: message passing in two steps. All accesses are relaxed.
#include "litmus.h"
atomic_int x, y, z;
THREAD(a, W(x, 1); W(y, 1))
THREAD(b, R(y); W(z, 1))
THREAD(c, R(z); R(x))
MAIN(a, b, c)
