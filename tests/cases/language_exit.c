// expect rc11: verified 1
// exit(0) ends the program without error; nothing after it runs.
#include <assert.h>
#include <stdlib.h>
static void leave(void) { exit(0); }
int main(void) {
  leave();
  assert(!"not reached");
}
