// expect rc11: verified 1
// It does not matter as long as it is never called.
#include <stdlib.h>
volatile int zero = 0;
int main(void) { return zero ? getenv("HOME") != 0 : 0; }
