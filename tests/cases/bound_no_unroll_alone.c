// expect rc11: verified 1
// files: bound_no_unroll.c
// flags: --no-unroll count
// Without a bound there is nothing to leave out, which is no error.
