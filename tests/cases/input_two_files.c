// expect rc11: verified 1
// files: input_two_files.c parts/other.c
// Two files are linked into one program.
#include <assert.h>
int twice(int n);
int base = 20;
int main(void) {
  assert(twice(1) == 42);
  return 0;
}
