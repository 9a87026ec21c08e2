// expect sc, tso: verified 3
// expect pso: verified 4
// An acquire fence does not keep stores in order.
#include "litmus.h"
atomic_int x, y;
THREAD(a, W(x, 1); FENCE(acquire); W(y, 1))
THREAD(b, R(y); R(x))
MAIN(a, b)
