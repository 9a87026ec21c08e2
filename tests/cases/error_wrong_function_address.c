// expect rc11: violated any at here
// Data is not code.
int data;
void *volatile pointer = &data;
int main(void) {
  ((void (*)(void))pointer)();  // here
  return 0;
}
