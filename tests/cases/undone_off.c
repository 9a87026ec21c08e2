// expect rc11, sc: bounded
// flags: --no-zero-net-effect --unroll 2
// files: undone_try_again.c
