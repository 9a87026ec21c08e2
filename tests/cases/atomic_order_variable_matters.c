// expect rc11: violated race
// An order that is only relaxed at run time does not synchronise.
#include "two_threads.h"
int data;
_Atomic int ready;
static int order(void) { volatile int o = memory_order_relaxed; return o; }
THREAD(writer) { data = 1; atomic_store_explicit(&ready, 1, order()); return NULL; }
THREAD(reader) { return atomic_load_explicit(&ready, memory_order_acquire) && data ? &data : NULL; }
int main(void) { run_two(writer, reader); return 0; }
