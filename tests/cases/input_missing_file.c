// expect: exit 3 message "does-not-exist.c"
// files: does-not-exist.c
