// A bounded queue with a sequence number per cell: one thread takes what the others put in.
#include "threads.h"
#define SIZE 4
static struct {
  atomic_uint sequence;
  int value;
} cells[SIZE];
static atomic_uint writes, reads;
static void put(int value) {
  for (;;) {
    unsigned place = LOAD(writes, relaxed);
    if (LOAD(cells[place % SIZE].sequence, acquire) != place) continue;
    if (!atomic_compare_exchange_strong_explicit(&writes, &place, place + 1, memory_order_relaxed,
                                                 memory_order_relaxed))
      continue;
    cells[place % SIZE].value = value;
    STORE(cells[place % SIZE].sequence, place + 1, release);
    return;
  }
}
static int take(void) {
  for (;;) {
    unsigned place = LOAD(reads, relaxed);
    if (LOAD(cells[place % SIZE].sequence, acquire) != place + 1) continue;
    if (!atomic_compare_exchange_strong_explicit(&reads, &place, place + 1, memory_order_relaxed, memory_order_relaxed))
      continue;
    const int value = cells[place % SIZE].value;
    STORE(cells[place % SIZE].sequence, place + SIZE, release);
    return value;
  }
}
static void body(int number) {
  if (number == 0)
    assert(take() > 0);
  else
    put(number);
}
int main(void) {
  STORE(cells[1].sequence, 1, relaxed);
  STORE(cells[2].sequence, 2, relaxed);
  STORE(cells[3].sequence, 3, relaxed);
  run_threads();
}
