// expect sc, tso, pso: verified 7
// expect ra, rc11, rc11-2017, rc11-c11, rc11-strong: verified 8
// Write-to-read causality: a thread passes on what it has read. All accesses are relaxed.
#include "litmus.h"
atomic_int x, y;
THREAD(a, W(x, 1))
THREAD(b, R(x); W(y, 1))
THREAD(c, R(y); R(x))
MAIN(a, b, c)
