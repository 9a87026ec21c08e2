// expect: exit 3 at here message "heddle_unroll: the bound has to be a constant"
#include <heddle.h>
int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < 5; ++i) heddle_unroll((unsigned)argc);  // here
}
