// expect sc, tso, pso: verified 3
// expect ra, sra, rc11, rc11-2017, rc11-c11, rc11-strong: verified 4
// A read-modify-write drains the store buffers, whatever its order.
#include "litmus.h"
atomic_int x, y;
THREAD(a, W(x, 1); ADD(y, 1, relaxed))
THREAD(b, R(y); R(x))
MAIN(a, b)
