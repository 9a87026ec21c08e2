// expect sc, rc11: violated assertion
// Thread ids depend on which executions were seen before; replaying an error must give the same ones.
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y, z, k, joins_first;
_Atomic pthread_t second;
static void *child_of_second(void *p) {
  int before = k;
  k = 1;
  int after = k;
  if (joins_first) assert(!(before == 0 && after == 1 && z == 2));
  return p;
}
static void *child_of_first(void *p) {
  int before = k;
  k = 2;
  z = 1 + before;
  return p;
}
static void *run_first(void *p) {
  pthread_t t;
  if (y == 0) {
    pthread_t other = second;
    heddle_assume(other != 0);
    joins_first = 1;
    pthread_join(other, 0);
  }
  pthread_create(&t, 0, child_of_first, 0);
  return p;
}
static void *run_second(void *p) {
  pthread_t t;
  (void)x;
  pthread_create(&t, 0, child_of_second, 0);
  return p;
}
static void *set(void *p) {
  y = 1;
  return p;
}
int main(void) {
  pthread_t t, u, v;
  pthread_create(&t, 0, run_first, 0);
  pthread_create(&u, 0, run_second, 0);
  second = u;
  pthread_create(&v, 0, set, 0);
}
