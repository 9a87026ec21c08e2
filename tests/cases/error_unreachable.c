// expect rc11: violated undefined-behavior
// __builtin_unreachable that is reached.
volatile int zero = 0;
int main(void) {
  if (!zero) __builtin_unreachable();
  return 0;
}
