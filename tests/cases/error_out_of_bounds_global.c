// expect rc11: violated out-of-bounds at here
// The neighbour is another object, however near it may be.
int array[3], neighbour[3];
volatile int three = 3;
int main(void) {
  array[three] = 1;  // here
  return neighbour[0];
}
