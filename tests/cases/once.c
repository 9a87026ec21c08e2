// expect rc11: verified
// The initialiser runs exactly once, and before pthread_once returns in either thread.
#include "two_threads.h"
pthread_once_t once = PTHREAD_ONCE_INIT;
int runs;
static void initialise(void) { runs++; }
THREAD(worker) { pthread_once(&once, initialise); assert(runs == 1); return NULL; }
int main(void) { run_two(worker, worker); return 0; }
