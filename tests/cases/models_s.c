// expect sc, tso: verified 3
// expect pso, ra, rc11, rc11-2017, rc11-c11, rc11-strong: verified 4
// S: a write is ordered before one that is known through another location. All accesses are relaxed.
#include "litmus.h"
atomic_int x, y;
THREAD(a, W(x, 2); W(y, 1))
THREAD(b, R(y); W(x, 1))
MAIN(a, b)
