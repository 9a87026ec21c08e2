// expect rc11, sc: verified 6 blocked 24
// flags: --no-futile-pruning
// files: futile_ticket.c
