// expect tso, pso: verified 3
// expect rc11: verified 4
// Exchanges drain the store buffers.
#include "litmus.h"
atomic_int x, y;
THREAD(a, atomic_exchange_explicit(&x, 1, memory_order_relaxed); R(y))
THREAD(b, atomic_exchange_explicit(&y, 1, memory_order_relaxed); R(x))
MAIN(a, b)
