// Closed forms of steady motions.
//
// Coordinates that the symmetries move are put to 0. Multipliers, speeds, quasi-velocities and
// dependent velocities stand linearly in the rows and are eliminated; where a coefficient that is
// divided by may vanish, that is a branch of its own. What is left is factored; each factor opens a
// branch, in which an unknown is solved for:
//   a y + b = 0,  a y^2 + b y + c = 0,  a sin(y) + b = 0,  a cos(y) + b = 0,
// until at most one relation is left. A form is kept if all rows vanish at random points of F_p.
#include "study/steady_closed.h"

#include "normal/normal.h"
#include "study/steady_solve.h"

#include <string.h>

enum { MOST_BRANCHES = 64, MOST_FORMS = 24, MOST_DEPTH = 12, MOST_FACTORS = 32, MUCH = 10000 };
enum { LONGEST_SHOWN = 300 }; // expr_weight() of an equation that is left

typedef struct {
    steady_problem *w;
    pool *p;
    arena *a;
    closed_solver solver; // with all equations, gauge put in
    uint32_t unknowns;
    expr *unknown; // that are not eliminated: shape and independent velocities
    expr *hidden;  // the others
    uint32_t hiddens;
    uint32_t branches;
    closed_forms out;
    closed_form *form;
    bool lost; // a branch was not followed
} work;

typedef struct {
    uint32_t values, rows, divisors;
    closed_solution *value;
    expr *row;
    expr *divisor; // what was divided by: not 0 in this branch
} branch;

// --- gauge ---------------------------------------------------------------------------------------

// For each symmetry a coordinate that it can bring to 0: one that it shifts, or that it turns
static void choose_gauge(work *w) {
    const mechanics *s = w->w->s;
    const uint32_t n = s->n, g = w->w->group->count;
    w->out.gauge = arena_array(w->a, expr, n + 1);
    for (uint32_t a = 0; a < g; a++) {
        expr *field = arena_array(w->a, expr, n), *zero = arena_array(w->a, expr, n + 1);
        expr_substitute(w->p, w->out.gauges, w->out.gauge, zero, n, w->w->group->at[a].field,
                        field);
        uint32_t best = n;
        for (uint32_t i = n; i-- > 0;)
            if (field[i] != EXPR_ZERO && !expr_depends_on(w->p, field[i], n, s->q)) best = i;
        for (uint32_t i = n; i-- > 0 && best == n;) {
            bool turns = field[i] != EXPR_ZERO;
            for (uint32_t j = 0; j < n && turns; j++) // antisymmetric
                turns = expr_add(w->p, w->w->group->at[a].matrix[i * n + j],
                                 w->w->group->at[a].matrix[j * n + i]) == EXPR_ZERO;
            if (turns) best = i;
        }
        bool taken = best == n;
        for (uint32_t i = 0; i < w->out.gauges; i++) taken = taken || w->out.gauge[i] == s->q[best];
        if (!taken) w->out.gauge[w->out.gauges++] = s->q[best];
    }
}

// --- elimination ---------------------------------------------------------------------------------

static void substitute(work *w, branch *b, expr from, expr to) {
    expr_substitute(w->p, 1, &from, &to, b->rows, b->row, b->row);
    expr_substitute(w->p, 1, &from, &to, b->divisors, b->divisor, b->divisor);
    for (uint32_t i = 0; i < b->values; i++)
        b->value[i].right = expr_replace(w->p, b->value[i].right, 1, &from, &to);
}

static void drop(branch *b, uint32_t i) {
    for (; i + 1 < b->rows; i++) b->row[i] = b->row[i + 1];
    b->rows--;
}

static bool holds_unknown(work *w, expr e) {
    return expr_depends_on(w->p, e, w->unknowns, w->unknown);
}

static void take_factors(work *w, const branch *b, expr row, uint32_t depth);

