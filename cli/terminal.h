// What the terminal is like, for drawings in characters, and standard output as the library writes
// to it. `plot` and `simulate --plot` ask for both.
#ifndef HAMEL_CLI_TERMINAL_H
#define HAMEL_CLI_TERMINAL_H

#include "hamel.h"
#include <stdio.h>

// Columns, lines, braille patterns and colours of a drawing on `stream`, put into `plot`.
void terminal_fit(hamel_plot *plot, FILE *stream);
int terminal_write(const void *bytes, size_t size, void *data); // of a hamel_run

#endif
