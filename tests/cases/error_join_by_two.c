// expect rc11: violated thread-misuse at here
// Two threads join the same one, and all that either does then is to end: nobody needs the joins, but one is wrong.
#include <pthread.h>
#include <stddef.h>

static pthread_t joined;

static void *ends(void *arg)
{
    return arg;
}

static void *joins(void *arg)
{
    pthread_join(joined, NULL);  // here
    return arg;
}

int main(void)
{
    pthread_t other;

    pthread_create(&joined, NULL, ends, NULL);
    pthread_create(&other, NULL, joins, NULL);
    pthread_join(joined, NULL);
    pthread_join(other, NULL);
    return 0;
}
