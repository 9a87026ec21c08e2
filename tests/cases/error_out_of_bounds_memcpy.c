// expect rc11: violated out-of-bounds at here
// The block is longer than the object it goes to.
#include <string.h>
char source[16], target[8];
volatile int length = 9;
int main(void) {
  memcpy(target, source, length);  // here
  return 0;
}
