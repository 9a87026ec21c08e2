// expect parts/late_order.kat: verified 1
// expect sc: violated assertion
// No allowed execution reads the only write: the assertion cannot fail.
#include "litmus.h"
atomic_int x;
THREAD(a, W(x, 1))
THREAD(b, assert(R(x) != 1))
MAIN(a, b)
