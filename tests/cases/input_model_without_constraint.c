// expect: exit 3 message "allows everything"
// flags: --model parts/nothing.kat
int main(void) { return 0; }
