// expect rc11: verified 1 blocked 1
// A loop that ends by a choice can always choose to end: it does not spin for ever.
#include <heddle.h>
int main(void) {
  while (heddle_choose(0, 1))
    ;
  return 0;
}
