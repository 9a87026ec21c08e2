// expect rc11: verified 1
// A thread may join the main thread once that has ended with pthread_exit.
#include <assert.h>
#include <pthread.h>
pthread_t main_thread;
int data;
static void *wait_for_main(void *arg) {
  void *result;
  assert(pthread_join(main_thread, &result) == 0);
  assert(result == &data && data == 7);
  return arg;
}
int main(void) {
  pthread_t t;
  main_thread = pthread_self();
  pthread_create(&t, 0, wait_for_main, 0);
  data = 7;
  pthread_exit(&data);
}
