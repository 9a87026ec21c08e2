// expect rc11: violated use-after-free at here
// A local variable does not outlive its function.
static int *volatile kept;
static __attribute__((noinline)) void fill(void) {
  int local = 1;
  kept = &local;
}
int main(void) {
  fill();
  return *kept;  // here
}
