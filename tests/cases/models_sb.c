// expect sc: verified 3
// expect tso, pso, ra, rc11, rc11-2017, rc11-c11, rc11-strong: verified 4
// Store buffering: only sc forbids that both read 0. All accesses are relaxed.
#include "litmus.h"
atomic_int x, y;
THREAD(a, W(x, 1); R(y))
THREAD(b, W(y, 1); R(x))
MAIN(a, b)
