// The equations of motion by one formalism, in one of the formats. All
// formats carry the same content.
#ifndef HAMEL_PRINT_DERIVATION_H
#define HAMEL_PRINT_DERIVATION_H

#include "derive/formalism.h"
#include "print/json.h"
#include "print/presentation.h"

typedef struct {
    const formalism *form;
    const char *refusal; // NULL if it applies; nothing below is set otherwise
    const presentation *shown;
    const char *stats; // NULL unless asked for
} derivation;

// One equation in LaTeX: a line, a named subexpression, a definition. `equals` is " = ", or "
// &= " where equations are aligned.
void derivation_latex_line(const derivation *d, uint32_t i, const char *equals, text *out);
void derivation_latex_name(const derivation *d, uint32_t i, const char *equals, text *out);
void derivation_latex_definition(const derivation *d, uint32_t i, const char *equals, text *out);

// Quantities that are not listed though they need not be 0, with the reasons; false,
// and nothing, if there are none.
bool derivation_left_out(const derivation *d, text *out);
void derivation_left_out_json(const derivation *d, json *out);

void print_derivation_text(const derivation *d, text *out);
void print_derivation_latex(const derivation *d, text *out);
void print_derivation_markdown(const derivation *d, text *out);
void print_derivation_sympy(const derivation *d, text *out);
void print_derivation_json(const derivation *d, json *out);

#endif
