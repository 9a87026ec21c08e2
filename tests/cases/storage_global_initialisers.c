// expect rc11: verified 1
// Global initialisers of every kind, read by a single thread.
#include <assert.h>
#include <string.h>
static int twice(int n) { return 2 * n; }
int number = -3;
long long big = 0x123456789abcdefLL;
double real = 2.5;
const char *text = "weft";
char letters[8] = "warp";
int matrix[2][3] = {{1, 2, 3}, {4, 5}};
struct inner { short s; char c; };
struct outer { struct inner list[2]; int *pointer; int (*function)(int); union { float f; unsigned u; } either; };
struct outer value = {{{1, 'a'}, {2, 'b'}}, &matrix[1][0], twice, {.u = 0x3f800000}};
int *middle = &matrix[0][1] + 1;
int main(void) {
  assert(number == -3 && big == 0x123456789abcdefLL && real == 2.5);
  assert(strcmp(text, "weft") == 0 && letters[3] == 'p' && letters[7] == 0);
  assert(matrix[1][2] == 0 && *value.pointer == 4 && value.function(21) == 42 && *middle == 3);
  assert(value.list[1].s == 2 && value.list[1].c == 'b' && value.either.f == 1.0f);
  return 0;
}
