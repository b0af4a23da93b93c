// The same as t_emit_jet.c with large models written out.
#define EVERY 1
#include "t_emit_jet.c" // NOLINT(bugprone-suspicious-include)
