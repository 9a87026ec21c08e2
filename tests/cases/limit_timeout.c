// expect rc11: unknown
// flags: --timeout 0.2
// 12! executions do not fit into 0.2 seconds: no verdict, a clean end.
#include "two_threads.h"
atomic_int x;
THREAD(worker) { atomic_fetch_add(&x, 1); return NULL; }
int main(void) {
  pthread_t t[12];
  for (int i = 0; i < 12; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 12; i++) pthread_join(t[i], NULL);
  return 0;
}
