// expect rc11: violated any at here
// A string literal must not be written to.
char *volatile text = "abc";
int main(void) {
  text[0] = 'x';  // here
  return 0;
}
