// expect sc, tso, pso, rc11-strong: verified
// expect ra, sra, rc11, rc11-2017, rc11-c11: violated assertion
// Z6.U: what compiling seq_cst to Power as usual does not forbid.
#include "litmus.h"
atomic_int x, y;
static int r, s, t;
THREAD(a, STORE(x, 1, seq_cst); STORE(y, 1, release))
THREAD(b, r = ADD(y, 1, seq_cst); s = R(y))
THREAD(c, STORE(y, 3, seq_cst); t = LOAD(x, seq_cst))
int main(void) { RUN(a, b, c); assert(!(r == 1 && s == 3 && t == 0)); return 0; }
