// expect: exit 3 message "no loop of the program begins here" message "there are loops in lines 5" message "no loop in a function 'nobody'"
// flags: --unroll-loop bound_no_such_loop.c:4=3 --no-unroll nobody
int main(void) {
  int sum = 0;
  for (int i = 0; i < 5; ++i) sum += i;
  return sum - 10;
}
