// expect rc11: violated deadlock at here
// The function that is to run once waits for itself.
#include <pthread.h>
pthread_once_t once = PTHREAD_ONCE_INIT;
static void begin(void) { pthread_once(&once, begin); }  // here
int main(void) { pthread_once(&once, begin); }
