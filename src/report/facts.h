// What a system is, as a list of sentences: its freedom, velocities, type, cyclic coordinates,
// geometry and special cases. `hamel check` and the page write the same list, each in its style.
#ifndef HAMEL_REPORT_FACTS_H
#define HAMEL_REPORT_FACTS_H

#include "report/classification.h"

typedef struct {
    const char *label; // "growth"; empty if it continues the fact before
    const char *words;
    LIST(const char *, details);
    bool formulas; // the details are equations, for readers who ask for them
} fact;

typedef struct {
    LIST(fact, at);
} fact_list;

fact_list facts_of(const classification *c, phrase_style style);
void facts_free(fact_list *facts);

// Inputs, data, contacts, resets and clocks, added to the list (outside_facts.c)
void facts_add_outside(const model *m, phrase_style style, fact_list *facts);

#endif
