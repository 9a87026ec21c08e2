// expect parts/late_order.kat, sc: violated assertion at here
// When the assertion fails, the execution is not allowed yet: it takes the write of the other thread.
#include "litmus.h"
atomic_int x;
THREAD(a, W(x, 1))
THREAD(b, assert(R(x) != 1))  // here
THREAD(c, W(x, 2))
MAIN(a, b, c)
