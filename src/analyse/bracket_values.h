// Nested brackets of directions at one random point of F_p, as numbers and not as expressions: what
// they span is decided there. Begin with the generators; each bracket that is tried becomes one
// more field if it is independent of those before.
#ifndef HAMEL_ANALYSE_BRACKET_VALUES_H
#define HAMEL_ANALYSE_BRACKET_VALUES_H

#include "analyse/directions.h"

typedef struct bracket_values bracket_values;

enum { MOST_FIELDS = 64 }; // generators and brackets

typedef struct {
    uint32_t left, right; // [X_left, Y_right]: a generator, and a field that came before
} bracket;

// With the first `generators` directions as fields. NULL where brackets have to be built as
// expressions: functions of time that are only named, functions without a rule, no point.
bracket_values *bracket_values_create(const directions *d, uint32_t generators);
void bracket_values_free(bracket_values *b);

// Rank of the generators at the point
uint32_t bracket_values_rank(const bracket_values *b);

typedef enum { BRACKET_DEPENDENT, BRACKET_ADDED, BRACKET_TOO_LONG } bracket_trial;
bracket_trial bracket_values_try(bracket_values *b, bracket made);

#endif
