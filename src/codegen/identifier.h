// Names of a model as identifiers of a language, no two alike: q[2,-1]' is q_2_m1_dot,
// lambda[roll.x] lambda_roll_x. Stand-alone projects use them for every coordinate, parameter and
// multiplier, so that generated code can be read. Only letters of ASCII, digits and _ are used,
// which every language takes; a name that a language or a generated body needs itself gets a
// number.
#ifndef HAMEL_CODEGEN_IDENTIFIER_H
#define HAMEL_CODEGEN_IDENTIFIER_H

#include "base/names.h"

typedef struct {
    const char *const *words;      // not to be used: keywords and the like; NULL ends the list
    const char *const *beginnings; // no name begins like these, likewise; NULL: there are none
    uint32_t longest;              // letters of a name; 0: any number of them
} identifier_rules;

extern const identifier_rules identifier_rules_c;

// A new identifier for `name`, different from all that `taken` holds, from what the rules forbid,
// and from what generated bodies call things themselves (r1, matrix1, solution1, rows1).
const char *identifier_make(arena *a, names *taken, const identifier_rules *rules,
                            const char *name);

#endif
