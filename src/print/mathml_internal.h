// The translation while it goes on: where it reads, what it writes.
#ifndef HAMEL_PRINT_MATHML_INTERNAL_H
#define HAMEL_PRINT_MATHML_INTERNAL_H

#include "base/text.h"
#include "print/mathml_signs.h"

#include <stdint.h>

// What stands before the place of the next item in a row.
typedef enum {
    AFTER_NOTHING, // or an operator: a - is a sign, and nothing is multiplied
    AFTER_PREFIX,  // partial: nothing is multiplied
    AFTER_LETTER,  // an operand
    AFTER_WIDE,    // an operand with a thin space around it
    AFTER_FUNCTION,
} before;

typedef struct {
    const char *at;
    text *out;
    bool wrong;
    uint32_t depth, script; // of brackets and groups; of sub- and superscripts
    double width;           // of what was written, in characters
    // where lines are broken; only with `breaks`
    bool breaks, broken;
    size_t place;                   // of the last + - =, in out
    double place_width, line_start; // width before it; width where the line began
} translator;

// --- output (mathml_output.c)

void mathml_write(translator *t, const char *markup);
void mathml_insert(translator *t, size_t place, const char *markup);
double mathml_scale(const translator *t); // of a character, in scripts smaller
void mathml_leaf(translator *t, const char *open, const char *content, size_t length,
                 const char *close);
void mathml_character(translator *t, const char *open, const char *content,
                      const char *close); // a sign of one character, whatever its bytes

// --- input (mathml_output.c)

before mathml_fail(translator *t); // what comes is not known: nothing more is read
bool mathml_skip_blanks(translator *t);
bool mathml_accept(translator *t, const char *word);
void mathml_expect(translator *t, const char *word);
// what the command that comes stands for, if for one character or word; else NULL
const sign *mathml_next_sign(const translator *t);

// --- the grammar: rows and items (mathml.c), groups, scripts and commands (mathml_commands.c)

uint32_t mathml_row(translator *t); // how many elements it has
before mathml_item(translator *t, before last);
void mathml_argument(translator *t);
void mathml_scripts(translator *t, size_t from, bool limits);
before mathml_brackets(translator *t, const char *open, const char *close, bool stretches);
before mathml_command(translator *t);

#endif
