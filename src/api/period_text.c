// A period from words.
#include "api/period_text.h"

#include "base/decimal.h"
#include "hamel.h"
#include "parse/parse.h"

#include <math.h>
#include <string.h>

// Parameters by what they mean, but for the one that is left open
static expr closed(model *m, expr e, expr along) {
    expr *from = arena_array(&m->ctx->arena, expr, m->parameters_count + 1),
         *to = arena_array(&m->ctx->arena, expr, m->parameters_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->parameters_count; i++)
        if (m->parameters[i].value != EXPR_NONE && m->parameters[i].symbol != along)
            from[count] = m->parameters[i].symbol, to[count++] = m->parameters[i].value;
    expr_resolve(m->pool, count, from, to);
    return expr_replace(m->pool, e, count, from, to);
}

static hamel_status refuse_unknown(model *m, const char *words, expr missing) {
    diag_error(m->ctx, (span){0}, "give a number, or an expression of numbers, pi and parameters",
               "--period: `%s` is no constant: `%s` has no value that stays", words,
               expr_symbol_text(m->pool, missing));
    return HAMEL_USAGE;
}

static hamel_status read_expression(model *m, const char *words, period_text *out) {
    source *text = arena_new(&m->ctx->arena, source);
    *text = (source){.name = "--period", .bytes = words, .length = strlen(words)};
    expr e;
    const hamel_status status = parse_scalar(m, text, &e);
    if (status) return status == HAMEL_MODEL ? HAMEL_USAGE : status;
    const expr open = closed(m, e, out->along),
               both[] = {open, out->along == EXPR_NONE ? EXPR_ZERO
                                                       : expr_diff(m->pool, open, out->along)};
    out->value = program_create(m->pool, 2, both);
    bool *known = memory_zeros(bool, pool_symbol_count(m->pool) + 1);
    if (out->along != EXPR_NONE) known[expr_symbol_index(m->pool, out->along)] = true;
    const expr missing = program_first_unknown(out->value, known);
    memory_free(known);
    if (missing != EXPR_NONE) return refuse_unknown(m, words, missing);
    out->varies = out->along != EXPR_NONE && expr_depends_on(m->pool, open, 1, &out->along);
    out->symbols = arena_array(&m->ctx->arena, double, pool_symbol_count(m->pool) + 1);
    if (out->along != EXPR_NONE) out->open = expr_symbol_index(m->pool, out->along);
    return context_status(m->ctx);
}

hamel_status period_text_read(model *m, const char *words, expr along, period_text *out) {
    *out = (period_text){.is_given = words != NULL, .along = along};
    if (!words || hamel_number_read(words, &out->number)) return HAMEL_OK;
    return read_expression(m, words, out);
}

void period_text_clear(period_text *p) {
    program_free(p->value);
    p->value = NULL;
}

double period_text_at(const period_text *p, double at, double *slope) {
    double both[2] = {p->number, 0};
    if (p->value) {
        if (p->along != EXPR_NONE) p->symbols[p->open] = at;
        program_run_double(p->value, p->symbols, both);
    }
    if (slope) *slope = both[1];
    return both[0];
}

hamel_status period_text_value(const model *m, const period_text *p, double at, double *out) {
    *out = p->is_given ? period_text_at(p, at, NULL) : 0;
    if (!p->is_given || (*out > 0 && isfinite(*out))) return HAMEL_OK;
    diag_error(m->ctx, (span){0}, NULL, "--period: %.10g is no positive number", *out);
    return HAMEL_USAGE;
}
