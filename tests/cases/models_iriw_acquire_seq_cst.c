// expect sc, tso, pso, rc11-strong: verified 15
// expect ra, sra, rc11, rc11-2017, rc11-c11: verified 16
// The strong axiom for seq_cst orders along happens-before through acquire loads; Power would not.
#include "litmus.h"
atomic_int x, y;
THREAD(a, STORE(x, 1, seq_cst))
THREAD(b, STORE(y, 1, seq_cst))
THREAD(c, LOAD(x, acquire); LOAD(y, seq_cst))
THREAD(d, LOAD(y, acquire); LOAD(x, seq_cst))
MAIN(a, b, c, d)
