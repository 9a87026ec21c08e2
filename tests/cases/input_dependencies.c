// expect: exit 3 message "dependencies.kat:2" message "dependency tracking is not supported yet"
// flags: --model parts/dependencies.kat
int main(void) { return 0; }
