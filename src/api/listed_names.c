// Names in the words of a call.
#include "api/listed_names.h"

#include <ctype.h>

const char *listed_names_next(arena *a, const char **rest) {
    const char *from = *rest;
    if (!from) return NULL;
    int depth = 0;
    const char *end = from;
    for (; *end && (depth > 0 || *end != ','); end++)
        depth += (*end == '(' || *end == '[') - (*end == ')' || *end == ']');
    *rest = *end ? end + 1 : NULL;
    while (from < end && isspace((unsigned char)*from)) from++;
    while (end > from && isspace((unsigned char)end[-1])) end--;
    return arena_copy(a, from, (size_t)(end - from));
}

bool listed_names_match(const char *typed, const char *name) {
    for (;; typed++, name++) {
        while (*typed == ' ') typed++;
        while (*name == ' ') name++;
        if (*typed != *name) return false;
        if (!*typed) return true;
    }
}

const parameter *listed_names_parameter(const model *m, const char *typed) {
    for (uint32_t i = 0; i < m->parameters_count; i++)
        if (listed_names_match(typed, expr_symbol_text(m->pool, m->parameters[i].symbol)))
            return &m->parameters[i];
    return NULL;
}

expr listed_names_state(const model *m, const char *typed) {
    for (uint32_t order = 0; order < 2; order++)
        for (uint32_t i = 0; i < m->coordinates_count; i++) {
            const expr x = expr_symbol_of_order(m->pool, m->coordinates[i], order);
            if (listed_names_match(typed, expr_symbol_text(m->pool, x))) return x;
        }
    for (uint32_t i = 0; i < m->quasis_count; i++)
        if (listed_names_match(typed, m->quasis[i].name)) return m->quasis[i].symbol;
    return EXPR_NONE;
}
