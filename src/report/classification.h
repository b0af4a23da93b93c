// What a system is, in words: its constraints, its freedom, its geometry. `hamel check` and
// the page say the same sentences.
#ifndef HAMEL_REPORT_CLASSIFICATION_H
#define HAMEL_REPORT_CLASSIFICATION_H

#include "analyse/geometry.h"
#include "analyse/special.h"
#include "report/phrase.h"

typedef struct {
    const model *m;
    const mechanics *s;
    character character;
    special_cases special;
    geometry geometry;
} classification;

classification classify(const model *m, const mechanics *s);

uint32_t constraint_count(const classification *c); // k, with those of order 2 and higher
uint32_t freedom_of(const classification *c);       // n - k

typedef struct {
    const char *label; // "growth"; empty if it goes on from the one before
    const char *words;
    LIST(const char *, details);
    bool formulas; // the details are equations, for readers who ask for them
} fact;

typedef struct {
    LIST(fact, at);
} fact_list;

// Freedom, velocities, type, cyclic coordinates, distribution, growth, reach, special cases.
fact_list facts_of(const classification *c, phrase_style style);
void facts_free(fact_list *facts);

// Used to make them.
void facts_add(fact_list *facts, const char *label, const char *words);
void facts_add_detail(fact_list *facts, const char *words); // to the last one
void add_geometry_facts(const classification *c, phrase_style style, fact_list *facts);

// One constraint: "linear, homogeneous"; ", not integrable" or nothing; what became of it, "" if it
// acts; its integral, NULL if there is none.
const char *constraint_degree_words(const constraint *c);
const char *constraint_verdict_words(const classification *k, uint32_t index);
const char *constraint_status_words(const constraint *c);
const char *constraint_integral_words(const classification *k, uint32_t index, phrase_style style);

#endif
