// The same as t_lean_slow.c on every model of the library.
#define EVERY 1
#include "t_lean_slow.c" // NOLINT(bugprone-suspicious-include)
