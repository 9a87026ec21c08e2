// expect: verified 1 silent
// flags: --quiet
// clang: -Wall
int main(void) { int unused = 1; return 0; }
