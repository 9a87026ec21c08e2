// expect rc11: violated out-of-bounds at here
int *volatile kept;
volatile int three = 3;
int main(void) {
  int array[3] = {0};
  kept = array;
  return kept[three];  // here
}
