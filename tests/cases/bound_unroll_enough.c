// expect rc11: verified 1
// flags: --unroll 9
// A bound that cuts nothing off does not weaken the verdict.
volatile int five = 5;
int main(void) {
  for (int i = 0; i < five; i++) {
  }
  return 0;
}
