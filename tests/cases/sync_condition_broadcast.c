// expect rc11, sc: verified
// files: sync_condition_one_of_two.c
// clang: -DALL
// A broadcast wakes every thread that waits.
