// expect sc, tso, pso, rc11, rc11-2017, rc11-c11, rc11-strong: verified 3
// expect ra, sra: verified 4
// Store buffering with seq_cst fences; ra takes them for weaker ones.
#include "litmus.h"
atomic_int x, y;
THREAD(a, W(x, 1); FENCE(seq_cst); R(y))
THREAD(b, W(y, 1); FENCE(seq_cst); R(x))
MAIN(a, b)
