// Combinations in the place of constraints that depend on one another. With r independent ones
// among k > r, any r of them may lose rank where the k together do not: sin(p)*w = 0 says nothing
// at p = 0, where cos(p)*w = 0 still does. Elimination without denominators, each row divided by
// what its entries have in common, leaves w = 0.
#include "model/independence.h"

#include "normal/normal.h"

#include <math.h>
#include <string.h>

enum { MOST_MEMBERS = 24, MOST_COLUMNS = 64, HEAVIEST = 20000 };

typedef struct {
    constraint_rows *r;
    pool *p;
    points at; // on the constraints: what vanishes there is zero
    state *here;
    uint32_t members, width; // columns: q'_1 .. q'_n, then what is free of q'
    const uint32_t *row;     // of each member
    expr *e;                 // members x width
    // spans the same as what was stated, wherever that is: only multiples of others were added
    bool *plain;
    bool *pivot; // has been one
    bool *empty; // became 0 = 0
    bool *part;  // members x members: which stated rows went into it
    bool failed; // too long
} combination;

static expr *entry(const combination *c, uint32_t i, uint32_t j) { return &c->e[i * c->width + j]; }

static const constraint *member(const combination *c, uint32_t i) {
    return row_constraint(c->r, c->row[i]);
}

// Nowhere zero, for the values of the parameters that are stated.
static bool is_unit(const combination *c, expr e) {
    return e != EXPR_ZERO && expr_vanishes_nowhere(c->r->m, e);
}

static void simplify_row(combination *c, uint32_t i) {
    const normal_budget budget = normal_budget_default();
    for (uint32_t j = 0; j < c->width; j++) {
        expr *e = entry(c, i, j);
        if (expr_is_number(c->p, *e)) continue;
        *e = normal_simplify(c->p, *e, &budget);
        expr concrete;
        model_concrete(c->r->m, false, 1, e, &concrete);
        if (*e != EXPR_ZERO && points_vanish(&c->at, concrete) == VANISHES_YES) *e = EXPR_ZERO;
        c->failed = c->failed || expr_weight(c->p, *e) > HEAVIEST;
    }
}

static bool is_empty(const combination *c, uint32_t i, uint32_t columns) {
    for (uint32_t j = 0; j < columns; j++)
        if (*entry(c, i, j) != EXPR_ZERO) return false;
    return true;
}

// Without what its entries have in common; a constraint on positions stays as it is.
static void make_primitive(combination *c, uint32_t i) {
    const normal_budget budget = normal_budget_default();
    if (member(c, i)->order == 0 || is_empty(c, i, c->width)) return;
    expr common = EXPR_ONE, *out = arena_array(&c->r->m->ctx->arena, expr, c->width);
    if (!normal_primitive(c->p, c->width, entry(c, i, 0), &budget, out, &common)) {
        c->failed = true;
        return;
    }
    if (is_unit(c, common)) return;
    memcpy(entry(c, i, 0), out, sizeof(expr) * c->width);
    c->plain[i] = false;
}

static void load(combination *c) {
    const uint32_t n = c->r->n;
    expr *zero = arena_array(&c->r->m->ctx->arena, expr, n);
    for (uint32_t i = 0; i < c->members && !c->failed; i++) {
        memcpy(entry(c, i, 0), c->r->entry + c->row[i] * n, sizeof(expr) * n);
        *entry(c, i, n) = expr_replace(c->p, member(c, i)->velocity_phi, n, c->r->qd, zero);
        c->plain[i] = c->part[i * c->members + i] = true;
        c->failed = !member(c, i)->linear;
        simplify_row(c, i);
        if (!c->failed) make_primitive(c, i);
    }
}

// --- elimination ---------------------------------------------------------------------------------

// Constraints on positions first, then what divides nothing away: numbers, entries that vanish
// nowhere, entries that do not vanish at the state under study; then short ones. The later column,
// as where dependent velocities are chosen.
static double price(const combination *c, uint32_t i, uint32_t j, double value) {
    const expr e = *entry(c, i, j);
    const double length = fmin(expr_weight(c->p, e), 1e5);
    const double kind = expr_is_number(c->p, e) ? 0
                        : is_unit(c, e)         ? 1e6
                        : fabs(value) > 1e-9    ? 2e6
                                                : 3e6;
    return (member(c, i)->order ? 1e8 : 0) + (c->plain[i] ? 0 : 1e7) + kind + length;
}

static bool pick(const combination *c, uint32_t *row, uint32_t *column) {
    const uint32_t n = c->r->n;
    const double *value = state_doubles(c->here, c->members * c->width, c->e);
    double best = INFINITY;
    bool found = false;
    for (uint32_t i = 0; i < c->members; i++)
        for (uint32_t j = 0; j < n && !c->pivot[i] && !c->empty[i]; j++) {
            if (*entry(c, i, j) == EXPR_ZERO) continue;
            const double cost = price(c, i, j, value[i * c->width + j]);
            if (cost < best) found = true, best = cost, *row = i, *column = j;
        }
    return found;
}

