// expect rc11: verified
// A struct that arrives in an integer register, and whose address other threads get: its fields have their own sizes.
#include "two_threads.h"
struct parts { int a; short b; char c; };
struct parts *_Atomic published;
THREAD(reader) {
  struct parts *p = LOAD(published, acquire);
  if (p) assert(p->a == 1 && p->b == 2 && p->c == 3);
  return NULL;
}
static void publish(struct parts p) {
  pthread_t t;
  STORE(published, &p, release);
  pthread_create(&t, NULL, reader, NULL);
  pthread_join(t, NULL);
  p.b = 4;
  STORE(published, NULL, relaxed);
}
int main(void) { publish((struct parts){1, 2, 3}); return 0; }
