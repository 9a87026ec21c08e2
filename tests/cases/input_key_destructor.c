// expect: exit 3 message "destructor"
// Keys with a destructor are not supported, and that is said.
#include <pthread.h>
#include <stddef.h>
static void destroy(void *value) { (void)value; }
int main(void) {
  pthread_key_t key;
  return pthread_key_create(&key, destroy);
}
