// expect sc: verified 7
// expect tso, pso, ra, rc11, rc11-2017, rc11-c11, rc11-strong: verified 8
// Read-to-write causality. All accesses are relaxed.
#include "litmus.h"
atomic_int x, y;
THREAD(a, W(x, 1))
THREAD(b, R(x); R(y))
THREAD(c, W(y, 1); R(x))
MAIN(a, b, c)
