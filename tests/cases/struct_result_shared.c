// expect rc11: verified
// A struct that is returned in integer registers into a variable whose address is known to others.
#include "two_threads.h"
struct parts { int a; short b, c; };
struct wide { long a; char b; int c; };
struct parts shared, *leak;
struct wide wide;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct parts get(void) {
  pthread_mutex_lock(&lock);
  struct parts result = shared;
  pthread_mutex_unlock(&lock);
  return result;
}
static struct wide get_wide(void) { return wide; }
static void set_wide(struct wide value) { wide = value; }
THREAD(writer) {
  pthread_mutex_lock(&lock);
  shared.a = 1;
  shared.b = 2;
  shared.c = 3;
  pthread_mutex_unlock(&lock);
  set_wide((struct wide){1, 2, 3});
  return NULL;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  struct parts x = get();
  leak = &x;
  assert((x.a == 0 && x.b == 0 && x.c == 0) || (x.a == 1 && x.b == 2 && x.c == 3));
  pthread_join(t, NULL);
  struct wide y = get_wide();
  leak = (struct parts *)&y;
  assert(y.a == 1 && y.b == 2 && y.c == 3);
  set_wide(y);
  return 0;
}
