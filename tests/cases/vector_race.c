// expect rc11: violated race
// Copying a struct of floats reads each of them.
#include "two_threads.h"
struct two { float a, b; } shared;
float sum;
static float add(struct two s) { return s.a + s.b; }
THREAD(writer) { shared.b = 2; return NULL; }
THREAD(reader) { sum = add(shared); return NULL; }
int main(void) { run_two(writer, reader); return 0; }
