// expect: exit 3 message "nothing.c"
// files: parts/nothing.c
// An empty file is a program without main.
