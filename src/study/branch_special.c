// Special points between two points of a branch: located in doubles, refined in balls.
#include "study/branch_special.h"

#include "model/constraint_newton.h"
#include "study/critical.h"
#include "study/hopf_coefficient.h"
#include "study/steady_problem.h"

#include <math.h>
#include <string.h>

enum { BITS = 256, MOST_STEPS = 60 };
static const uint32_t MOST_OPERATIONS = 60000; // of an extended system that is still refined

// --- in doubles ----------------------------------------------------------------------------------

typedef struct {
    branch_system *b;
    const branch_point *from;
    bool is_fold;
    double *y, *t; // where it was looked at last
} located;

// The function that changes its sign, h along the tangent from the first point
static bool value_at(located *l, double h, double *out) {
    branch_system *b = l->b;
    double det;
    const bool good = branch_correct(b, l->from->t, l->from->y, h, l->y) &&
                      branch_tangent(b, l->y, l->from->t, l->t, &det);
    if (good) *out = l->is_fold ? l->t[b->r] : det;
    return good;
}

// How far q is along the tangent of p
static double reach(const branch_system *b, const branch_point *p, const branch_point *q) {
    double h = 0;
    for (uint32_t i = 0; i <= b->r; i++) {
        const double w = i == b->r ? 1 / (b->high - b->low) : 1 / (1 + fabs(p->y[i]));
        h += w * w * p->t[i] * (q->y[i] - p->y[i]);
    }
    return h;
}

// Bisection; near a crossing Newton's method fails or leaves the branch, and it ends there
static bool locate(located *l, const branch_point *q, double left) {
    branch_system *b = l->b;
    const double whole = reach(b, l->from, q);
    double low = 0, high = whole, v;
    for (int i = 0; i < MOST_STEPS && high - low > 1e-13 * whole; i++) {
        const double middle = low + (high - low) / 2, part = middle / whole;
        for (uint32_t k = 0; k <= b->r; k++)
            l->y[k] = l->from->y[k] + part * (q->y[k] - l->from->y[k]);
        if (!value_at(l, middle, &v)) break;
        if ((v > 0) == (left > 0)) low = middle;
        else high = middle;
    }
    for (uint32_t k = 0; k <= b->r; k++)
        l->y[k] = l->from->y[k] + (low + high) / 2 / whole * (q->y[k] - l->from->y[k]);
    value_at(l, (low + high) / 2, &v);
    const bool near = branch_distance(b, l->from->y, l->y) < 2 * fabs(whole) + 1e-12;
    if (near || l->is_fold) return near;
    // steps over a crossing are short: the middle is near enough to begin from
    for (uint32_t k = 0; k <= b->r; k++) l->y[k] = (l->from->y[k] + q->y[k]) / 2;
    return true;
}

// --- in balls ------------------------------------------------------------------------------------

static void make_symbols(branch_system *b, special_systems *x) {
    steady_problem *w = b->path->w;
    if (x->v) return;
    x->slope = b->f + b->r;
    x->v = arena_array(w->arena, expr, b->r + 1);
    for (uint32_t i = 0; i < b->r; i++)
        x->v[i] = expr_symbol(w->p, arena_format(w->arena, "null[%u]", i + 1), ROLE_LOCAL);
    x->b = expr_symbol(w->p, "unfolding", ROLE_LOCAL);
}

static void make_fold(branch_system *b, special_systems *x) {
    pool *p = b->path->w->p;
    const uint32_t r = b->r;
    if (x->fold) return;
    make_symbols(b, x);
    x->fold = arena_array(b->path->w->arena, expr, 2 * r + 1);
    for (uint32_t i = 0; i < r; i++) {
        x->fold[i] = b->f[i];
        x->fold[r + i] = expr_dot(p, r, x->slope + i * (r + 1), x->v);
    }
    x->fold[2 * r] = expr_sub(p, expr_dot(p, r, x->v, x->v), EXPR_ONE);
}

static void make_branch(branch_system *b, special_systems *x) {
    pool *p = b->path->w->p;
    const uint32_t r = b->r;
    if (x->branch) return;
    make_symbols(b, x);
    x->branch = arena_array(b->path->w->arena, expr, 2 * r + 2);
    expr *column = arena_array(b->path->w->arena, expr, r + 1);
    for (uint32_t i = 0; i < r; i++)
        x->branch[i] = expr_add(p, b->f[i], expr_mul(p, x->b, x->v[i]));
    for (uint32_t j = 0; j <= r; j++) {
        for (uint32_t i = 0; i < r; i++) column[i] = x->slope[i * (r + 1) + j];
        x->branch[r + j] = expr_dot(p, r, column, x->v);
    }
    x->branch[2 * r + 1] = expr_sub(p, expr_dot(p, r, x->v, x->v), EXPR_ONE);
}

