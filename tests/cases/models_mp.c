// expect sc, tso: verified 3
// expect pso, ra, rc11, rc11-2017, rc11-c11, rc11-strong: verified 4
// Message passing: pso lets the flag overtake the data. All accesses are relaxed.
#include "litmus.h"
atomic_int x, y;
THREAD(a, W(x, 1); W(y, 1))
THREAD(b, R(y); R(x))
MAIN(a, b)