// The motions for which the coefficient that is divided by vanishes are a branch of their own.
static void follow_zero(work *w, const branch *b, expr coefficient, uint32_t depth) {
    if (!holds_unknown(w, coefficient)) return;
    const expr factored = closed_solver_factored(&w->solver, coefficient);
    if (factored == EXPR_NONE) w->lost = true;
    else take_factors(w, b, factored, depth);
}

// An unknown that is not named to users, or depends on others, from the row that is affine in it
// and has the simplest coefficient; false if there is none.
static bool eliminate(work *w, branch *b, expr y, uint32_t depth) {
    uint32_t best = UINT32_MAX, lightest = UINT32_MAX;
    for (uint32_t i = 0; i < b->rows; i++) {
        if (!expr_depends_on(w->p, b->row[i], 1, &y) ||
            expr_degree(w->p, b->row[i], 1, &y, NULL) > 1)
            continue;
        const expr a = expr_diff(w->p, b->row[i], y);
        const uint32_t weight = expr_weight(w->p, a) / 2 + (holds_unknown(w, a) ? MUCH : 0);
        if (weight < lightest && points_vanish(&w->solver.at, a) == VANISHES_NO)
            best = i, lightest = weight;
    }
    if (best == UINT32_MAX) return false;
    const expr a = expr_diff(w->p, b->row[best], y), c = expr_at_zero(w->p, b->row[best], 1, &y),
               to = expr_neg(w->p, expr_div(w->p, c, a));
    follow_zero(w, b, a, depth);
    b->divisor[b->divisors++] = a;
    drop(b, best);
    substitute(w, b, y, to);
    b->value[b->values++] = (closed_solution){y, to};
    return true;
}

// Speeds, quasi-velocities, dependent velocities, multipliers, in this order; false where one of
// them stays though rows hold it
static bool eliminate_all(work *w, branch *b, uint32_t depth) {
    for (uint32_t i = 0; i < w->hiddens; i++) {
        const expr y = w->hidden[i];
        if (expr_any_depends_on(w->p, b->rows, b->row, 1, &y)) eliminate(w, b, y, depth);
    }
    for (uint32_t i = 0; i < w->hiddens; i++) { // some stood behind others
        const expr y = w->hidden[i];
        if (expr_any_depends_on(w->p, b->rows, b->row, 1, &y) && !eliminate(w, b, y, depth))
            return false;
    }
    return true;
}

static void list_hidden(work *w) {
    const steady_problem *p = w->w;
    const mechanics *s = p->s;
    w->hidden = arena_array(w->a, expr, p->group->count + s->m + 2 * s->k + 1);
    for (uint32_t a = 0; a < p->group->count; a++) w->hidden[w->hiddens++] = p->speed[a];
    for (uint32_t i = 0; i < s->m && s->has_quasi; i++) w->hidden[w->hiddens++] = s->eta[i];
    for (uint32_t i = 0; i < s->k; i++) w->hidden[w->hiddens++] = s->qd[s->dependent[i]];
    for (uint32_t nu = 0; nu < s->k; nu++) w->hidden[w->hiddens++] = s->multiplier[nu];
}

// --- branches ------------------------------------------------------------------------------------

static branch copy_of(work *w, const branch *b) {
    branch out = {.values = b->values, .rows = b->rows};
    out.value = arena_array(w->a, closed_solution, b->values + w->w->unknowns + 1);
    out.row = arena_array(w->a, expr, b->rows + 1);
    out.divisor = arena_array(w->a, expr, b->divisors + w->w->unknowns + 1);
    out.divisors = b->divisors;
    memcpy(out.divisor, b->divisor, sizeof *out.divisor * b->divisors);
    memcpy(out.value, b->value, sizeof *out.value * b->values);
    memcpy(out.row, b->row, sizeof *out.row * b->rows);
    return out;
}

