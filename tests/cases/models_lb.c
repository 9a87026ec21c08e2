// expect sc, tso, pso, ra, rc11, rc11-2017, rc11-c11, rc11-strong: verified 3
// Load buffering: all of these models forbid that both read 1. All accesses are relaxed.
#include "litmus.h"
atomic_int x, y;
THREAD(a, R(x); W(y, 1))
THREAD(b, R(y); W(x, 1))
MAIN(a, b)
