// expect: exit 3 message "begin"
// flags: --entry begin
int main(void) { return 0; }
