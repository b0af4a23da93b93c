// Polynomials of matrices, taken apart.
#include "study/split.h"

#include <string.h>

enum { LARGEST_DEGREE = 8 };

typedef struct {
    const model *m;
    split *out;
    uint32_t which; // M, C or K
    uint32_t *exponent;
} work;

static bool is_zero(grid g) {
    for (uint32_t i = 0; i < g.rows * g.columns; i++)
        if (g.at[i] != EXPR_ZERO) return false;
    return true;
}

static void add_term(work *w, grid part) {
    const size_t size = sizeof(uint32_t) * w->out->symbols;
    uint32_t i = 0;
    while (i < w->out->terms_count && memcmp(w->out->terms[i].exponent, w->exponent, size) != 0)
        i++;
    if (i == w->out->terms_count) {
        split_term t = {.exponent = arena_array(&w->m->ctx->arena, uint32_t, w->out->symbols + 1)};
        memcpy(t.exponent, w->exponent, size);
        list_push(w->out, terms, t);
    }
    w->out->terms[i].part[w->which] = part;
    w->out->terms[i].has[w->which] = true;
}

// Symbols from number `next` on
static bool take_apart(work *w, grid g, uint32_t next) {
    pool *p = w->m->pool;
    if (is_zero(g)) return true;
    if (next == w->out->symbols) {
        add_term(w, g);
        return true;
    }
    const expr s = w->out->symbol[next];
    grid rate = g; // d^k/ds^k
    expr scale = EXPR_ONE;
    for (uint32_t k = 0; k <= LARGEST_DEGREE; k++) {
        grid coefficient = grid_create(w->m, g.rows, g.columns),
             higher = grid_create(w->m, g.rows, g.columns);
        for (uint32_t i = 0; i < g.rows * g.columns; i++) {
            coefficient.at[i] = expr_mul(p, scale, expr_at_zero(p, rate.at[i], 1, &s));
            higher.at[i] = expr_diff(p, rate.at[i], s);
        }
        grid_clear(p, coefficient), grid_clear(p, higher);
        w->exponent[next] = k;
        if (!take_apart(w, coefficient, next + 1)) return false;
        if (is_zero(higher)) {
            w->exponent[next] = 0;
            return true;
        }
        rate = higher;
        scale = expr_mul(p, scale, expr_rational(p, 1, (int64_t)k + 1));
    }
    return false;
}

static bool comes_before(const split *s, const split_term *a, const split_term *b) {
    for (uint32_t i = 0; i < s->symbols; i++)
        if (a->exponent[i] != b->exponent[i]) return a->exponent[i] < b->exponent[i];
    return false;
}

static void sort(split *s) {
    for (uint32_t i = 1; i < s->terms_count; i++)
        for (uint32_t j = i; j > 0 && comes_before(s, &s->terms[j], &s->terms[j - 1]); j--) {
            const split_term t = s->terms[j];
            s->terms[j] = s->terms[j - 1], s->terms[j - 1] = t;
        }
}

split split_create(const exact_linear *e, const model *m, uint32_t symbols, const expr *symbol) {
    static const char *const refusals[] = {"M is not a polynomial in these",
                                           "C is not a polynomial in these",
                                           "K is not a polynomial in these"};
    split out = {.symbols = symbols, .symbol = symbol};
    out.refusal = e->refusal ? e->refusal : !e->has_second ? "there is no second-order form" : NULL;
    const grid part[] = {e->m, e->c, e->k};
    work w = {.m = m, .out = &out};
    w.exponent = arena_array(&m->ctx->arena, uint32_t, symbols + 1);
    for (uint32_t i = 0; i < SPLIT_MATRICES && !out.refusal; i++) {
        w.which = i;
        if (!take_apart(&w, part[i], 0)) out.refusal = refusals[i];
    }
    sort(&out);
    return out;
}

void split_free(split *s) { memory_free(s->terms); }
