// expect: exit 3 message "getenv" at here
// A function that nobody defines cannot be run.
#include <stdlib.h>
int main(void) {
  return getenv("HOME") != 0;  // here
}
