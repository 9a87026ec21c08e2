// expect parts/late.kat: verified 2
// The late constraint says what is built in anyway: it forbids nothing.
#include "litmus.h"
atomic_int x;
THREAD(a, ADD(x, 1, relaxed))
THREAD(b, ADD(x, 1, relaxed))
MAIN(a, b)
