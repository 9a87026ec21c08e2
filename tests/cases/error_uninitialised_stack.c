// expect rc11: violated uninitialized at here
// A local variable that is read through a pointer before anything was stored to it.
static __attribute__((noinline)) int get(volatile int *p) { return *p; }  // here
int main(void) {
  int local;
  return get(&local) > 0;
}
