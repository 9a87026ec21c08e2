// expect: exit 2 message "linen"
// flags: --model linen
int main(void) { return 0; }
