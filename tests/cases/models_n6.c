// expect sc: verified 4
// expect tso: verified 5
// expect pso: verified 6
// n6: the first thread reads its own store before others do.
#include "litmus.h"
atomic_int x, y;
THREAD(a, W(x, 1); R(x); R(y))
THREAD(b, W(y, 1); W(x, 2))
MAIN(a, b)
