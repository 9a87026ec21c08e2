// expect: exit 3 message "late.kat:4" message "not supported yet"
// flags: --model parts/late.kat
int main(void) { return 0; }
