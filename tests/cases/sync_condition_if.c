// expect rc11: verified 2
// files: sync_condition_spurious.c
// Threads only wake up when woken, unless --spurious-wakeups is given.
