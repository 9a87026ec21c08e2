// expect rc11: bounded
// flags: --unroll 2
// The loop would run five times: the bound cuts it off, and the verdict says so.
volatile int five = 5;
int main(void) {
  for (int i = 0; i < five; i++) {
  }
  return 0;
}
