// A multiple root of one unknown that is known exactly, and an interval around it without others.
//
// If F(x0) = F'(x0) = .. = F^(k-1)(x0) = 0 exactly, for a fraction x0, and F^(k) vanishes nowhere
// on an interval, then F has no other zero there: between k + 1 zeros, counted with their
// multiplicity, Rolle's theorem would find one of F^(k).
#include "model/points.h"
#include "study/steady_box.h"

#include <math.h>

enum { MOST_MULTIPLE = 12, LARGEST_DENOMINATOR = 360, BITS = 80 };

typedef struct {
    const box_search *b;
    const steady_reduced *r;
    points at;
    expr y, root; // the unknown, and the fraction
} work;

// A fraction with a small denominator in the ball of a number, which then becomes that fraction
static expr take_fraction(pool *p, arb_ptr v, slong bits) {
    const double near = ball_middle(v);
    for (int denominator = 1; denominator <= LARGEST_DENOMINATOR; denominator++) {
        const double numerator = round(near * denominator);
        if (fabs(numerator) > 1e9 || fabs(near - numerator / denominator) > 1e-6) continue;
        arb_t exact;
        arb_init(exact);
        arb_set_d(exact, numerator);
        arb_div_ui(exact, exact, (ulong)denominator, bits);
        const bool inside = arb_overlaps(v, exact);
        if (inside) arb_set(v, exact);
        arb_clear(exact);
        return inside ? expr_rational(p, (int64_t)numerator, (uint64_t)denominator) : EXPR_NONE;
    }
    return EXPR_NONE;
}

// Values that are held, where they are exact
static expr put_held(const work *w, expr e) {
    const steady_problem *p = w->b->w;
    for (uint32_t j = 0; j < p->unknowns; j++) {
        arb_srcptr v = state_get((state *)&w->b->out->x, p->unknown[j]);
        if (w->b->out->use[j] != UNKNOWN_HELD || !expr_depends_on(p->p, e, 1, &p->unknown[j]) ||
            !arb_is_exact(v) || !arf_is_int_2exp_si(arb_midref(v), -40))
            continue;
        const expr exact = expr_exact(p->p, ball_middle(v));
        e = expr_replace(p->p, e, 1, &p->unknown[j], &exact);
    }
    return e;
}

static bool vanishes(work *w, expr e) {
    return points_vanish(&w->at, expr_replace(w->b->w->p, put_held(w, e), 1, &w->y, &w->root)) ==
           VANISHES_YES;
}

static bool excludes_zero(const work *w, expr e, double low, double high) {
    const steady_problem *p = w->b->w;
    state x;
    state_copy(&w->b->out->x, BITS, &x);
    state_reserve(&x);
    arf_t a, b;
    arb_t v;
    arf_init(a), arf_init(b), arb_init(v);
    arf_set_d(a, low), arf_set_d(b, high);
    arb_set_interval_arf(v, a, b, BITS);
    state_set(&x, w->y, v);
    program *prog = program_create(p->p, 1, &e);
    program_run_arb(prog, x.value, BITS, v);
    const bool excluded = arb_is_finite(v) && !arb_contains_zero(v);
    program_free(prog);
    arf_clear(a), arf_clear(b), arb_clear(v);
    state_clear(&x);
    return excluded;
}

// The widest interval, of a few, on which the first derivative that is not 0 at the root is not 0
static bool find_interval(work *w, expr row, double near, double full, double *low, double *high) {
    uint32_t breaks;
    memory_free(expr_breaks(w->b->w->p, 1, &row, &breaks));
    if (breaks) return false; // derivatives do not see jumps
    expr slope = row;
    for (int k = 0; k <= MOST_MULTIPLE; k++, slope = expr_diff(w->b->w->p, slope, w->y)) {
        if (vanishes(w, slope)) continue;
        for (double part = 0.5; part > 1e-9 && k; part /= 2) {
            *low = near - part * full, *high = near + part * full;
            if (excludes_zero(w, slope, *low, *high)) return true;
        }
        return false;
    }
    return false;
}

bool steady_box_settle_multiple(const box_search *b, const steady_reduced *r, steady_motion *m,
                                double full, double *low, double *high) {
    if (!m->multiple || m->kink || r->unknowns != 1 || r->crossed || b->w->also_count) return false;
    work w = {.b = b, .r = r, .y = r->unknown[0]};
    const double near = ball_middle(state_get(&m->x, w.y));
    w.at = points_on(b->w->s->model, 0, NULL, true);
    w.root = take_fraction(b->w->p, state_get(&m->x, w.y), m->x.precision);
    if (w.root == EXPR_NONE) return false;
    for (uint32_t i = 0; i < r->rows; i++)
        if (!vanishes(&w, r->row[i])) return false;
    m->exact = true; // all rows that were eliminated follow
    for (uint32_t i = 0; i < r->rows; i++)
        if (find_interval(&w, r->row[i], near, full, low, high)) return true;
    return false;
}