// row k -> pivot * row k - entry * row i; with a number as pivot without the factor
static void eliminate(combination *c, uint32_t i, uint32_t column) {
    const expr pivot = *entry(c, i, column);
    const bool number = expr_is_number(c->p, pivot);
    c->pivot[i] = true;
    for (uint32_t k = 0; k < c->members && !c->failed; k++) {
        const expr factor = *entry(c, k, column);
        if (c->pivot[k] || factor == EXPR_ZERO) continue;
        for (uint32_t j = 0; j < c->width; j++) {
            expr *e = entry(c, k, j);
            const expr change = expr_mul(c->p, factor, *entry(c, i, j));
            *e = number ? expr_sub(c->p, *e, expr_div(c->p, change, pivot))
                        : expr_sub(c->p, expr_mul(c->p, pivot, *e), change);
        }
        *entry(c, k, column) = EXPR_ZERO;
        c->plain[k] = c->plain[k] && c->plain[i] && is_unit(c, pivot);
        for (uint32_t j = 0; j < c->members; j++)
            c->part[k * c->members + j] =
                c->part[k * c->members + j] || c->part[i * c->members + j];
        simplify_row(c, k);
        c->empty[k] = is_empty(c, k, c->r->n);
        if (!c->failed && !c->empty[k]) make_primitive(c, k);
    }
}

// --- what becomes of the constraints -------------------------------------------------------------

static const char *name_of(const combination *c, uint32_t i) {
    text t = {0};
    // in the order in which they were stated
    for (uint32_t k = 0; k < c->r->m->constraints_count; k++)
        for (uint32_t j = 0; j < c->members; j++)
            if (c->r->constraint[c->row[j]] == k && (c->part[i * c->members + j] || c->empty[j]))
                text_format(&t, "%s%s", t.length ? "+" : "", member(c, j)->name);
    for (uint32_t j = 0, copy = 2; j < c->r->m->constraints_count; j++)
        if (t.length && strcmp(c->r->m->constraints[j].name, t.bytes) == 0)
            text_format(&t, "#%u", copy++);
    const char *name = arena_copy(&c->r->m->ctx->arena, t.bytes, t.length);
    text_free(&t);
    return name;
}

static expr without_number(pool *p, expr e) {
    expr number, rest;
    expr_split_coefficient(p, e, &number, &rest);
    return rest;
}

static void add_combination(combination *c, uint32_t i) {
    model *m = c->r->m;
    const normal_budget budget = normal_budget_default();
    expr phi = *entry(c, i, c->r->n);
    for (uint32_t j = 0; j < c->r->n; j++)
        phi = expr_add(c->p, phi, expr_mul(c->p, *entry(c, i, j), c->r->qd[j]));
    constraint made = {.name = name_of(c, i),
                       .phi = without_number(c->p, normal_simplify(c->p, phi, &budget)),
                       .stated = EXPR_NONE,
                       .at = member(c, i)->at,
                       .note = "a combination of constraints that depend on one another",
                       .status = CONSTRAINT_ACTIVE};
    made.multiplier =
        expr_symbol(c->p, arena_format(&m->ctx->arena, "lambda[%s]", made.name), ROLE_MULTIPLIER);
    list_push(m, constraints, made);
    constraint_classify(m, &m->constraints[m->constraints_count - 1]);
}

// Does the row vanish, or is it part of one that is not as it was stated?
static bool is_involved(const combination *c, uint32_t i) {
    bool involved = c->empty[i];
    for (uint32_t k = 0; k < c->members; k++)
        involved = involved || ((c->empty[k] || !c->plain[k]) && c->part[k * c->members + i]);
    return involved;
}

static void replace_members(combination *c) {
    model *m = c->r->m;
    uint32_t *which = arena_array(&m->ctx->arena, uint32_t, c->members), left = 0;
    uint32_t *named = arena_array(&m->ctx->arena, uint32_t, c->members), names = 0;
    const uint32_t before = m->constraints_count;
    for (uint32_t i = 0; i < c->members; i++) {
        which[i] = c->r->constraint[c->row[i]], left += !c->empty[i];
        if (is_involved(c, i)) named[names++] = which[i];
    }
    diag_warning(
        m->ctx, m->constraints[which[0]].at,
        "their multipliers are not determined one by one: `check` shows what stands in their place",
        left < c->members
            ? "%s depend on one another: they are %u independent constraint%s"
            : "%s depend on one another at the initial state: combinations take their place",
        model_names_in_words(m, names, named), left, left == 1 ? "" : "s");
    for (uint32_t i = 0; i < c->members; i++)
        if (!c->empty[i] && !c->plain[i]) add_combination(c, i);
    const bool combined = m->constraints_count > before;
    for (uint32_t i = 0; i < c->members; i++)
        if (c->empty[i] || !c->plain[i])
            m->constraints[which[i]].status = combined ? CONSTRAINT_COMBINED : CONSTRAINT_REDUNDANT;
}

