// expect rc11: verified 1
// Recursion, direct and mutual.
#include <assert.h>
#include <stdbool.h>
volatile int ten = 10;
static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static bool odd(int n);
static bool even(int n) { return n == 0 || odd(n - 1); }
static bool odd(int n) { return n != 0 && even(n - 1); }
int main(void) {
  assert(fibonacci(ten) == 55 && even(ten) && !odd(ten));
  return 0;
}
