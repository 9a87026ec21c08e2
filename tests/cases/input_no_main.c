// expect: exit 3 message "main"
int other(void) { return 0; }
