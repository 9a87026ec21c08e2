// expect ra, sra, rc11, rc11-2017, rc11-c11, rc11-strong: verified 72
// The same with release stores and acquire loads.
#define RELEASE_ACQUIRE
#include "models_corr2.c"
