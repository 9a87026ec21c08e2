// expect: exit 3 message "broken.kat:4"
// flags: --model parts/broken.kat
int main(void) { return 0; }
