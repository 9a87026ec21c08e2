// expect rc11: verified 2
// The struct is read as a whole: all of it old or all of it new.
#include "two_threads.h"
struct pair { int a, b; };
_Atomic struct pair shared;
THREAD(writer) { struct pair p = {1, 2}; STORE(shared, p, relaxed); return NULL; }
THREAD(reader) { struct pair p = LOAD(shared, relaxed); assert(p.b == 2 * p.a); return NULL; }
int main(void) { run_two(writer, reader); return 0; }
