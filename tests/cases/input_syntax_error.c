// expect: exit 3 at here
int main(void) {
  return 0 +;  // here
}
