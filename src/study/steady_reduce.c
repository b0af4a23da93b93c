// Elimination of what stands linearly in the equations of steady motions.
//
// A row a y + b = 0 whose coefficient a vanishes nowhere in the box gives y = -b/a. Where no such
// row is left, y goes by pairs of rows that are affine in it: a_i b_j - a_j b_i = 0 for one i and
// all j. That is necessary, not sufficient (a_i = a_j = 0): whoever uses it to find motions must
// look at the full equations too.
#include "study/steady_reduce.h"

#include "base/budget.h"
#include "normal/normal.h"

enum { LONGEST_ROW = 4000, MOST_TERMS = 4000 }; // rows beyond are not simplified

typedef struct {
    const steady_problem *w;
    const state *x;
    unknown_use *use; // an unknown that was eliminated is held
    expr *row;
    uint32_t rows;
} work;

static bool is_affine(work *w, expr row, expr y) {
    return expr_degree(w->w->p, row, 1, &y, NULL) <= 1;
}

// Does it vanish nowhere for these values and ranges? What has no range must not stand in it.
static bool vanishes_nowhere(work *w, expr a) {
    const steady_problem *p = w->w;
    if (a == EXPR_ZERO) return false;
    for (uint32_t j = 0; j < p->unknowns; j++)
        if (w->use[j] == UNKNOWN_OTHER && expr_depends_on(p->p, a, 1, &p->unknown[j])) return false;
    program *prog = program_create(p->p, 1, &a);
    arb_t v;
    arb_init(v);
    program_run_arb(prog, w->x->value, w->x->precision, v);
    const bool regular = arb_is_finite(v) && !arb_contains_zero(v);
    arb_clear(v);
    program_free(prog);
    return regular;
}

static void drop_row(work *w, uint32_t i) {
    for (; i + 1 < w->rows; i++) w->row[i] = w->row[i + 1];
    w->rows--;
}

static expr simplified(work *w, expr row) {
    normal_budget b = normal_budget_default();
    if (b.terms > MOST_TERMS) b.terms = MOST_TERMS;
    return expr_is_heavier(w->w->p, row, LONGEST_ROW)
               ? row
               : normal_factored(w->w->p, row, EXPR_NONE, &b);
}

// y = -b/a from a row where a vanishes nowhere
static bool solve_one(work *w) {
    const steady_problem *p = w->w;
    for (uint32_t i = 0; i < w->rows; i++)
        for (uint32_t j = 0; j < p->unknowns; j++) {
            const expr y = p->unknown[j];
            if (w->use[j] != UNKNOWN_OTHER || !expr_depends_on(p->p, w->row[i], 1, &y) ||
                !is_affine(w, w->row[i], y))
                continue;
            const expr a = expr_diff(p->p, w->row[i], y);
            if (!vanishes_nowhere(w, a)) continue;
            const expr b = expr_at_zero(p->p, w->row[i], 1, &y),
                       value = expr_neg(p->p, expr_div(p->p, b, a));
            drop_row(w, i);
            expr_substitute(p->p, 1, &y, &value, w->rows, w->row, w->row);
            w->use[j] = UNKNOWN_HELD;
            return true;
        }
    return false;
}

// All rows with y are affine in it: the shortest of them with each of the others
static bool cross_one(work *w) {
    const steady_problem *p = w->w;
    for (uint32_t j = 0; j < p->unknowns; j++) {
        const expr y = p->unknown[j];
        if (w->use[j] != UNKNOWN_OTHER) continue;
        bool affine = true;
        uint32_t best = UINT32_MAX, lightest = UINT32_MAX;
        for (uint32_t i = 0; i < w->rows && affine; i++) {
            if (!expr_depends_on(p->p, w->row[i], 1, &y)) continue;
            if (!is_affine(w, w->row[i], y)) w->row[i] = simplified(w, w->row[i]);
            affine = is_affine(w, w->row[i], y);
            const uint32_t weight = expr_weight(p->p, expr_diff(p->p, w->row[i], y));
            if (weight < lightest) best = i, lightest = weight;
        }
        if (!affine || best == UINT32_MAX) continue;
        const expr a = expr_diff(p->p, w->row[best], y),
                   b = expr_at_zero(p->p, w->row[best], 1, &y);
        drop_row(w, best);
        for (uint32_t i = 0; i < w->rows; i++) {
            if (!expr_depends_on(p->p, w->row[i], 1, &y)) continue;
            const expr c = expr_diff(p->p, w->row[i], y), d = expr_at_zero(p->p, w->row[i], 1, &y);
            w->row[i] = expr_sub_product(p->p, expr_mul(p->p, a, d), c, b);
        }
        w->use[j] = UNKNOWN_HELD;
        return true;
    }
    return false;
}

steady_reduced steady_reduce(const steady_problem *p, const unknown_use *use, const state *x) {
    work w = {.w = p, .x = x, .rows = p->rows + p->s->n};
    w.use = arena_array(p->arena, unknown_use, p->unknowns);
    w.row = arena_array(p->arena, expr, w.rows);
    steady_reduced out = {.unknown = arena_array(p->arena, expr, p->unknowns), .left = EXPR_NONE};
    for (uint32_t j = 0; j < p->unknowns; j++) {
        w.use[j] = use[j];
        if (use[j] == UNKNOWN_RANGED) out.unknown[out.unknowns++] = p->unknown[j];
    }
    for (uint32_t i = 0; i < w.rows; i++)
        w.row[i] = i < p->rows ? p->row[i] : p->motion[i - p->rows];
    for (bool again = true; again;) {
        budget_check();
        again = solve_one(&w);
        if (again || !cross_one(&w)) continue;
        again = out.crossed = true;
    }
    for (uint32_t i = 0; i < w.rows; i++) {
        const expr row = simplified(&w, w.row[i]);
        bool known = row == EXPR_ZERO;
        for (uint32_t j = 0; j < p->unknowns && !known; j++)
            if (w.use[j] == UNKNOWN_OTHER && expr_depends_on(p->p, row, 1, &p->unknown[j]))
                out.left = p->unknown[j], known = true;
        for (uint32_t k = 0; k < out.rows; k++) known = known || w.row[k] == row;
        if (!known) w.row[out.rows++] = row;
    }
    out.row = w.row;
    return out;
}
