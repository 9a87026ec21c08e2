// expect parts/late_order.kat: violated deadlock
// A deadlock is the end of an execution, too.
#include "litmus.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
THREAD(a, pthread_mutex_lock(&m); pthread_mutex_lock(&n))
THREAD(b, pthread_mutex_lock(&n); pthread_mutex_lock(&m))
MAIN(a, b)
