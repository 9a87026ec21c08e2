// expect rc11: verified 1
// The string functions on strings that the compiler cannot see through.
#include <assert.h>
#include <string.h>
char buffer[32];
const char *volatile word = "heddle";
int main(void) {
  const char *s = word;
  assert(strlen(s) == 6 && strnlen(s, 3) == 3);
  strcpy(buffer, s);
  strcat(buffer, "+shaft");
  assert(strcmp(buffer, "heddle+shaft") == 0 && strncmp(buffer, s, 6) == 0 && strcmp(buffer, s) > 0);
  assert(strchr(buffer, '+') == buffer + 6 && strrchr(buffer, 'd') == buffer + 3 && !strchr(buffer, 'z'));
  strncpy(buffer, "xy", 4);
  assert(buffer[2] == 0 && buffer[3] == 0 && buffer[4] == 'l');
  assert(strstr("warp and weft", "and") != NULL);
  return 0;
}
