// Semaphores, reader-writer locks and condition variables in terms of atomic accesses: a thread that has to wait spins,
// which the explorer turns into waiting. Part of all.c; what library.c says about that holds here, too.
//
// Orders are no stronger than the standard promises, so that no race of the program is hidden.
#include <semaphore.h>
#include <time.h>

void __heddle_lock_misuse(const char* text) __attribute__((noreturn));

// Adds if the word lies between two others, as one atomic step: acquire if so, else relaxed. The old value.
unsigned __heddle_add_between(unsigned* word, unsigned low, unsigned high, unsigned delta);

// Whatever time a function may take, it may take longer: both outcomes are explored.
static int time_is_up(void) { return (int)heddle_choose(0, 1); }

static int fail_with(int error) {
  errno = error;
  return -1;
}

// ---- semaphores: the value

int sem_init(sem_t* semaphore, int shared, unsigned value) {
  (void)shared;
  if (value > INT_MAX) return fail_with(EINVAL);
  __atomic_store_n((unsigned*)semaphore, value, __ATOMIC_RELAXED);
  return 0;
}
int sem_destroy(sem_t* semaphore) {
  (void)semaphore;
  return 0;
}
int sem_post(sem_t* semaphore) {
  unsigned before = __atomic_fetch_add((unsigned*)semaphore, 1, __ATOMIC_RELEASE);
  if (before < INT_MAX) return 0;
  __atomic_fetch_sub((unsigned*)semaphore, 1, __ATOMIC_RELAXED);
  return fail_with(EOVERFLOW);
}
static int take(sem_t* semaphore) { return __heddle_add_between((unsigned*)semaphore, 1, UINT_MAX, -1u) > 0; }
int sem_trywait(sem_t* semaphore) { return take(semaphore) ? 0 : fail_with(EAGAIN); }
int sem_wait(sem_t* semaphore) {
  for (;;) {
    __heddle_waits_for("a semaphore");
    if (take(semaphore)) return 0;
  }
}
int sem_timedwait(sem_t* semaphore, const struct timespec* until) {
  (void)until;
  return time_is_up() ? fail_with(ETIMEDOUT) : sem_wait(semaphore);
}
int sem_clockwait(sem_t* semaphore, clockid_t clock, const struct timespec* until) {
  (void)clock;
  return sem_timedwait(semaphore, until);
}
int sem_getvalue(sem_t* semaphore, int* value) {
  *value = (int)__atomic_load_n((unsigned*)semaphore, __ATOMIC_RELAXED);
  return 0;
}

// ---- reader-writer locks

// Only whoever has the lock for writing changes `writer`: every other holder finds 0 there, with no alternative.
struct reader_writer_lock {
  unsigned readers;  // or held_for_writing
  unsigned long writer;
};
#define held_for_writing 0x80000000u

static struct reader_writer_lock* inside(pthread_rwlock_t* lock) { return (struct reader_writer_lock*)lock; }

int pthread_rwlockattr_init(pthread_rwlockattr_t* attributes) {
  (void)attributes;
  return 0;
}
int pthread_rwlockattr_destroy(pthread_rwlockattr_t* attributes) {
  (void)attributes;
  return 0;
}
int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) {
  (void)attributes;
  __atomic_store_n(&inside(lock)->readers, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&inside(lock)->writer, 0, __ATOMIC_RELAXED);
  return 0;
}
int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  if (__atomic_load_n(&inside(lock)->readers, __ATOMIC_RELAXED) != 0)
    __heddle_lock_misuse("destroy of a reader-writer lock that is held");
  return 0;
}
int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) {
  return __heddle_add_between(&inside(lock)->readers, 0, held_for_writing - 1, 1) < held_for_writing ? 0 : EBUSY;
}
int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  for (;;) {
    __heddle_waits_for("a reader-writer lock");
    if (pthread_rwlock_tryrdlock(lock) == 0) return 0;
  }
}
int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) {
  unsigned readers = 0;
  if (!__atomic_compare_exchange_n(&inside(lock)->readers, &readers, held_for_writing, 0, __ATOMIC_ACQUIRE,
                                   __ATOMIC_RELAXED))
    return EBUSY;
  __atomic_store_n(&inside(lock)->writer, (unsigned long)pthread_self(), __ATOMIC_RELAXED);
  return 0;
}
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  for (;;) {
    __heddle_waits_for("a reader-writer lock");
    if (pthread_rwlock_trywrlock(lock) == 0) return 0;
  }
}
int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const struct timespec* until) {
  (void)until;
  return time_is_up() ? ETIMEDOUT : pthread_rwlock_rdlock(lock);
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const struct timespec* until) {
  (void)until;
  return time_is_up() ? ETIMEDOUT : pthread_rwlock_wrlock(lock);
}
int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  if (__atomic_load_n(&inside(lock)->writer, __ATOMIC_RELAXED) == (unsigned long)pthread_self()) {
    __atomic_store_n(&inside(lock)->writer, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&inside(lock)->readers, 0, __ATOMIC_RELEASE);
    return 0;
  }
  unsigned before = __atomic_fetch_sub(&inside(lock)->readers, 1, __ATOMIC_RELEASE);
  if (before == 0 || before == held_for_writing)
    __heddle_lock_misuse("unlock of a reader-writer lock that the thread does not hold");
  return 0;
}

