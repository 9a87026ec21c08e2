// expect: exit 3 message "assembl" at here
int main(void) {
  int n = 1;
  __asm__ volatile("incl %0" : "+r"(n));  // here
  return n;
}
