// The same as t_compiled.c on every model of the library.
#define EVERY 1
#include "t_compiled.c" // NOLINT(bugprone-suspicious-include)
