// Quadratic functions of velocities (or of positions, accelerations) that keep their sign,
// also where their form does not show it: x'^2 - x'*y' + y'^2 vanishes only where x' = y'
// = 0, and has no gradient there.
#include "model/mechanics.h"

#include "expr/program.h"

#include <math.h>

enum { LOOKS = 24 };
// relative to the entries: far above rounding, far below random values
static const double NEGLIGIBLE = 1e-10;

// f = v.H v/2 + b.v + c by completing squares: rows of [H b; b' 2c] with the largest diagonal entry
// first. Returns the sign of H (0: none, or not definite), its rank, and what is left of 2c.
static int sign_of_form(uint32_t n, double *a, uint32_t *rank, double *left) {
    const uint32_t w = n + 1;
    double scale = 0;
    int sign = 0;
    bool *done = memory_zeros(bool, n + 1);
    for (uint32_t i = 0; i < w * w; i++) scale = fmax(scale, fabs(a[i]));
    for (*rank = 0; *rank < n; ++*rank) {
        uint32_t k = n;
        for (uint32_t i = 0; i < n; i++)
            if (!done[i] && (k == n || fabs(a[i * w + i]) > fabs(a[k * w + k]))) k = i;
        const double pivot = a[k * w + k];
        if (fabs(pivot) <= NEGLIGIBLE * scale) break;
        const int here = pivot > 0 ? 1 : -1;
        if (sign && here != sign) sign = 2;
        else if (sign != 2) sign = here;
        done[k] = true;
        for (uint32_t i = 0; i < w; i++) {
            const double factor = a[i * w + k] / pivot;
            for (uint32_t j = 0; j < w && (i == n || !done[i]); j++)
                a[i * w + j] -= factor * a[k * w + j];
        }
    }
    bool flat = true; // what is left of H and b
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < w && !done[i]; j++)
            flat = flat && (done[j] || fabs(a[i * w + j]) <= NEGLIGIBLE * scale);
    *left = fabs(a[n * w + n]) <= NEGLIGIBLE * scale ? 0 : a[n * w + n];
    memory_free(done);
    return flat && sign != 2 ? sign : 0;
}

// [H b; b' 2c]
static void form_entries(const model *m, expr f, uint32_t n, const expr *v, expr *out) {
    pool *p = m->pool;
    const uint32_t w = n + 1;
    expr *slope = arena_array(&m->ctx->arena, expr, n),
         *zero = arena_array(&m->ctx->arena, expr, n);
    expr_gradient(p, f, n, v, slope);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) out[i * w + j] = expr_diff(p, slope[i], v[j]);
        out[i * w + n] = out[n * w + i] = expr_replace(p, slope[i], n, v, zero);
    }
    out[n * w + n] = expr_mul(p, EXPR_TWO, expr_replace(p, f, n, v, zero));
}

// Of either sign and of any size from 0.01 to 1000: a sign that changes
// anywhere there will be seen to.
static double anywhere(uint64_t *random) {
    const double size = exp(log(0.01) + log(1e5) * (double)(random_next(random) >> 11) * 0x1p-53);
    return random_next(random) & 1 ? size : -size;
}

form_sign quadratic_form_sign(const model *m, expr f, uint32_t n, const expr *v) {
    const form_sign unknown = {0, 0, false};
    const uint32_t w = n + 1, symbols = pool_symbol_count(m->pool);
    if (expr_degree(m->pool, f, n, v, NULL) != 2) return unknown;
    arena *a = &m->ctx->arena;
    expr *entry = arena_array(a, expr, w * w);
    form_entries(m, f, n, v, entry);
    model_concrete(m, true, w * w, entry, entry);
    double *value = arena_array(a, double, w *w),
           *at = arena_array(a, double, pool_symbol_count(m->pool) + 1);
    program *prog = program_create(m->pool, w * w, entry);
    form_sign found = unknown;
    uint64_t random = 1;
    bool constant = true; // that it is never 0 is believed of numbers only
    for (uint32_t i = 0; i < w * w; i++) constant = constant && expr_is_number(m->pool, entry[i]);
    for (uint32_t look = 0; look < LOOKS; look++) {
        for (uint32_t i = 0; i < symbols; i++) at[i] = anywhere(&random);
        for (uint32_t i = 0; i < m->parameters_count; i++)
            if (m->parameters[i].value != EXPR_NONE &&
                expr_is_number(m->pool, m->parameters[i].value))
                at[expr_symbol_index(m->pool, m->parameters[i].symbol)] =
                    expr_value(m->pool, m->parameters[i].value, NULL);
        program_run_double(prog, at, value);
        uint32_t rank;
        double left;
        const int sign = sign_of_form(n, value, &rank, &left);
        const form_sign here = {sign, rank, sign * left > 0};
        const bool useless =
            !sign || sign * left < 0 || !isfinite(left) || (here.apart && !constant);
        const bool same = !look || (here.sign == found.sign && here.rank == found.rank &&
                                    here.apart == found.apart);
        found = here;
        if (useless || !same) {
            program_free(prog);
            return unknown;
        }
    }
    program_free(prog);
    return found;
}
