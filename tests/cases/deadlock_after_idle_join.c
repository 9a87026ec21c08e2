// expect rc11: violated deadlock
// The main thread has joined one thread and waits for the other, which waits for a mutex that nobody frees.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *ends(void *arg)
{
    return arg;
}

static void *locks(void *arg)
{
    pthread_mutex_lock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t[2];

    pthread_mutex_lock(&mutex);
    pthread_create(&t[0], NULL, ends, NULL);
    pthread_create(&t[1], NULL, locks, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
