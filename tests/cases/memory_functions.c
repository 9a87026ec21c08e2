// expect rc11: verified 1
// memcpy, memmove with overlap, memset, memcmp, memchr, and copying structs by assignment.
#include <assert.h>
#include <string.h>
struct big { int n[10]; } a = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}, b;
int main(void) {
  char text[] = "abcdef";
  b = a;
  assert(memcmp(&a, &b, sizeof a) == 0 && b.n[9] == 10);
  memcpy(&b.n[0], &a.n[5], 2 * sizeof(int));
  assert(b.n[0] == 6 && b.n[1] == 7 && memcmp(&a, &b, sizeof a) < 0);
  memmove(text + 2, text, 4);
  assert(memcmp(text, "ababcd", 7) == 0);
  memmove(text, text + 2, 4);
  assert(memcmp(text, "abcdcd", 7) == 0);
  memset(text, 'x', 3);
  assert(memcmp(text, "xxxdcd", 7) == 0 && memchr(text, 'd', 6) == text + 3 && !memchr(text, 'a', 6));
  return 0;
}