static void set(state *x, expr symbol, double v) {
    arb_t a;
    arb_init(a);
    arb_set_d(a, v);
    state_set(x, symbol, a);
    arb_clear(a);
}

// What 256 bits leave of a 0
static double without_dust(double v) { return fabs(v) < 1e-60 ? 0 : v; }

// Solves count functions for (y, v, b); sets value and y where the solution is near
static void refine(branch_system *b, special_systems *x, bool is_fold, const double *y,
                   const double *v, special_point *out) {
    steady_problem *w = b->path->w;
    const uint32_t r = b->r, count = is_fold ? 2 * r + 1 : 2 * r + 2;
    const expr *f = is_fold ? x->fold : x->branch;
    expr *variable = arena_array(w->arena, expr, count);
    path_point at;
    branch_point_at(b, y, BITS, &at);
    state_reserve(&at.x);
    for (uint32_t i = 0; i <= r; i++) variable[i] = b->variable[i];
    for (uint32_t i = 0; i < r; i++) variable[r + 1 + i] = x->v[i], set(&at.x, x->v[i], v[i]);
    if (!is_fold) variable[2 * r + 1] = x->b, set(&at.x, x->b, 0);
    newton_result result = {.row = memory_array(uint32_t, count),
                            .column = memory_array(uint32_t, count)};
    uint8_t *fixed = memory_zeros(uint8_t, count);
    const newton_problem problem = {count, count, f, variable, fixed, false};
    if (program_operations(w->p, count, f) <= MOST_OPERATIONS)
        constraint_newton_solve(&at.x, &problem, &result);
    double *near = memory_array(double, r + 1);
    for (uint32_t i = 0; i <= r; i++) near[i] = ball_middle(state_get(&at.x, b->variable[i]));
    bool good = result.converged && result.rank == count && branch_distance(b, y, near) < 1e-3;
    if (good && !is_fold) // there is a crossing, not two branches that pass close by
        good = arf_cmpabs_2exp_si(arb_midref(state_get(&at.x, x->b)), -BITS / 2) < 0;
    if (good) {
        for (uint32_t i = 0; i <= r; i++) out->y[i] = without_dust(near[i]);
        arb_set(out->value, state_get(&at.x, b->path->p));
        out->refined = true;
        path_point_set_p(b->path, &at, out->value);
        out->proved =
            is_fold && result.verified && b->path->proves && path_point_rows_follow(b->path, &at);
    }
    memory_free(near), memory_free(fixed), memory_free(result.row), memory_free(result.column);
    path_point_clear(&at);
}

// u with dF/dy^T u = 0, nearly, by inverse iteration; rows are scaled beforehand
static bool left_null(branch_system *b, const double *y, double *u) {
    const uint32_t r = b->r, n = r + 1;
    arb_mat_t m, x;
    double *f = memory_array(double, r + 1), *j = memory_array(double, r *n + 1);
    bool good = branch_evaluate(b, y, f, j);
    arb_mat_init(m, r, r), arb_mat_init(x, r, 1);
    // G G^T + small, r x r: its smallest eigenvector
    arb_t small;
    arb_init(small);
    for (uint32_t i = 0; i < r; i++)
        for (uint32_t k = 0; k < r; k++) {
            double sum = 0;
            for (uint32_t c = 0; c < n; c++) sum += j[i * n + c] * j[k * n + c];
            arb_set_d(arb_mat_entry(m, i, k), sum);
        }
    arb_set_d(small, 1e-20);
    for (uint32_t i = 0; i < r; i++) {
        arb_add(arb_mat_entry(m, i, i), arb_mat_entry(m, i, i), small, 128);
        arb_set_d(arb_mat_entry(x, i, 0), 1 + 0.1 * i);
    }
    for (int k = 0; k < 3 && good; k++) {
        good = arb_mat_approx_solve(x, m, x, 128);
        double length = 0;
        for (uint32_t i = 0; i < r; i++) {
            u[i] = ball_middle(arb_mat_entry(x, i, 0));
            length = hypot(length, u[i]);
        }
        good = good && length > 0 && isfinite(length);
        for (uint32_t i = 0; i < r && good; i++)
            u[i] /= length, arb_set_d(arb_mat_entry(x, i, 0), u[i]);
    }
    arb_clear(small);
    arb_mat_clear(m), arb_mat_clear(x);
    memory_free(f), memory_free(j);
    return good;
}

