// expect rc11: verified 2
// The program's own output does not disturb the report; snprintf works. Two chosen values, two executions.
#include <assert.h>
#include <heddle.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  char buffer[16];
  int n = heddle_choose(7, 8);
  printf("n = %d %s %5.2f %c %p\n", n, "text", 1.5, 'x', (void *)buffer);
  puts("line");
  putchar('c');
  fprintf(stderr, "%lu\n", 3ul);
  assert(snprintf(buffer, sizeof buffer, "%03d|%-3s|%x", n, "a", 255) == 10);
  assert(strcmp(buffer, n == 7 ? "007|a  |ff" : "008|a  |ff") == 0);
  return 0;
}
