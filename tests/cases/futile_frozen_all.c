// expect rc11, sc: verified 1 blocked 2
// flags: --no-futile-pruning
// files: futile_frozen.c
