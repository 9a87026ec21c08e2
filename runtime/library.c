// The functions of the C library that need nothing special: plain C, checked like the program's own code. Compiled to
// bitcode when Heddle is built; the front end links in what a program uses. Compiled without debug information: what
// happens in here is reported at the place of the call.
//
// Functions whose names start with __heddle_ are known to the front end.
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#include "heddle.h"

void __heddle_mutex_init(void* mutex, int kind);
// Reaching it stops the check: `text`, a string literal, says what is not supported.
void __heddle_unsupported(const char* text);
// At the head of a loop that waits: for what. One that never ends is a deadlock.
void __heddle_waits_for(const char* what);

// ---- strings

size_t strlen(const char* text) {
  size_t length = 0;
  while (text[length]) ++length;
  return length;
}

size_t strnlen(const char* text, size_t limit) {
  size_t length = 0;
  while (length < limit && text[length]) ++length;
  return length;
}

int strcmp(const char* a, const char* b) {
  for (;; ++a, ++b) {
    unsigned char x = (unsigned char)*a, y = (unsigned char)*b;
    if (x != y) return x < y ? -1 : 1;
    if (!x) return 0;
  }
}

int strncmp(const char* a, const char* b, size_t limit) {
  for (; limit > 0; --limit, ++a, ++b) {
    unsigned char x = (unsigned char)*a, y = (unsigned char)*b;
    if (x != y) return x < y ? -1 : 1;
    if (!x) return 0;
  }
  return 0;
}

char* strcpy(char* to, const char* from) {
  size_t i = 0;
  while ((to[i] = from[i])) ++i;
  return to;
}

char* stpcpy(char* to, const char* from) {
  while ((*to = *from)) ++to, ++from;
  return to;
}

char* strncpy(char* to, const char* from, size_t size) {
  size_t i = 0;
  for (; i < size && from[i]; ++i) to[i] = from[i];
  for (; i < size; ++i) to[i] = 0;
  return to;
}

char* strcat(char* to, const char* from) {
  size_t i = 0, j = 0;
  while (to[i]) ++i;
  while ((to[i] = from[j])) ++i, ++j;
  return to;
}

char* strncat(char* to, const char* from, size_t size) {
  size_t i = 0, j = 0;
  while (to[i]) ++i;
  while (j < size && from[j]) to[i++] = from[j++];
  to[i] = 0;
  return to;
}

char* strchr(const char* text, int wanted) {
  for (;; ++text) {
    if (*text == (char)wanted) return (char*)text;
    if (!*text) return 0;
  }
}

char* strrchr(const char* text, int wanted) {
  const char* found = 0;
  for (;; ++text) {
    if (*text == (char)wanted) found = text;
    if (!*text) return (char*)found;
  }
}

char* strstr(const char* text, const char* wanted) {
  for (;; ++text) {
    size_t i = 0;
    while (wanted[i] && text[i] == wanted[i]) ++i;
    if (!wanted[i]) return (char*)text;
    if (!*text) return 0;
  }
}

void* memchr(const void* block, int wanted, size_t size) {
  const unsigned char* bytes = block;
  for (size_t i = 0; i < size; ++i) {
    if (bytes[i] == (unsigned char)wanted) return (void*)(bytes + i);
  }
  return 0;
}

char* strdup(const char* text) {
  size_t size = 1;
  while (text[size - 1]) ++size;
  char* copy = malloc(size);
  for (size_t i = 0; i < size; ++i) copy[i] = text[i];
  return copy;
}

// ---- numbers

int abs(int value) { return value < 0 ? -value : value; }
long labs(long value) { return value < 0 ? -value : value; }
long long llabs(long long value) { return value < 0 ? -value : value; }
div_t div(int a, int b) { return (div_t){a / b, a % b}; }
ldiv_t ldiv(long a, long b) { return (ldiv_t){a / b, a % b}; }

