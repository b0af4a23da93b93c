// What the formats have in common: expressions under the names of the presentation, and which
// quantities of a formalism are not listed.
#include "print/derivation.h"

#include <string.h>

enum { MOST_NAMES = 8 }; // of one reason; JSON has them all

// --- expressions ---------------------------------------------------------------------------------

void derivation_write(const derivation *d, expr e, print_style style, text *out) {
    printer_print(d->shown->printer, e, style, out);
}

static expr with_plain_multiplier(const derivation *d, expr e) {
    const mechanics *s = d->shown->eq->system;
    if (s->k + s->h != 1 || d->shown->named) return e;
    // unless the model uses the name for something else
    for (uint32_t i = 0; i < pool_symbol_count(s->pool); i++) {
        const symbol *other = pool_symbol(s->pool, i);
        if (other->role != ROLE_MULTIPLIER && strcmp(other->name, "lambda") == 0) return e;
    }
    const expr plain = expr_symbol(s->pool, "lambda", ROLE_MULTIPLIER);
    const expr from[2] = {s->multiplier[0], expr_symbol_derivative(s->pool, s->multiplier[0])};
    const expr to[2] = {plain, expr_symbol_derivative(s->pool, plain)};
    return expr_replace(s->pool, e, 2, from, to);
}

void derivation_write_plain(const derivation *d, expr e, print_style style, text *out) {
    derivation_write(d, with_plain_multiplier(d, e), style, out);
}

// --- what is not listed --------------------------------------------------------------------------

// Has this reason come before?
static bool is_repeated(const equations *eq, uint32_t i) {
    for (uint32_t j = 0; j < i; j++)
        if (strcmp(eq->omissions[j].why, eq->omissions[i].why) == 0) return true;
    return false;
}

static void write_reason(const equations *eq, uint32_t first, text *out) {
    const char *why = eq->omissions[first].why;
    uint32_t count = 0;
    for (uint32_t i = first; i < eq->omissions_count; i++) {
        if (strcmp(eq->omissions[i].why, why) != 0) continue;
        if (count < MOST_NAMES) text_format(out, "%s%s", count ? ", " : "", eq->omissions[i].name);
        count++;
    }
    if (count > MOST_NAMES) text_format(out, " and %u more", count - MOST_NAMES);
    text_format(out, " (%s)", why);
}

bool derivation_left_out(const derivation *d, text *out) {
    const equations *eq = d->shown->eq;
    for (uint32_t i = 0; i < eq->omissions_count; i++) {
        if (is_repeated(eq, i)) continue;
        text_append(out, i ? "; " : "not listed: ");
        write_reason(eq, i, out);
    }
    return eq->omissions_count > 0;
}
