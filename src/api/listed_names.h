// Names in the words of a call, such as --to "g, x'" or --solve "m, k": the items of the list, and
// what of the model each is called. Every option that takes names reads them so.
#ifndef HAMEL_API_LISTED_NAMES_H
#define HAMEL_API_LISTED_NAMES_H

#include "model/model.h"

// The next item between commas that stand in no bracket, without blanks around it; it may be empty.
// NULL, as *rest then, where the list has ended. In the arena.
const char *listed_names_next(arena *a, const char **rest);

// Is it the name as it was typed? Blanks do not count: q[1,2] is q[1, 2].
bool listed_names_match(const char *typed, const char *name);
// A parameter of this name; NULL: there is none
const parameter *listed_names_parameter(const model *m, const char *typed);
// A coordinate, velocity or quasi-velocity of this name; EXPR_NONE: there is none
expr listed_names_state(const model *m, const char *typed);

#endif