static long parse_number(const char* text, char** end, int base, int* overflowed) {
  const char* at = text;
  while (*at == ' ' || (*at >= '\t' && *at <= '\r')) ++at;
  int negative = *at == '-';
  if (*at == '-' || *at == '+') ++at;
  if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
    at += 2;
    base = 16;
  } else if (base == 0) {
    base = *at == '0' ? 8 : 10;
  }
  unsigned long value = 0;
  int any = 0;
  for (;; ++at, any = 1) {
    int digit = *at >= '0' && *at <= '9'   ? *at - '0'
                : *at >= 'a' && *at <= 'z' ? *at - 'a' + 10
                : *at >= 'A' && *at <= 'Z' ? *at - 'A' + 10
                                           : 99;
    if (digit >= base) break;
    if (value > (ULONG_MAX - (unsigned long)digit) / (unsigned long)base) *overflowed = 1;
    value = value * (unsigned long)base + (unsigned long)digit;
  }
  if (end) *end = (char*)(any ? at : text);
  return negative ? (long)-value : (long)value;
}

long strtol(const char* text, char** end, int base) {
  int overflowed = 0;
  long value = parse_number(text, end, base, &overflowed);
  return overflowed ? LONG_MAX : value;
}

unsigned long strtoul(const char* text, char** end, int base) {
  int overflowed = 0;
  unsigned long value = (unsigned long)parse_number(text, end, base, &overflowed);
  return overflowed ? ULONG_MAX : value;
}

int atoi(const char* text) {
  int overflowed = 0;
  return (int)parse_number(text, 0, 10, &overflowed);
}

long atol(const char* text) {
  int overflowed = 0;
  return parse_number(text, 0, 10, &overflowed);
}

void qsort(void* base, size_t count, size_t size, int (*compare)(const void*, const void*)) {
  unsigned char* bytes = base;
  for (size_t i = 1; i < count; ++i) {
    for (size_t j = i; j > 0 && compare(bytes + (j - 1) * size, bytes + j * size) > 0; --j) {
      for (size_t k = 0; k < size; ++k) {
        unsigned char saved = bytes[j * size + k];
        bytes[j * size + k] = bytes[(j - 1) * size + k];
        bytes[(j - 1) * size + k] = saved;
      }
    }
  }
}

// ---- memory and output

int posix_memalign(void** result, size_t alignment, size_t size) {
  *result = aligned_alloc(alignment, size);
  return 0;
}

size_t fwrite(const void* block, size_t size, size_t count, FILE* stream) {
  const unsigned char* bytes = block;
  for (size_t i = 0; i < size * count; ++i) putc(bytes[i], stream);
  return count;
}

int* __errno_location(void) {
  static _Thread_local int error;
  return &error;
}

// ---- the functions of SV-COMP

void __assert_fail(const char* expression, const char* file, unsigned line, const char* function)
    __attribute__((noreturn));
void __VERIFIER_error(void) { __assert_fail("__VERIFIER_error() is not reached", "", 0, ""); }
void reach_error(void) { __assert_fail("reach_error() is not reached", "", 0, ""); }
void __VERIFIER_assert(int condition) {
  if (!condition) __assert_fail("__VERIFIER_assert", "", 0, "");
}
void __VERIFIER_atomic_begin(void) { __heddle_unsupported("__VERIFIER_atomic_begin: the function is not supported"); }

// ---- POSIX threads

int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

