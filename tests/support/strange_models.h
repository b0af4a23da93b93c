// Models that nobody would write, for nets that look for crashes: every statement of the language,
// numbers at the edges, constructs that are legal and unusual, and some that just miss being legal.
// A seed gives a text; strange_statement() gives one line that speaks of names the text has.
#ifndef HAMEL_TESTS_STRANGE_MODELS_H
#define HAMEL_TESTS_STRANGE_MODELS_H

#include "support/random_text.h"

#include <stdbool.h>

// Names that a statement may use; `count` 0: x, y.
typedef struct {
    const char *coordinates[8];
    int count;
    bool bare; // the model may have no others: no parameters, points or functions
} strange_names;

// One statement with its newline, or a loop of some; returns its length, less than `most`.
size_t strange_statement(uint64_t *random, const strange_names *names, char *out, size_t most);
// A whole model. A statement that makes it unreadable stays but seldom; NULL: it stays.
typedef bool readable(const char *text, void *data);
void strange_model(uint64_t seed, readable *reads, void *data, char out[RANDOM_TEXT]);

const char *strange_number(uint64_t *random);
// The id of something that hamel_known() lists, now and then of nothing.
const char *strange_id(uint64_t *random, const char *kind);

#endif
