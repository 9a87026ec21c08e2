// expect: verified 1 message "warning: unused variable 'unused'" message "input_compiler_warning.c:6:7"
// clang: -Wall
// What clang warns about is passed on, and the report stays readable.
#include <assert.h>
int main(void) {
  int unused = 1;
  return 0;
}
