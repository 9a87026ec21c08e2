// expect sc, tso, pso: verified 3
// expect ra, rc11, rc11-2017, rc11-c11, rc11-strong: verified 4
// With release fences pso keeps both pairs of stores in order.
#include "litmus.h"
atomic_int x, y;
THREAD(a, W(x, 1); FENCE(release); W(y, 2))
THREAD(b, W(y, 1); FENCE(release); W(x, 2))
MAIN(a, b)
