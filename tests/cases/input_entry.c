// expect rc11: verified 2
// flags: --entry start
// Another function than main can be the first one.
#include <assert.h>
#include <heddle.h>
void start(void) { assert(heddle_choose(1, 2) > 0); }
int main(void) { assert(0); }
