// Sentences with mathematics in them, for a terminal or for a page. Words, names and expressions
// are added in turn, and phrase_take() hands the sentence over; the caller writes each sentence
// once, whatever the style.
#ifndef HAMEL_REPORT_PHRASE_H
#define HAMEL_REPORT_PHRASE_H

#include "model/model.h"

typedef enum { PHRASE_TEXT, PHRASE_HTML } phrase_style;

// A sentence being written. Words are escaped for a page; expressions are MathML there, and text of
// the language on a terminal.
typedef struct {
    const model *m;
    phrase_style style;
    text out;
} phrase;

void phrase_words(phrase *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void phrase_expression(phrase *p, expr e);
// name = value, with so many primes at the name
void phrase_equation(phrase *p, const char *name, uint32_t primes, expr value);
// of a coordinate, a parameter, a constraint
void phrase_name(phrase *p, const char *name, uint32_t primes);
// latex may be NULL: then the plain letters
void phrase_formula(phrase *p, const char *plain, const char *latex);

// What was written so far, in the arena of the model; the phrase is empty again.
const char *phrase_take(phrase *p);

#endif