int pthread_once(pthread_once_t* control, void (*function)(void)) {
  int state = 0;
  if (__atomic_compare_exchange_n(control, &state, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
    function();
    __atomic_store_n(control, 2, __ATOMIC_RELEASE);
  } else if (state != 2) {
    for (;;) {
      __heddle_waits_for("another call of pthread_once");
      if (__atomic_load_n(control, __ATOMIC_ACQUIRE) == 2) break;
    }
  }
  return 0;
}

int pthread_mutexattr_init(pthread_mutexattr_t* attributes) {
  *(int*)attributes = PTHREAD_MUTEX_NORMAL;
  return 0;
}
int pthread_mutexattr_destroy(pthread_mutexattr_t* attributes) {
  (void)attributes;
  return 0;
}
int pthread_mutexattr_settype(pthread_mutexattr_t* attributes, int type) {
  if (type < 0 || type > 3) return EINVAL;
  *(int*)attributes = type;
  return 0;
}
int pthread_mutexattr_gettype(const pthread_mutexattr_t* attributes, int* type) {
  *type = *(const int*)attributes;
  return 0;
}
int pthread_mutexattr_setpshared(pthread_mutexattr_t* attributes, int shared) {
  (void)attributes, (void)shared;
  return 0;
}

// pthread_mutex_init with attributes; without, the front end needs no help.
int __heddle_pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) {
  int type = attributes ? *(const int*)attributes : 0;
  __heddle_mutex_init(mutex, type == PTHREAD_MUTEX_RECURSIVE ? 1 : type == PTHREAD_MUTEX_ERRORCHECK ? 2 : 0);
  return 0;
}

// What a pthread_attr_t is here. Only the detach state has a meaning.
struct thread_attributes {
  int detach_state;
  size_t stack_size, guard_size;
  void* stack;
};
_Static_assert(sizeof(struct thread_attributes) <= sizeof(pthread_attr_t), "thread attributes fit");

int pthread_attr_init(pthread_attr_t* attributes) {
  *(struct thread_attributes*)attributes = (struct thread_attributes){PTHREAD_CREATE_JOINABLE, 8 << 20, 4096, 0};
  return 0;
}
int pthread_attr_destroy(pthread_attr_t* attributes) {
  (void)attributes;
  return 0;
}
int pthread_attr_setdetachstate(pthread_attr_t* attributes, int state) {
  if (state != PTHREAD_CREATE_JOINABLE && state != PTHREAD_CREATE_DETACHED) return EINVAL;
  ((struct thread_attributes*)attributes)->detach_state = state;
  return 0;
}
int pthread_attr_getdetachstate(const pthread_attr_t* attributes, int* state) {
  *state = ((const struct thread_attributes*)attributes)->detach_state;
  return 0;
}
int pthread_attr_setstacksize(pthread_attr_t* attributes, size_t size) {
  if (size < 16384) return EINVAL;
  ((struct thread_attributes*)attributes)->stack_size = size;
  return 0;
}
int pthread_attr_getstacksize(const pthread_attr_t* attributes, size_t* size) {
  *size = ((const struct thread_attributes*)attributes)->stack_size;
  return 0;
}
int pthread_attr_setguardsize(pthread_attr_t* attributes, size_t size) {
  ((struct thread_attributes*)attributes)->guard_size = size;
  return 0;
}
int pthread_attr_getguardsize(const pthread_attr_t* attributes, size_t* size) {
  *size = ((const struct thread_attributes*)attributes)->guard_size;
  return 0;
}
int pthread_attr_setstack(pthread_attr_t* attributes, void* stack, size_t size) {
  if (size < 16384) return EINVAL;
  ((struct thread_attributes*)attributes)->stack = stack;
  ((struct thread_attributes*)attributes)->stack_size = size;
  return 0;
}
int pthread_attr_getstack(const pthread_attr_t* attributes, void** stack, size_t* size) {
  *stack = ((const struct thread_attributes*)attributes)->stack;
  *size = ((const struct thread_attributes*)attributes)->stack_size;
  return 0;
}
int pthread_attr_setinheritsched(pthread_attr_t* attributes, int inherit) {
  (void)attributes, (void)inherit;
  return 0;
}
int pthread_attr_setschedpolicy(pthread_attr_t* attributes, int policy) {
  (void)attributes, (void)policy;
  return 0;
}
int pthread_attr_setschedparam(pthread_attr_t* attributes, const struct sched_param* parameters) {
  (void)attributes, (void)parameters;
  return 0;
}
int pthread_attr_setscope(pthread_attr_t* attributes, int scope) {
  (void)attributes, (void)scope;
  return 0;
}

