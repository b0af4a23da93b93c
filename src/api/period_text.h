// A period as it is given to `orbit` and `continue --orbit`: a number, or an expression of numbers
// and parameters ("2*pi/w"). The parameter that is varied is left open where there is one. Read it,
// ask for its value as that parameter goes, and clear it, also where reading failed.
#ifndef HAMEL_API_PERIOD_TEXT_H
#define HAMEL_API_PERIOD_TEXT_H

#include "expr/program.h"
#include "model/model.h"

typedef struct {
    bool is_given;
    expr along;      // the parameter that is left open; EXPR_NONE: there is none
    bool varies;     // the period changes with it
    double number;   // T, where it was given as a number
    program *value;  // else T and dT/dp
    double *symbols; // .. of values by symbol,
    uint32_t open;   // .. and where that of the open parameter is
} period_text;

// `words` NULL: none is given. `along`: a parameter that is left open, or EXPR_NONE. HAMEL_USAGE
// after saying what is wrong.
hamel_status period_text_read(model *m, const char *words, expr along, period_text *out);
void period_text_clear(period_text *p);
// T where the open parameter has the value p, and dT/dp (NULL: not asked for)
double period_text_at(const period_text *p, double at, double *slope);
// The same where T is to be positive and finite; HAMEL_USAGE after saying that it is not
hamel_status period_text_value(const model *m, const period_text *p, double at, double *out);

#endif
