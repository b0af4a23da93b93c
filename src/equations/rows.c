// Forward substitution without a matrix.
#include "equations/rows.h"

#include "normal/normal.h"

#include <string.h>

typedef struct {
    pool *p;
    uint32_t open; // rows and unknowns that are left
    expr *row, *unknown;
    uint32_t solved;
    expr *symbol, *value; // of those found, in their order; a value is free of unknowns
} solver;

// The only open unknown of a row; `open` if there are several or none.
static uint32_t only_unknown(const solver *w, expr row) {
    uint32_t found = w->open;
    for (uint32_t j = 0; j < w->open; j++) {
        if (!expr_depends_on(w->p, row, 1, &w->unknown[j])) continue;
        if (found != w->open) return w->open;
        found = j;
    }
    return found;
}

static void keep(solver *w, expr symbol, expr value) {
    w->value[w->solved] = expr_replace(w->p, value, w->solved, w->symbol, w->value);
    w->symbol[w->solved++] = symbol;
}

// u = -row(u = 0) / (d row/du)
static bool solve_row(solver *w, uint32_t i, uint32_t j) {
    static const expr zero = EXPR_ZERO;
    const normal_budget budget = normal_budget_default();
    const expr u = w->unknown[j],
               pivot = normal_simplify(w->p, expr_diff(w->p, w->row[i], u), &budget);
    if (pivot == EXPR_ZERO || expr_depends_on(w->p, pivot, 1, &u)) return false;
    keep(w, u, expr_neg(w->p, expr_div(w->p, expr_replace(w->p, w->row[i], 1, &u, &zero), pivot)));
    w->open--;
    w->row[i] = w->row[w->open], w->unknown[j] = w->unknown[w->open];
    return true;
}

static bool solve_all(solver *w) {
    for (uint32_t i = 0; i < w->open;) {
        const uint32_t j = only_unknown(w, w->row[i]);
        if (j == w->open) {
            i++;
            continue;
        }
        if (!solve_row(w, i, j)) return false;
        i = 0;
    }
    return !w->open;
}

bool rows_solve(pool *p, uint32_t n, const expr *row, const expr *unknown, expr *out) {
    expr *list = memory_array(expr, 4 * (size_t)n + 1);
    solver w = {.p = p,
                .open = n,
                .row = list,
                .unknown = list + n,
                .symbol = list + 2 * n,
                .value = list + 3 * n};
    memcpy(w.row, row, sizeof(expr) * n);
    memcpy(w.unknown, unknown, sizeof(expr) * n);
    const bool found = solve_all(&w);
    for (uint32_t i = 0; i < n && found; i++)
        for (uint32_t j = 0; j < n; j++)
            if (w.symbol[j] == unknown[i]) out[i] = w.value[j];
    memory_free(list);
    return found;
}