// Does the matrix of (q'', lambda) lose rank for all motions of the branch?
static bool is_singular(work *w, const branch *b) {
    const steady_problem *p = w->w;
    const uint32_t size = p->s->n + p->s->k;
    expr *matrix = arena_array(w->a, expr, size * size),
         *zero = arena_array(w->a, expr, w->out.gauges + 1);
    expr_substitute(w->p, w->out.gauges, w->out.gauge, zero, size * size, p->inertia, matrix);
    for (uint32_t i = 0; i < b->values; i++)
        expr_substitute(w->p, 1, &b->value[i].left, &b->value[i].right, size * size, matrix,
                        matrix);
    return points_largest_rank(&w->solver.at, size, size, matrix) < size;
}

static bool is_same(const closed_form *x, const closed_form *y) {
    return x->values == y->values && x->relation == y->relation && x->rests == y->rests &&
           (!x->values || !memcmp(x->value, y->value, sizeof *x->value * x->values)) &&
           (!x->rests || !memcmp(x->rest, y->rest, sizeof *x->rest * x->rests));
}

static void keep(work *w, const branch *b, closed_form *f) {
    if (!closed_solver_is_defined(&w->solver, b->values, b->value, NULL)) return;
    if (w->out.count >= MOST_FORMS) {
        w->lost = true;
        return;
    }
    f->value = arena_array(w->a, closed_solution, b->values + 1);
    f->parameter = arena_array(w->a, expr, w->unknowns + 1);
    const mechanics *s = w->w->s;
    for (uint32_t i = 0; i < 2 * s->n + (s->has_quasi ? s->m : 0);
         i++) { // by coordinates, velocities, quasi-velocities
        const expr e = i < s->n ? s->q[i] : i < 2 * s->n ? s->qd[i - s->n] : s->eta[i - 2 * s->n];
        for (uint32_t k = 0; k < b->values; k++)
            if (b->value[k].left == e || (!expr_as_symbol(w->p, b->value[k].left) &&
                                          expr_operand(w->p, b->value[k].left, 0) == e)) {
                f->value[f->values] = b->value[k];
                f->value[f->values++].right =
                    closed_solver_simplified(&w->solver, b->value[k].right);
            }
    }
    for (uint32_t i = 0; i < w->unknowns; i++) {
        bool solved = false;
        for (uint32_t k = 0; k < b->values; k++) {
            const expr left = b->value[k].left;
            solved = solved || left == w->unknown[i] ||
                     (!expr_as_symbol(w->p, left) && expr_operand(w->p, left, 0) == w->unknown[i]);
        }
        if (!solved) f->parameter[f->free++] = w->unknown[i];
    }
    f->singular = is_singular(w, b);
    for (uint32_t i = 0; i < w->out.count; i++)
        if (is_same(&w->form[i], f)) return;
    w->form[w->out.count++] = *f;
}

// One relation is left: it is solved for whatever can be solved for
static void end_with_relation(work *w, const branch *b, expr factor) {
    closed_form f = {.relation = closed_solver_simplified(&w->solver, factor)};
    f.solution = arena_array(w->a, closed_solution, CLOSED_MOST_SOLUTIONS * w->unknowns + 1);
    for (uint32_t i = 0; i < w->unknowns; i++) {
        const expr y = w->unknown[i];
        if (!expr_depends_on(w->p, factor, 1, &y)) continue;
        expr left = y, out[CLOSED_MOST_SOLUTIONS];
        uint32_t count = closed_solver_polynomial(&w->solver, factor, y, out);
        if (!count) count = closed_solver_circular(&w->solver, factor, y, &left, out);
        for (uint32_t k = 0; k < count; k++) {
            const closed_solution last = {left, out[k]};
            if (closed_solver_verify(&w->solver, b->values, b->value, &last))
                f.solution[f.solutions++] = last;
        }
    }
    f.unsolved = !f.solutions;
    keep(w, b, &f);
}

static void follow(work *w, branch *b, uint32_t depth);

static void take_value(work *w, const branch *b, expr left, expr right, uint32_t depth) {
    branch next = copy_of(w, b);
    substitute(w, &next, left, right);
    next.value[next.values++] = (closed_solution){left, right};
    follow(w, &next, depth + 1);
}

