// expect rc11: unknown
// flags: --step-limit 10000
// A loop that never ends is cut off by the step limit: no verdict, no hang.
int main(void) {
  unsigned n = 1;
  for (;;) n += 2;
}
