// expect sc: verified 3
// expect tso, pso, ra, rc11, rc11-2017, rc11-c11, rc11-strong: verified 4
// R: the last write of y and a read of x. All accesses are relaxed.
#include "litmus.h"
atomic_int x, y;
THREAD(a, W(x, 1); W(y, 1))
THREAD(b, W(y, 2); R(x))
MAIN(a, b)
