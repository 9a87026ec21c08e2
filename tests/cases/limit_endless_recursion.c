// expect rc11: violated undefined-behavior at here
// Recursion without end overflows the stack of the checked program: an error of it, no crash of the tool.
volatile int one = 1;
static int deeper(int n) { return one ? deeper(n + 1) + 1 : n; }  // here
int main(void) { return deeper(0); }
