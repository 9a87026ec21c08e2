// expect sc, tso: verified 3
// expect pso, ra, rc11, rc11-2017, rc11-c11, rc11-strong: verified 4
// 2+2W: sra differs from ra in that both first writes cannot come last. All accesses are relaxed.
#include "litmus.h"
atomic_int x, y;
THREAD(a, W(x, 1); W(y, 2))
THREAD(b, W(y, 1); W(x, 2))
MAIN(a, b)
