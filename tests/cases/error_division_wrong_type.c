// A function that is called as if it took more bits than it does: the divisor is zero all the same.
// expect: violated division-by-zero at here
static char divide(unsigned char by) { return (char)(100 / (signed char)by); }  // here

int main(void) {
  long (*volatile call)(long) = (long (*)(long))(void *)divide;
  call(0x100);
  return 0;
}
