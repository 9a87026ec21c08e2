// expect rc11: violated null-dereference at here
// A call through a null pointer.
void (*volatile function)(void);
int main(void) {
  function();  // here
  return 0;
}
