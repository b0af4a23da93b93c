// Quantities of a formalism that are not listed, though they need not be 0: which, and why.
#include "print/derivation_internal.h"

#include <string.h>

enum { MOST_NAMES = 8 }; // of one reason; JSON has them all

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

void derivation_left_out_json(const derivation *d, json *out) {
    const equations *eq = d->shown->eq;
    json_open(out, "left_out", '[');
    for (uint32_t i = 0; i < eq->omissions_count; i++) {
        json_open(out, NULL, '{');
        json_string(out, "name", eq->omissions[i].name);
        json_string(out, "why", eq->omissions[i].why);
        json_close(out, '}');
    }
    json_close(out, ']');
}
