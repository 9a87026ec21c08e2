// expect: exit 2 message "--knit"
// flags: --knit
int main(void) { return 0; }
