// expect rc11: violated race at here
// memcpy is a sequence of plain accesses.
#include <string.h>
#include "two_threads.h"
char shared[8];
THREAD(a) { memcpy(shared, "aaaaaaa", 8); return NULL; }  // here
THREAD(b) { memset(shared, 'b', 8); return NULL; }        // here
int main(void) { run_two(a, b); return 0; }
