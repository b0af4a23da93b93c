// The same as t_cheapest_slow.c on every model of the library.
#define EVERY 1
#include "t_cheapest_slow.c" // NOLINT(bugprone-suspicious-include)