static void open_special(const branch_system *b, point_kind kind, const double *y,
                         special_point *out) {
    *out = (special_point){.kind = kind, .y = memory_array(double, b->r + 1)};
    memcpy(out->y, y, sizeof *y * (b->r + 1));
    arb_init(out->value);
    arb_set_d(out->value, y[b->r]);
}

void special_point_clear(special_point *s) {
    memory_free(s->y);
    arb_clear(s->value);
}

bool branch_find_fold(branch_system *b, special_systems *x, const branch_point *p,
                      const branch_point *q, special_point *out) {
    const uint32_t n = b->r + 1;
    located l = {b, p, true, memory_array(double, 2 * n), NULL};
    l.t = l.y + n;
    const bool good = locate(&l, q, p->t[b->r]);
    if (good) {
        open_special(b, POINT_FOLD, l.y, out);
        double length = 0;
        for (uint32_t i = 0; i < b->r; i++) length = hypot(length, l.t[i]);
        for (uint32_t i = 0; i < b->r; i++) l.t[i] /= length;
        make_fold(b, x);
        refine(b, x, true, l.y, l.t, out);
    }
    memory_free(l.y);
    return good;
}

bool branch_find_crossing(branch_system *b, special_systems *x, const branch_point *p,
                          const branch_point *q, special_point *out) {
    const uint32_t n = b->r + 1;
    located l = {b, p, false, memory_array(double, 2 * n), NULL};
    double *u = memory_array(double, n);
    l.t = l.y + n;
    const bool good = locate(&l, q, p->det);
    if (good) {
        open_special(b, POINT_BRANCH, l.y, out);
        make_branch(b, x);
        if (left_null(b, l.y, u)) refine(b, x, false, l.y, u, out);
    }
    memory_free(l.y), memory_free(u);
    return good;
}

bool branch_find_near(branch_system *b, special_systems *x, const double *y, const double *v,
                      special_point *out) {
    double *u = memory_array(double, b->r + 1);
    open_special(b, POINT_FOLD, y, out);
    make_fold(b, x);
    refine(b, x, true, y, v, out);
    if (!out->refined) {
        out->kind = POINT_BRANCH;
        make_branch(b, x);
        if (left_null(b, y, u)) refine(b, x, false, y, u, out);
    }
    if (!out->refined) special_point_clear(out);
    memory_free(u);
    return out->refined;
}

// --- changes of the verdict ----------------------------------------------------------------------

// Half of the way from p to q, on the branch
static bool half_way(branch_system *b, const branch_point *p, const branch_point *q,
                     branch_point *out) {
    double *y = memory_array(double, b->r + 1);
    for (uint32_t i = 0; i <= b->r; i++) y[i] = (p->y[i] + q->y[i]) / 2;
    const double h = reach(b, p, q) / 2;
    const bool good = branch_correct(b, p->t, p->y, h, y) &&
                      branch_distance(b, p->y, y) < branch_distance(b, p->y, q->y) &&
                      branch_point_make(b, y, p->t, out);
    memory_free(y);
    return good;
}

// The last point that has the verdict of p, nearly; y is NULL where p itself is the last one
static branch_point last_like(branch_system *b, const branch_point *p, const branch_point *q) {
    static const double NEAR = 1e-11;
    branch_point left = {0}, right = {0}, middle;
    for (int i = 0; i < MOST_STEPS; i++) {
        const branch_point *from = left.y ? &left : p, *to = right.y ? &right : q;
        if (branch_distance(b, from->y, to->y) < NEAR || !half_way(b, from, to, &middle)) break;
        branch_point *side = middle.stable == p->stable ? &left : &right;
        branch_point_free(side);
        *side = middle;
    }
    branch_point_free(&right);
    return left;
}

// So near to the change digits do not tell the verdict: half of the way between what is certain
bool branch_find_change(branch_system *b, const branch_point *p, const branch_point *q,
                        branch_point *out) {
    branch_point left = last_like(b, p, q), right = last_like(b, q, p);
    const bool good = half_way(b, left.y ? &left : p, right.y ? &right : q, out);
    branch_point_free(&left), branch_point_free(&right);
    if (good) out->stable = p->stable;
    return good;
}

// --- Hopf ----------------------------------------------------------------------------------------

