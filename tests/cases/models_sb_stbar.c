// expect pso: verified 4
// A release fence does not keep a store before a later load.
#include "litmus.h"
atomic_int x, y;
THREAD(a, W(x, 1); FENCE(release); R(y))
THREAD(b, W(y, 1); FENCE(release); R(x))
MAIN(a, b)
