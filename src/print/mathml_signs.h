// Commands that stand for one character or one word. The translation of LaTeX asks for each command
// it meets whether it is such a sign.
#ifndef HAMEL_PRINT_MATHML_SIGNS_H
#define HAMEL_PRINT_MATHML_SIGNS_H

#include <stdbool.h>
#include <stddef.h>

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

// By its name without the backslash; NULL if there is none.
const sign *sign_find(const char *name, size_t length);

// A capital letter as \mathcal shows it, in UTF-8; NULL for anything else.
const char *sign_calligraphic(char letter);

#endif
