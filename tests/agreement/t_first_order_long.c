// The same as t_first_order_slow.c on every model of the library.
#define EVERY 1
#include "t_first_order_slow.c" // NOLINT(bugprone-suspicious-include)
