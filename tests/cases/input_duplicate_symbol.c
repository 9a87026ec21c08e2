// expect: exit 3 message "twice"
// files: input_duplicate_symbol.c parts/other.c
// The same function in both files.
int base;
int twice(int n) { return n; }
int main(void) { return twice(0); }