static void set_row(branch_system *b, const branch_point *p, scan_row *row) {
    row->p = p->y[b->r];
    row->re = p->re, row->im = p->im;
    branch_point_at(b, p->y, 53, &row->at);
}

bool branch_find_hopf(branch_system *b, const branch_point *p, const branch_point *q,
                      special_point *out) {
    const bool up = p->y[b->r] < q->y[b->r];
    scan_row row[2];
    memset(row, 0, sizeof row);
    scan s = {.path = b->path, .count = p->count, .row_count = 2, .row = row, .has_values = true};
    set_row(b, up ? p : q, &row[0]), set_row(b, up ? q : p, &row[1]);
    const bool idle[TESTS] = {[TEST_ZERO] = true, [TEST_DOUBLE] = true};
    critical_values found;
    bool good = path_point_linearise(b->path, &row[0].at, NULL) &&
                path_point_linearise(b->path, &row[1].at, NULL);
    if (good) {
        arb_t low, high;
        arb_init(low), arb_init(high);
        arb_set_d(low, row[0].p), arb_set_d(high, row[1].p);
        scan_test(&s, (spectrum_kind){0});
        critical_find(&s, (spectrum_kind){0}, idle, low, high, &found);
        good = found.count > 0;
        path_point at = {0};
        if (good) {
            good = critical_point(&s, found.at[0].value, BITS, false, NULL, &at);
            open_special(b, POINT_HOPF, p->y, out);
            for (uint32_t i = 0; i <= b->r; i++)
                out->y[i] = without_dust(ball_middle(state_get(&at.x, b->variable[i])));
            arb_set(out->value, found.at[0].value);
            out->proved = found.at[0].proved, out->refined = true;
            out->frequency = found.at[0].frequency;
            out->has_l1 =
                good && hopf_coefficient(b->path, &at, out->frequency, &out->l1, &out->why);
            path_point_clear(&at);
            good = true;
        }
        critical_clear(&found);
        arb_clear(low), arb_clear(high);
    }
    path_point_clear(&row[0].at), path_point_clear(&row[1].at);
    return good;
}

// --- branch points by symmetry -------------------------------------------------------------------

// A row of the path on which zeros stay 0, at p, from the values of a point of the branch
static bool still_row(branch_system *b, steady_path *still, const double *y, double p,
                      scan_row *row) {
    const steady_problem *w = still->w;
    path_point near;
    arb_t v;
    arb_init(v);
    branch_point_at(b, y, 64, &near);
    path_point_init(still, 53, &row->at);
    for (uint32_t i = 0; i < still->rank; i++) {
        const expr unknown = w->unknown[still->solved[i]];
        state_set(&row->at.x, unknown, state_get(&near.x, unknown));
    }
    bool is_zero = true;
    for (uint32_t i = 0; i < still->zeros; i++)
        is_zero =
            is_zero &&
            arf_cmpabs_2exp_si(arb_midref(state_get(&near.x, w->unknown[still->zero[i]])), -60) < 0;
    arb_set_d(v, p);
    path_point_set_p(still, &row->at, v);
    const bool good =
        is_zero && path_point_solve(still, &row->at) && path_point_linearise(still, &row->at, NULL);
    row->p = p;
    arb_clear(v);
    path_point_clear(&near);
    return good;
}

void branch_prove_crossing(branch_system *b, steady_path *still, special_point *s) {
    const double p = s->y[b->r], aside = 1e-4 * (b->high - b->low);
    const bool idle[TESTS] = {[TEST_HOPF] = true, [TEST_DOUBLE] = true};
    scan_row row[2];
    memset(row, 0, sizeof row);
    scan all = {.path = still, .row_count = 2, .row = row, .has_values = true};
    if (!s->refined || !still->zeros) return;
    if (still_row(b, still, s->y, p - aside, &row[0]) &&
        still_row(b, still, s->y, p + aside, &row[1])) {
        critical_values found;
        arb_t low, high;
        arb_init(low), arb_init(high);
        all.count = row[0].at.linear.count;
        arb_set_d(low, row[0].p), arb_set_d(high, row[1].p);
        scan_test(&all, (spectrum_kind){0});
        critical_find(&all, (spectrum_kind){0}, idle, low, high, &found);
        if (found.count == 1 && found.at[0].proved && arb_overlaps(found.at[0].value, s->value)) {
            arb_set(s->value, found.at[0].value);
            s->proved = true;
        }
        critical_clear(&found);
        arb_clear(low), arb_clear(high);
    }
    path_point_clear(&row[0].at), path_point_clear(&row[1].at);
}