// ---- condition variables: a bit for every thread that waits, and, 32 places higher, for every one that was woken

enum { most_waiting = 32 };
int __heddle_spurious_wakeups(void);  // answered by the front end: may a thread wake up that nobody has woken?
static _Thread_local int woke_up_for_nothing;  // once is enough to show what that does, and a loop around it ends

static uint64_t own_bit(void) {
  unsigned long thread = (unsigned long)pthread_self() - 1;
  if (thread >= most_waiting)
    __heddle_unsupported("condition variables: a program with more than 32 threads is not supported");
  return (uint64_t)1 << thread;
}

int pthread_condattr_init(pthread_condattr_t* attributes) {
  (void)attributes;
  return 0;
}
int pthread_condattr_destroy(pthread_condattr_t* attributes) {
  (void)attributes;
  return 0;
}
int pthread_condattr_setclock(pthread_condattr_t* attributes, clockid_t clock) {
  (void)attributes, (void)clock;
  return 0;
}
int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) {
  (void)attributes;
  __atomic_store_n((uint64_t*)condition, 0, __ATOMIC_RELAXED);
  return 0;
}
int pthread_cond_destroy(pthread_cond_t* condition) {
  if ((uint32_t)__atomic_load_n((uint64_t*)condition, __ATOMIC_RELAXED) != 0)
    __heddle_lock_misuse("destroy of a condition variable that a thread waits for");
  return 0;
}

// Wakes one of the threads that wait, any of them, or all.
static void wake(uint64_t* condition, int all) {
  uint64_t state = __atomic_load_n(condition, __ATOMIC_RELAXED);
  for (;;) {
    uint64_t woken = (uint32_t)state;
    if (woken == 0) return;
    if (!all) {
      for (long skip = heddle_choose(0, __builtin_popcountll(woken) - 1); skip > 0; --skip) woken &= woken - 1;
      woken &= -woken;
    }
    if (__atomic_compare_exchange_n(condition, &state, (state & ~woken) | woken << most_waiting, 0, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
      return;
  }
}
int pthread_cond_signal(pthread_cond_t* condition) {
  wake((uint64_t*)condition, 0);
  return 0;
}
int pthread_cond_broadcast(pthread_cond_t* condition) {
  wake((uint64_t*)condition, 1);
  return 0;
}

// The thread waits no longer. 1 if it was woken.
static int withdraw(uint64_t* condition, uint64_t own) {
  uint64_t before = __atomic_fetch_and(condition, ~(own | own << most_waiting), __ATOMIC_RELAXED);
  return (before & own << most_waiting) != 0;
}
static int wait_for(uint64_t* condition, pthread_mutex_t* mutex, int timed) {
  uint64_t own = own_bit();
  __atomic_fetch_or(condition, own, __ATOMIC_RELAXED);
  int error = pthread_mutex_unlock(mutex);
  if (error) {
    withdraw(condition, own);
    return error;
  }
  int result = 0;
  if (timed && time_is_up()) {
    result = withdraw(condition, own) ? 0 : ETIMEDOUT;
  } else if (__heddle_spurious_wakeups() && !woke_up_for_nothing && heddle_choose(0, 1)) {
    woke_up_for_nothing = 1;
    withdraw(condition, own);
  } else {
    for (;;) {
      __heddle_waits_for("a condition variable");
      if (__atomic_load_n(condition, __ATOMIC_RELAXED) & own << most_waiting) break;
    }
    withdraw(condition, own);
  }
  error = pthread_mutex_lock(mutex);
  return error ? error : result;
}
int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  return wait_for((uint64_t*)condition, mutex, 0);
}
int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const struct timespec* until) {
  (void)until;
  return wait_for((uint64_t*)condition, mutex, 1);
}
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const struct timespec* until) {
  (void)clock, (void)until;
  return wait_for((uint64_t*)condition, mutex, 1);
}

// ---- condition variables of C11

int cnd_init(cnd_t* condition) { return thrd_result(pthread_cond_init((pthread_cond_t*)condition, 0)); }
void cnd_destroy(cnd_t* condition) { pthread_cond_destroy((pthread_cond_t*)condition); }
int cnd_signal(cnd_t* condition) { return thrd_result(pthread_cond_signal((pthread_cond_t*)condition)); }
int cnd_broadcast(cnd_t* condition) { return thrd_result(pthread_cond_broadcast((pthread_cond_t*)condition)); }
int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  return thrd_result(wait_for((uint64_t*)condition, (pthread_mutex_t*)mutex, 0));
}
int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const struct timespec* until) {
  (void)until;
  int result = wait_for((uint64_t*)condition, (pthread_mutex_t*)mutex, 1);
  return result == ETIMEDOUT ? thrd_timedout : thrd_result(result);
}
