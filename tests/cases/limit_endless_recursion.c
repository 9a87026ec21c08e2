// expect rc11: unknown
// Recursion without end is stopped with a clear message: no crash of the tool, and no verdict about the program.
volatile int one = 1;
static int deeper(int n) { return one ? deeper(n + 1) + 1 : n; }
int main(void) { return deeper(0); }
