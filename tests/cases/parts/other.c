// The second file of input_two_files.c.
extern int base;
int twice(int n) { return 2 * (base + n); }
