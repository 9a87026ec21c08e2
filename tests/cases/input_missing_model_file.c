// expect: exit 2 message "missing.kat"
// flags: --model missing.kat
int main(void) { return 0; }
