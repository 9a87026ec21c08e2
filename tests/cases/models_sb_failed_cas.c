// expect tso, pso: verified 3
// So do compare-and-swaps that fail.
#include "litmus.h"
atomic_int x, y;
atomic_int z, w;
#define FAIL(x) int seven = 7; atomic_compare_exchange_strong_explicit(&(x), &seven, 8, memory_order_relaxed, memory_order_relaxed)
THREAD(a, W(x, 1); FAIL(z); R(y))
THREAD(b, W(y, 1); FAIL(w); R(x))
MAIN(a, b)
