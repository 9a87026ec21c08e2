// expect rc11: violated liveness at here
// A loop that reads nothing and changes nothing never ends, whatever the others do.
int main(void) {
  for (;;) // here
    ;
}
