// expect sc: verified 3
// expect tso, pso: verified 4
// Store buffering in which each thread reads its own store first.
#include "litmus.h"
atomic_int x, y;
THREAD(a, W(x, 1); R(x); R(y))
THREAD(b, W(y, 1); R(y); R(x))
MAIN(a, b)
