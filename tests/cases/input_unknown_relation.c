// expect: exit 3 message "unknown_relation.kat:3" message "weft"
// flags: --model parts/unknown_relation.kat
int main(void) { return 0; }
