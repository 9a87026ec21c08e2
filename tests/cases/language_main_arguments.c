// expect rc11: verified 1
// A checked program is started without arguments.
#include <assert.h>
int main(int argc, char **argv) {
  (void)argv;
  assert(argc <= 1);
  return 0;
}
