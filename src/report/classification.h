// What is known of a system: its character, special cases and geometry, and words for each of its
// constraints. classification_of() finds it all out once; `hamel check` and the page tell it
// (facts.h).
#ifndef HAMEL_REPORT_CLASSIFICATION_H
#define HAMEL_REPORT_CLASSIFICATION_H

#include "analyse/geometry.h"
#include "analyse/special.h"
#include "analyse/symmetry.h"
#include "report/phrase.h"

typedef struct {
    const model *m;
    const mechanics *s;
    character character;
    special_cases special;
    geometry geometry;
    symmetries symmetry;
} classification;

classification classification_of(const model *m, const mechanics *s);

uint32_t classification_constraints(const classification *c); // k, with those of order 2 and higher
uint32_t classification_freedom(const classification *c);     // n - k

// One constraint: "linear, homogeneous"; ", not integrable" or nothing; what became of it, "" if it
// acts; its integral, NULL if there is none.
const char *constraint_degree_words(const constraint *c);
const char *constraint_verdict_words(const classification *k, uint32_t index);
const char *constraint_status_words(const constraint *c);
const char *constraint_integral_words(const classification *k, uint32_t index, phrase_style style);
// Along what the reaction of a servo constraint acts; NULL of an ideal one
const char *constraint_servo_words(const classification *k, uint32_t index, phrase_style style);

#endif
