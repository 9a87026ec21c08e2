// expect sc, tso, pso: verified 15
// expect ra, rc11, rc11-2017, rc11-c11, rc11-strong: verified 16
// Independent reads of independent writes: sc, tso and pso have one memory. All accesses are relaxed.
#include "litmus.h"
atomic_int x, y;
THREAD(a, W(x, 1))
THREAD(b, W(y, 1))
THREAD(c, R(x); R(y))
THREAD(d, R(y); R(x))
MAIN(a, b, c, d)
