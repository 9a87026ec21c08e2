// expect rc11: violated deadlock
// A thread ends without giving its mutex back.
#include "two_threads.h"
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
THREAD(worker) { pthread_mutex_lock(&mutex); return NULL; }
int main(void) { run_two(worker, worker); return 0; }
