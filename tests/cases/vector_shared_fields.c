// expect rc11: verified 2
// One thread writes the fields of a struct, the other one copies it as a whole: the same accesses.
#include "two_threads.h"
struct two { float a, b; } shared;
struct mixed { float a; int b; } mixed;
struct parts { int a; short b, c; } parts;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct two same(struct two s) { return s; }
static struct mixed also(struct mixed s) { return s; }
static struct parts these(struct parts s) { return s; }
THREAD(writer) {
  pthread_mutex_lock(&lock);
  shared.a = 1;
  shared.b = 2;
  mixed.a = 3;
  mixed.b = 4;
  parts.a = 5;
  parts.b = 6;
  parts.c = 7;
  pthread_mutex_unlock(&lock);
  return NULL;
}
THREAD(reader) {
  pthread_mutex_lock(&lock);
  struct two copy = same(shared);
  struct mixed other = also(mixed);
  struct parts last = these(parts);
  pthread_mutex_unlock(&lock);
  assert((copy.a == 0 && copy.b == 0 && other.a == 0 && other.b == 0 && last.a == 0 && last.c == 0) ||
         (copy.a == 1 && copy.b == 2 && other.a == 3 && other.b == 4 && last.a == 5 && last.b == 6 && last.c == 7));
  return NULL;
}
int main(void) { run_two(writer, reader); return 0; }
