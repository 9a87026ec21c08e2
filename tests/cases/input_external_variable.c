// expect: exit 3 message "elsewhere"
extern int elsewhere;
int main(void) { return elsewhere; }
