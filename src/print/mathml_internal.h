// The translation in progress: where it reads, what it writes. Files of the translation include it;
// other rooms call mathml.h with LaTeX and get MathML.
#ifndef HAMEL_PRINT_MATHML_INTERNAL_H
#define HAMEL_PRINT_MATHML_INTERNAL_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

// What stands before the place of the next item in a row.
typedef enum {
    AFTER_NOTHING, // or an operator: a - is a sign, and nothing is multiplied
    AFTER_PREFIX,  // partial: nothing is multiplied
    AFTER_LETTER,  // an operand
    AFTER_WIDE,    // an operand with a thin space around it
    AFTER_FUNCTION,
} before;

// A row that may continue on new lines: the whole, what stands in brackets, a numerator.
typedef struct {
    bool open;                      // may the place that is written now begin a line?
    bool broken;                    // there is more than one
    uint32_t depth;                 // of groups, where the row began
    size_t place;                   // of the last + - =, in out; 0: none
    double place_width, line_start; // width before it; width where the line began
    double longest;                 // characters before a line is broken
    double widest;                  // of the lines that are complete
} lines;

typedef struct {
    const char *at;
    text *out;
    bool wrong;
    uint32_t depth, script, fraction; // of groups; of sub- and superscripts; of fractions
    double width;                     // of what was written, in characters
    bool breaks;                      // may lines be broken at all?
    lines now;                        // those that are being written
} translator;

// A command that stands for one character or one word.
typedef enum {
    SIGN_LETTER,   // italic, as the letters of formulas are
    SIGN_UPRIGHT,  // capital Greek
    SIGN_PREFIX,   // belongs to what follows: partial x, delta x
    SIGN_FUNCTION, // a word
    SIGN_OPERATOR,
    SIGN_SUM,   // an operator with limits
    SIGN_SPACE, // a width
} sign_kind;

typedef struct {
    const char *command;
    sign_kind kind;
    const char *shown;
} sign;

// --- output (mathml_output.c)

void mathml_write(translator *t, const char *markup);
void mathml_insert(translator *t, size_t place, const char *markup);
double mathml_scale(const translator *t); // of a character, in scripts smaller
void mathml_leaf(translator *t, const char *open, const char *content, size_t length,
                 const char *close);
// a sign of one character, whatever its bytes
void mathml_character(translator *t, const char *open, const char *content, const char *close);

// --- input (mathml_output.c)

before mathml_fail(translator *t); // what comes is not known: nothing more is read
bool mathml_skip_blanks(translator *t);
bool mathml_accept(translator *t, const char *word);
void mathml_expect(translator *t, const char *word);
// what the command that comes stands for, if for one character or word; else NULL
const sign *mathml_next_sign(const translator *t);
// a capital letter as \mathcal shows it, in UTF-8; NULL for anything else
const char *mathml_calligraphic(char letter);

// --- the grammar: rows and items (mathml.c), groups, scripts and commands (mathml_commands.c)

uint32_t mathml_row(translator *t); // how many elements it has
// The same; a sum that is too long for what is left of the line continues on new ones, and the
// whole is then one element.
uint32_t mathml_lines(translator *t);
before mathml_item(translator *t, before last);
void mathml_argument(translator *t);
void mathml_scripts(translator *t, size_t from, bool limits);
before mathml_brackets(translator *t, const char *open, const char *close, bool stretches);
before mathml_command(translator *t);

#endif
