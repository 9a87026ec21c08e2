// expect sc, tso, pso: verified
// expect ra, rc11: violated race
// A release fence is enough for pso, whose loads stay in order.
#include "litmus.h"
static int data; static atomic_int flag;
THREAD(a, data = 1; FENCE(release); W(flag, 1))
THREAD(b, if (R(flag)) assert(data == 1))
MAIN(a, b)
