// expect sc, tso, pso, rc11, rc11-2017, rc11-c11, rc11-strong: verified 3
// expect ra, sra: verified 4
// Store buffering with seq_cst accesses.
#include "litmus.h"
atomic_int x, y;
THREAD(a, STORE(x, 1, seq_cst); LOAD(y, seq_cst))
THREAD(b, STORE(y, 1, seq_cst); LOAD(x, seq_cst))
MAIN(a, b)
