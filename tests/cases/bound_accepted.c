// expect rc11: bounded exit 0
// flags: --unroll 2 --accept-bounded
// --accept-bounded changes the exit code, not the verdict.
volatile int five = 5;
int main(void) {
  for (int i = 0; i < five; i++) {
  }
  return 0;
}
