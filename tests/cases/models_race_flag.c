// expect sc, tso: verified
// expect pso, ra, sra, rc11, rc11-2017, rc11-c11, rc11-strong: violated race
// A relaxed flag publishes plain data where stores stay in order.
#include "litmus.h"
static int data; static atomic_int flag;
THREAD(a, data = 1; W(flag, 1))
THREAD(b, if (R(flag)) assert(data == 1))
MAIN(a, b)