// cos(y) or sin(y) has a value, and rows are left: the other one has two signs
static void take_circular(work *w, const branch *b, expr left, expr right, uint32_t depth) {
    const expr y = expr_operand(w->p, left, 0);
    const bool is_sine = expr_kind_of(w->p, left) == EXPR_SIN;
    const expr other = expr_function(w->p, is_sine ? EXPR_COS : EXPR_SIN, &y),
               root = expr_sqrt(
                   w->p, closed_solver_simplified(
                             &w->solver, expr_sub(w->p, EXPR_ONE, expr_square(w->p, right))));
    for (int sign = -1; sign <= 1; sign += 2) {
        branch next = copy_of(w, b);
        substitute(w, &next, left, right);
        substitute(w, &next, other, sign < 0 ? expr_neg(w->p, root) : root);
        next.value[next.values++] = (closed_solution){left, right};
        if (!expr_any_depends_on(w->p, next.rows, next.row, 1, &y)) follow(w, &next, depth + 1);
        else w->lost = true;
    }
}

// Solve for one unknown and go on with the other rows
static bool go_on(work *w, const branch *b, expr factor, uint32_t depth) {
    for (int most = 1; most <= CLOSED_MOST_SOLUTIONS; most *= 2)
        for (uint32_t i = w->unknowns; i-- > 0;) { // velocities first
            const expr y = w->unknown[i];
            expr out[CLOSED_MOST_SOLUTIONS], left;
            if (!expr_depends_on(w->p, factor, 1, &y)) continue;
            uint32_t count = closed_solver_polynomial(&w->solver, factor, y, out);
            if (count && count <= (uint32_t)most) {
                for (uint32_t k = 0; k < count; k++) take_value(w, b, y, out[k], depth);
                return true;
            }
            count = most == 2 ? closed_solver_circular(&w->solver, factor, y, &left, out) : 0;
            if (count && expr_kind_of(w->p, left) != EXPR_TAN) {
                for (uint32_t k = 0; k < count; k++) take_circular(w, b, left, out[k], depth);
                return true;
            }
        }
    return false;
}

static void take_factor(work *w, const branch *b, expr factor, uint32_t depth) {
    expr y, out[CLOSED_MOST_SOLUTIONS];
    const uint32_t plain = closed_solver_plain(&w->solver, factor, &y, out);
    for (uint32_t k = 0; k < plain; k++) take_value(w, b, y, out[k], depth);
    if (plain) return;
    uint32_t held = 0, roots;
    for (uint32_t i = 0; i < w->unknowns; i++)
        if (expr_depends_on(w->p, factor, 1, &w->unknown[i])) held++, y = w->unknown[i];
    if (held == 1 && (roots = closed_solver_polynomial(&w->solver, factor, y, out)))
        for (uint32_t k = 0; k < roots; k++) take_value(w, b, y, out[k], depth);
    else if (!b->rows) end_with_relation(w, b, factor);
    else if (!go_on(w, b, factor, depth)) {
        closed_form f = {.relation = EXPR_NONE, .unsolved = true};
        f.rest = arena_array(w->a, expr, b->rows + 1);
        f.rest[f.rests++] = closed_solver_simplified(&w->solver, factor);
        for (uint32_t i = 0; i < b->rows; i++) f.rest[f.rests++] = b->row[i];
        bool short_enough = !is_singular(w, b);
        for (uint32_t i = 0; i < f.rests; i++)
            short_enough = short_enough && !expr_is_heavier(w->p, f.rest[i], LONGEST_SHOWN);
        if (short_enough) keep(w, b, &f);
        else w->lost = true;
    }
}

static void take_factors(work *w, const branch *b, expr row, uint32_t depth) {
    expr factor[MOST_FACTORS];
    const uint32_t count = closed_solver_factors(&w->solver, row, MOST_FACTORS, factor);
    for (uint32_t k = 0; k < count; k++)
        if (holds_unknown(w, factor[k]) && expr_kind_of(w->p, factor[k]) != EXPR_EXP) // never 0
            take_factor(w, b, factor[k], depth);
}

