// expect sc, tso, pso, ra, rc11, rc11-2017, rc11-c11, rc11-strong: verified 72
// Two writes and two pairs of reads of one location: the same in every coherent model. All accesses are relaxed.
#include "litmus.h"
atomic_int x;
THREAD(a, W(x, 1))
THREAD(b, W(x, 2))
THREAD(c, R(x); R(x))
THREAD(d, R(x); R(x))
MAIN(a, b, c, d)
