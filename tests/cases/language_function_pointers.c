// expect rc11: verified 1
// Calls through a table, through a parameter and through a struct.
#include <assert.h>
static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int apply(int (*f)(int, int), int a, int b) { return f(a, b); }
int (*table[2])(int, int) = {add, subtract};
struct operation { const char *name; int (*run)(int, int); } volatile operation = {"add", add};
int main(void) {
  assert(table[0] != table[1] && apply(table[1], 5, 3) == 2 && apply(add, 5, 3) == 8);
  assert(operation.run == add && operation.run(1, 1) == 2);
  return 0;
}
