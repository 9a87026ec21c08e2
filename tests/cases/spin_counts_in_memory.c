// expect rc11: verified 9
// The loop counts its rounds in a local variable that lives in memory: no two rounds are the same, so it does not spin.
#include "two_threads.h"
atomic_int flag;
struct rounds { int count; };
static void step(struct rounds *rounds) { rounds->count++; }
static int over(const struct rounds *rounds) { return rounds->count == 3; }
static void *first(void *arg) {
  atomic_store(&flag, 1);
  return arg;
}
static void *second(void *arg) {
  struct rounds rounds = {0};
  int seen = 0;
  for (;;) {
    seen += atomic_load(&flag);
    step(&rounds);
    if (over(&rounds)) break;
  }
  assert(seen <= 3);
  for (;;) {
    step(&rounds);
    if (atomic_load(&flag) || rounds.count > 7) break;
  }
  return arg;
}
int main(void) {
  run_two(first, second);
  return 0;
}
