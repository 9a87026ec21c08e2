// expect parts/late_order.kat: verified 4
// expect sc: verified 6
// The two executions are dropped in which the last write is read.
#include "litmus.h"
atomic_int x;
THREAD(a, W(x, 1))
THREAD(b, W(x, 2))
THREAD(c, R(x))
MAIN(a, b, c)
