// expect rc11: verified 2
// A mutex and what it guards in one heap object.
#include <stdlib.h>
#include "two_threads.h"
struct account { pthread_mutex_t mutex; int balance; } *account;
THREAD(deposit) {
  pthread_mutex_lock(&account->mutex);
  account->balance += 10;
  pthread_mutex_unlock(&account->mutex);
  return NULL;
}
int main(void) {
  account = malloc(sizeof *account);
  pthread_mutex_init(&account->mutex, NULL);
  account->balance = 0;
  run_two(deposit, deposit);
  assert(account->balance == 20);
  pthread_mutex_destroy(&account->mutex);
  free(account);
  return 0;
}
