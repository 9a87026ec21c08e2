// expect rc11, sc: verified 8
// flags: --no-peel-merging
// files: peeled_load.c