// These motions are in another branch.
static bool divides_by_zero(work *w, const branch *b) {
    for (uint32_t i = 0; i < b->divisors; i++)
        if (points_vanish(&w->solver.at, b->divisor[i]) == VANISHES_YES) return true;
    return false;
}

// Rows in factored form; false if one of them cannot vanish, or is too long
static bool settle_rows(work *w, branch *b) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < b->rows; i++) {
        const expr row = closed_solver_factored(&w->solver, b->row[i]);
        if (row == EXPR_NONE) w->lost = true;
        if (row == EXPR_NONE || (row != EXPR_ZERO && !holds_unknown(w, row))) return false;
        bool known = row == EXPR_ZERO;
        for (uint32_t k = 0; k < kept; k++) known = known || b->row[k] == row;
        if (!known) b->row[kept++] = row;
    }
    b->rows = kept;
    return true;
}

static void follow(work *w, branch *b, uint32_t depth) {
    if (++w->branches > MOST_BRANCHES || depth > MOST_DEPTH) {
        w->lost = true;
        return;
    }
    if (divides_by_zero(w, b)) return;
    if (!eliminate_all(w, b, depth)) {
        w->lost = true;
        return;
    }
    if (!settle_rows(w, b)) return;
    if (!b->rows) {
        closed_form f = {.relation = EXPR_NONE};
        if (closed_solver_verify(&w->solver, b->values, b->value, NULL)) keep(w, b, &f);
        else w->lost = true;
        return;
    }
    uint32_t best = 0;
    for (uint32_t i = 1; i < b->rows; i++)
        if (expr_weight(w->p, b->row[i]) < expr_weight(w->p, b->row[best])) best = i;
    const expr row = b->row[best];
    drop(b, best);
    take_factors(w, b, row, depth);
}

closed_forms steady_closed_forms(steady_problem *p) {
    work w = {
        .w = p,
        .p = p->p,
        .a = p->arena,
        .solver = {.p = p->p, .a = p->arena, .at = points_of(p->s), .rows = p->rows + p->s->n}};
    const mechanics *s = p->s;
    choose_gauge(&w);
    w.solver.row = arena_array(w.a, expr, w.solver.rows);
    w.form = arena_array(w.a, closed_form, MOST_FORMS);
    expr *zero = arena_array(w.a, expr, s->n + 1);
    for (uint32_t i = 0; i < w.solver.rows; i++)
        w.solver.row[i] = i < p->rows ? p->row[i] : p->motion[i - p->rows];
    expr_substitute(w.p, w.out.gauges, w.out.gauge, zero, w.solver.rows, w.solver.row,
                    w.solver.row);
    w.unknown = arena_array(w.a, expr, s->n + s->m + p->also_count);
    for (uint32_t i = 0; i < s->n; i++) {
        bool gauge = false;
        for (uint32_t k = 0; k < w.out.gauges; k++) gauge = gauge || w.out.gauge[k] == s->q[i];
        if (!gauge) w.unknown[w.unknowns++] = s->q[i];
    }
    for (uint32_t i = 0; i < s->m; i++) w.unknown[w.unknowns++] = s->qd[s->independent[i]];
    branch all = {.rows = w.solver.rows, .row = arena_array(w.a, expr, w.solver.rows)};
    all.value = arena_array(w.a, closed_solution, p->unknowns + 1);
    all.divisor = arena_array(w.a, expr, p->unknowns + 1);
    memcpy(all.row, w.solver.row, sizeof *w.solver.row * w.solver.rows);
    list_hidden(&w);
    follow(&w, &all, 0);
    if (!w.out.reason && w.lost)
        w.out.reason = "some branches were too long or of too high a degree";
    if (!w.out.reason && !w.out.count)
        w.out.reason = "there is no steady motion for parameters in general";
    w.out.form = w.form;
    if (w.lost) w.out.shape = steady_shape_form(p, w.out.gauges, w.out.gauge);
    return w.out;
}
