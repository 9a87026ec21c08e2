// expect sc, tso, pso, ra, sra, rc11, rc11-2017, rc11-c11, rc11-strong: verified 2
// A mutex protects plain data in every model, also where stores overtake each other.
#include "litmus.h"
static int data; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
THREAD(a, pthread_mutex_lock(&m); ++data; pthread_mutex_unlock(&m))
THREAD(b, pthread_mutex_lock(&m); ++data; pthread_mutex_unlock(&m))
int main(void) { RUN(a, b); assert(data == 2); return 0; }