// Too long for that: the stated rows that are independent at the state under
// study, or else generically.
static void keep_some(const combination *c, const bool *kept) {
    model *m = c->r->m;
    arena *a = &m->ctx->arena;
    const uint32_t n = c->r->n;
    uint32_t rank = 0, *which = arena_array(a, uint32_t, c->members);
    uint32_t *row = arena_array(a, uint32_t, c->members),
             *column = arena_array(a, uint32_t, c->members);
    double *value = arena_array(a, double, c->members *n),
           *cost = arena_array(a, double, c->members *n);
    bool *keep = arena_array(a, bool, c->members);
    expr *rows = arena_array(a, expr, c->members * n);
    for (uint32_t i = 0; i < c->members; i++) {
        which[i] = c->r->constraint[c->row[i]];
        rank += kept[c->row[i]];
        memcpy(rows + i * n, c->r->entry + c->row[i] * n, sizeof(expr) * n);
        for (uint32_t j = 0; j < n; j++) cost[i * n + j] = m->constraints[which[i]].order ? 1 : 0;
    }
    memcpy(value, state_doubles(c->here, c->members * n, rows), sizeof(double) * c->members * n);
    const bool regular = pivots_choose(c->members, n, value, cost, 1e-6, row, column) == rank;
    for (uint32_t i = 0; i < rank && regular; i++) keep[row[i]] = true;
    for (uint32_t i = 0; i < c->members; i++)
        if (!(regular ? keep[i] : kept[c->row[i]]))
            m->constraints[which[i]].status = CONSTRAINT_REDUNDANT;
    diag_warning(m->ctx, m->constraints[which[0]].at,
                 "a run may end where those that are kept lose rank",
                 "%s depend on one another: %u of them, as they are, take the place of all",
                 model_names_in_words(m, c->members, which), rank);
}

// 0 = f(q, t) left of constraints that cannot hold where it does not.
static bool leaves_a_relation(const combination *c) {
    for (uint32_t i = 0; i < c->members; i++)
        if (c->empty[i] && *entry(c, i, c->r->n) != EXPR_ZERO) return true;
    return false;
}

static hamel_status report_relation(const combination *c) {
    const model *m = c->r->m;
    uint32_t *which = arena_array(&m->ctx->arena, uint32_t, c->members);
    for (uint32_t i = 0; i < c->members; i++) which[i] = c->r->constraint[c->row[i]];
    diag_error(m->ctx, m->constraints[which[0]].at,
               "state it as a constraint, too, or correct one of them",
               "%s together demand a relation between the positions that is not stated",
               model_names_in_words(m, c->members, which));
    return HAMEL_MODEL;
}

static combination begin(constraint_rows *r, uint32_t members, const uint32_t *row, state *here) {
    arena *a = &r->m->ctx->arena;
    combination c = {.r = r,
                     .p = r->m->pool,
                     .at = points_on(r->m, r->count, r->constraint, true),
                     .here = here,
                     .members = members};
    c.width = r->n + 1, c.row = row;
    c.failed = members > MOST_MEMBERS || c.width > MOST_COLUMNS;
    if (c.failed) return c;
    c.e = arena_array(a, expr, members * c.width);
    c.plain = arena_array(a, bool, members), c.pivot = arena_array(a, bool, members);
    c.empty = arena_array(a, bool, members), c.part = arena_array(a, bool, members *members);
    load(&c);
    uint32_t i, j;
    while (!c.failed && pick(&c, &i, &j)) eliminate(&c, i, j);
    return c;
}

hamel_status combine_constraints(constraint_rows *r, uint32_t members, const uint32_t *row,
                                 const bool *kept, state *here) {
    combination c = begin(r, members, row, here);
    uint32_t rank = 0, left = 0;
    if (!c.failed && leaves_a_relation(&c)) return report_relation(&c);
    for (uint32_t i = 0; i < members; i++) rank += kept[row[i]];
    for (uint32_t i = 0; i < members && !c.failed; i++) left += !c.empty[i];
    if (c.failed || left != rank) keep_some(&c, kept);
    else replace_members(&c);
    return context_status(r->m->ctx);
}

bool combine_regularise(constraint_rows *r, state *here) {
    arena *a = &r->m->ctx->arena;
    uint32_t *row = arena_array(a, uint32_t, r->count),
             *pivot = arena_array(a, uint32_t, 2 * r->count);
    for (uint32_t i = 0; i < r->count; i++) row[i] = i;
    combination c = begin(r, r->count, row, here);
    for (uint32_t i = 0; i < c.members && !c.failed; i++) c.failed = c.empty[i];
    if (c.failed) return false;
    const double *value = state_doubles(here, c.members * c.width, c.e);
    double *rows = arena_array(a, double, c.members * r->n);
    bool changed = false;
    for (uint32_t i = 0; i < c.members; i++) {
        memcpy(rows + i * r->n, value + i * c.width, sizeof(double) * r->n);
        changed = changed || !c.plain[i];
    }
    if (!changed ||
        pivots_choose(c.members, r->n, rows, NULL, 1, pivot, pivot + r->count) < c.members)
        return false;
    replace_members(&c);
    return true;
}
