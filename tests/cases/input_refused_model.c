// expect: exit 3 message "do not rule out cycles of the causal order: R -po-> W -rfe-> R"
// flags: --model parts/out_of_thin_air.kat
int main(void) { return 0; }
