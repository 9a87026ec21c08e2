// expect rc11: violated deadlock at here message "no thread can go on"
// flags: --no-liveness --no-spin-assume
// Nobody posts: a deadlock, whatever is done about loops of the program itself.
#include <semaphore.h>
sem_t never;
int main(void) {
  sem_init(&never, 0, 0);
  sem_wait(&never);  // here
}
