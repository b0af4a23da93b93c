// The equations of motion by one formalism, ready to be written in any format.
//
// A derivation is a formalism with either the reason why it does not apply or the presentation of
// its equations. All formats (format_*.c) carry the same content; what several of them write in the
// same way is declared here.
#ifndef HAMEL_PRINT_DERIVATION_H
#define HAMEL_PRINT_DERIVATION_H

#include "derive/formalism.h"
#include "print/expression.h"
#include "print/presentation.h"

typedef struct {
    const formalism *form;
    const char *refusal; // NULL if it applies; nothing below is set otherwise
    const presentation *shown;
    const char *stats; // NULL unless asked for
    bool cites;        // LaTeX names the sources by \cite
} derivation;

// Print e with the presentation's names in place.
void derivation_write(const derivation *d, expr e, print_style style, text *out);
// The same with a multiplier that is alone called lambda, as in a textbook.
void derivation_write_plain(const derivation *d, expr e, print_style style, text *out);

// One equation in LaTeX: a line, a named subexpression, a definition. `equals` is " = ", or " &= "
// where equations are aligned.
void derivation_latex_line(const derivation *d, uint32_t i, const char *equals, text *out);
void derivation_latex_name(const derivation *d, uint32_t i, const char *equals, text *out);
void derivation_latex_definition(const derivation *d, uint32_t i, const char *equals, text *out);

// Quantities that are not listed though they need not be 0, with the reasons; false, and nothing,
// if there are none.
bool derivation_left_out(const derivation *d, text *out);

void derivation_text(const derivation *d, text *out);
void derivation_latex(const derivation *d, text *out);

#endif
