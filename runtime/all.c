// The library of checked programs as one file for the compiler.
#include "library.c"
#include "synchronization.c"
