// expect rc11: violated undefined-behavior at here message "heddle_choose: empty range"
// A choice from nothing is a mistake, not a program without executions.
#include <heddle.h>
int main(void) {
  volatile int n = 0;
  return (int)heddle_choose(0, n - 1);  // here
}