// pthread_create with attributes; without, the front end needs no help.
int __heddle_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
                            void* argument) {
  int detached =
      attributes && ((const struct thread_attributes*)attributes)->detach_state == PTHREAD_CREATE_DETACHED;
  pthread_t created;
  pthread_create(&created, 0, function, argument);
  *thread = created;
  if (detached) pthread_detach(created);
  return 0;
}

int pthread_barrierattr_init(pthread_barrierattr_t* attributes) {
  *(int*)attributes = 0;
  return 0;
}
int pthread_barrierattr_destroy(pthread_barrierattr_t* attributes) {
  (void)attributes;
  return 0;
}

// Thread-specific values. Only the own thread looks at a value; what a key's destructor is, any thread may have to
// know, but then it knows the key, too: relaxed accesses are enough and hide no race of the program.
enum { key_limit = 32 };
static unsigned next_key;
static void (*destructors_of_keys[key_limit])(void*);
static _Thread_local void* values_of_keys[key_limit];
static _Thread_local unsigned keys_in_use;  // every key with a value is below

int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  unsigned mine = __atomic_fetch_add(&next_key, 1, __ATOMIC_RELAXED);
  if (mine >= key_limit) __heddle_unsupported("pthread_key_create: more than 32 thread-specific keys are not supported");
  if (destructor) __atomic_store_n(&destructors_of_keys[mine], destructor, __ATOMIC_RELAXED);
  *key = mine;
  return 0;
}
int pthread_key_delete(pthread_key_t key) {
  if (key >= key_limit) return EINVAL;
  __atomic_store_n(&destructors_of_keys[key], 0, __ATOMIC_RELAXED);
  return 0;
}
void* pthread_getspecific(pthread_key_t key) { return key < key_limit ? values_of_keys[key] : 0; }
int pthread_setspecific(pthread_key_t key, const void* value) {
  if (key >= key_limit) return EINVAL;
  values_of_keys[key] = (void*)value;
  if (value && key >= keys_in_use) keys_in_use = key + 1;
  return 0;
}

// Runs at the end of every thread of a program that has keys. A destructor may set values again, and so needs another
// round, but not for ever.
void* __heddle_thread_end(void* result) {
  for (int round = 0, again = 1; again && round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    again = 0;
    for (unsigned key = 0; key < keys_in_use; ++key) {
      void* value = values_of_keys[key];
      if (!value) continue;
      void (*destructor)(void*) = __atomic_load_n(&destructors_of_keys[key], __ATOMIC_RELAXED);
      if (!destructor) continue;
      values_of_keys[key] = 0;
      again = 1;
      destructor(value);
    }
  }
  return result;
}

// ---- C11 threads

int thrd_equal(thrd_t a, thrd_t b) { return a == b; }

static int thrd_result(int error) { return error == 0 ? thrd_success : error == EBUSY ? thrd_busy : thrd_error; }

int mtx_init(mtx_t* mutex, int type) {
  __heddle_mutex_init(mutex, type & mtx_recursive ? 1 : 0);
  return thrd_success;
}
int mtx_lock(mtx_t* mutex) { return thrd_result(pthread_mutex_lock((pthread_mutex_t*)mutex)); }
int mtx_trylock(mtx_t* mutex) { return thrd_result(pthread_mutex_trylock((pthread_mutex_t*)mutex)); }
int mtx_unlock(mtx_t* mutex) { return thrd_result(pthread_mutex_unlock((pthread_mutex_t*)mutex)); }
void mtx_destroy(mtx_t* mutex) { pthread_mutex_destroy((pthread_mutex_t*)mutex); }

void call_once(once_flag* flag, void (*function)(void)) { pthread_once((pthread_once_t*)flag, function); }

int tss_create(tss_t* key, tss_dtor_t destructor) { return thrd_result(pthread_key_create(key, destructor)); }
void tss_delete(tss_t key) { pthread_key_delete(key); }
void* tss_get(tss_t key) { return pthread_getspecific(key); }
int tss_set(tss_t key, void* value) { return thrd_result(pthread_setspecific(key, value)); }
