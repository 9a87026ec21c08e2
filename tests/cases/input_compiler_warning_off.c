// expect: verified 1 silent
// clang: -Wall -w
int main(void) { int unused = 1; return 0; }
