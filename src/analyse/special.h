// Special cases worth a name, with the equations they simplify to (docs/mathematics.md, section 7).
// `check` and the page list them; JSON has their ids.
#ifndef HAMEL_ANALYSE_SPECIAL_H
#define HAMEL_ANALYSE_SPECIAL_H

#include "analyse/character.h"

typedef struct {
    const char *id; // "integrable"
    // "integrable constraints: beta vanishes, the motion is Lagrangian on a leaf"
    const char *words;
    const char *equations; // what the equations of motion become
    const char *latex;     // the same, as a textbook sets it; NULL where it is no formula
} special_case;

enum { MOST_SPECIAL_CASES = 6 };

typedef struct {
    uint32_t count;
    special_case at[MOST_SPECIAL_CASES];
} special_cases;

// What is claimed is proved; what cannot be decided is not mentioned.
special_cases special_cases_of(const mechanics *s, const character *c);

#endif
