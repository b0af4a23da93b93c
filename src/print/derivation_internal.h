// What the formats share.
#ifndef HAMEL_PRINT_DERIVATION_INTERNAL_H
#define HAMEL_PRINT_DERIVATION_INTERNAL_H

#include "print/derivation.h"
#include "print/expression.h"

static inline pool *pool_of(const derivation *d) { return d->shown->eq->system->pool; }

// Print e with the presentation's names in place.
static inline void write_expression(const derivation *d, expr e, print_style style, text *out) {
    printer_print(d->shown->printer, e, style, out);
}

// A multiplier that is alone is called lambda in print, as in a textbook.
expr with_plain_multiplier(const derivation *d, expr e);

#endif
