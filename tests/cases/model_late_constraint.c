// A constraint that only a complete execution can decide is judged at its end.
// expect: verified 1
// flags: --model parts/late.kat
int main(void) { return 0; }
