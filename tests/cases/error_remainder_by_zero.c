// expect rc11: violated division-by-zero at here
volatile unsigned zero = 0;
int main(void) {
  return (int)(7u % zero);  // here
}
