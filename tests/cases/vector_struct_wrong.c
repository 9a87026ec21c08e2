// expect rc11: violated assertion at here
// The second element is not the first one.
#include <assert.h>
struct two { float a, b; };
static struct two make(float a, float b) { return (struct two){a, b}; }
int main(void) {
  assert(make(1, 2).b == 1);  // here
  return 0;
}
