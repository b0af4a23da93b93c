// Products and powers among the constraints. A product holds where one of its factors does: the
// motion keeps to the branch it starts on, and a power has no gradient where it holds.
//
//   (x' - y')*z' = 0   x' - y' = 0 or z' = 0, whichever holds at the initial state
//   (x' - y')^2 = 0    x' - y' = 0
//   z*(x' - y') = 0    x' - y' = 0 for a motion that starts at z = 0
//   a*(x' - y') = 0    as it is; no constraint where the value of the parameter a is 0
#include "model/mechanics.h"

#include "normal/normal.h"

#include <math.h>

enum { REDUCE_BITS = 128, HEAVIEST = 4000 };
static const double NEARLY_ZERO = 1e-9;

typedef struct {
    model *m;
    const completion_request *where;
    constraint *c;
    // of the constraint's own order, by the order of expressions
    normal_factor branch[NORMAL_MOST_FACTORS];
    normal_factor lower[NORMAL_MOST_FACTORS]; // of positions and time only, that can vanish
    uint32_t branches, lowers;
} reduction;

static const char *words(const model *m, expr e) {
    return m->words ? m->words(m, e) : "one of its factors";
}

static const char *equation_words(const model *m, expr e) {
    return arena_format(&m->ctx->arena, "%s = 0", words(m, e));
}

// --- factors -------------------------------------------------------------------------------------

// With a highest derivative that stands there alone, times a number, there is nothing to factor.
static bool is_plainly_irreducible(const model *m, const constraint *c) {
    pool *p = m->pool;
    const uint32_t n = m->coordinates_count;
    expr *top = arena_array(&m->ctx->arena, expr, n), *slope = arena_array(&m->ctx->arena, expr, n);
    for (uint32_t i = 0; i < n; i++)
        top[i] = expr_symbol_of_order(p, m->coordinates[i], (uint32_t)c->order);
    expr_gradient(p, c->phi, n, top, slope);
    for (uint32_t i = 0; i < n; i++)
        if (slope[i] != EXPR_ZERO && expr_is_number(p, slope[i])) return true;
    return false;
}

// The value that the stated parameters give an expression of parameters; false
// where one of them has none.
static bool is_zero_as_stated(const model *m, expr e) {
    state x;
    uint32_t count = 0;
    state_init(&x, m, model_bits(m, REDUCE_BITS));
    const completion_request as_given = {.mode = COMPLETE_STRICT, .as_given = true};
    bool zero = false;
    if (!state_complete(&x, &as_given, NULL, &count)) {
        program *prog = program_create(m->pool, 1, &e);
        arb_t v;
        arb_init(v);
        if (program_first_unknown(prog, x.known) == EXPR_NONE) {
            program_run_arb(prog, x.value, REDUCE_BITS, v);
            zero = arf_cmpabs_2exp_si(arb_midref(v), -REDUCE_BITS / 2) < 0;
        }
        arb_clear(v);
        program_free(prog);
    }
    state_clear(&x);
    return zero;
}

// A constraint that its parameters switch off says nothing, and is set aside.
static void switch_off(const reduction *r, const char *why) {
    r->c->status = CONSTRAINT_REDUNDANT;
    r->c->note = arena_format(&r->m->ctx->arena,
                              "no constraint for the stated values of the parameters: %s", why);
    diag_warning(
        r->m->ctx, r->c->at, "give the parameters other values, or remove the constraint",
        "constraint `%s` says nothing for the stated values of the parameters, %s: it is set aside",
        r->c->name, why);
}

static hamel_status judge_sign(const reduction *r, expr factor) {
    const possible_signs signs = expr_possible_signs(r->m, factor, (uint32_t)r->c->order);
    if (!signs.zero) {
        diag_error(r->m->ctx, r->c->at, "no motion can satisfy it",
                   "constraint `%s` holds nowhere: `%s` is never 0", r->c->name,
                   words(r->m, factor));
        return HAMEL_MODEL;
    }
    if (signs.negative && signs.positive) return HAMEL_OK;
    if (!signs.negative && !signs.positive) {
        switch_off(r, "it is always 0");
        return HAMEL_OK;
    }
    diag_error(
        r->m->ctx, r->c->at,
        "write each of the equations that it stands for as a constraint of its own",
        "constraint `%s` is several in one: `%s` is never %s, and 0 only where it has no gradient",
        r->c->name, words(r->m, factor), signs.negative ? "positive" : "negative");
    return HAMEL_MODEL;
}

static void sort_factors(const pool *p, uint32_t count, normal_factor *f) {
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t j = i; j && expr_compare(p, f[j].base, f[j - 1].base) < 0; j--) {
            const normal_factor swap = f[j];
            f[j] = f[j - 1], f[j - 1] = swap;
        }
}

// Beside others, a factor that is zero nowhere, or only where it has no gradient (x'^2 +
// z'^2), is no branch to move on.
static void drop_factors_without_zeros(reduction *r) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->branches; i++) {
        const possible_signs signs =
            expr_possible_signs(r->m, r->branch[i].base, (uint32_t)r->c->order);
        if (signs.zero && signs.negative && signs.positive) r->branch[kept++] = r->branch[i];
    }
    if (kept) r->branches = kept;
}

// Sort the factors of the constraint; false where there is nothing to do.
static hamel_status find_factors(reduction *r, bool *found) {
    pool *p = r->m->pool;
    const normal_budget budget = normal_budget_default();
    normal_factor all[NORMAL_MOST_FACTORS];
    const uint32_t count = normal_factors(p, r->c->phi, &budget, all);
    hamel_status status = HAMEL_OK;
    expr impossible = EXPR_NONE;
    for (uint32_t i = 0; i < count; i++) {
        const int order = expr_order(p, all[i].base);
        if (order < 0 && !expr_depends_on_time(p, all[i].base)) { // of parameters only
            if (is_zero_as_stated(r->m, all[i].base))
                switch_off(r, arena_format(&r->m->ctx->arena, "its factor `%s` is 0",
                                           words(r->m, all[i].base)));
        } else if (expr_vanishes_nowhere(r->m, all[i].base)) impossible = all[i].base;
        else if (order == r->c->order) r->branch[r->branches++] = all[i];
        else r->lower[r->lowers++] = all[i];
    }
    if (!r->branches && !r->lowers && impossible != EXPR_NONE) status = judge_sign(r, impossible);
    drop_factors_without_zeros(r);
    for (uint32_t i = 0; i < r->branches && !status && r->c->status == CONSTRAINT_ACTIVE; i++)
        status = judge_sign(r, r->branch[i].base);
    sort_factors(p, r->branches, r->branch);
    sort_factors(p, r->lowers, r->lower);
    if (r->c->status != CONSTRAINT_ACTIVE) r->branches = r->lowers = 0;
    *found = r->branches > 1 || r->lowers || (r->branches && r->branch[0].power > 1);
    return status;
}

// --- which branch --------------------------------------------------------------------------------

static void take(reduction *r, expr phi) {
    if (r->c->stated == EXPR_NONE) r->c->stated = r->c->phi;
    r->c->phi = phi;
    constraint_classify(r->m, r->c);
}

// The state at the start with phi in the place of the constraint; false if there is none with the
// given values. The caller clears it.
static bool start_on(reduction *r, expr phi, state *out) {
    model *m = r->m;
    const constraint before = *r->c;
    uint32_t count = 0;
    dependent_constraint *idle =
        arena_array(&m->ctx->arena, dependent_constraint, m->constraints_count);
    const completion_request request = completion_request_generic(r->where, 0);
    take(r, phi);
    state_init(out, m, model_bits(m, REDUCE_BITS));
    bool holds = !state_complete(out, &request, idle, &count);
    for (uint32_t i = 0; i < count; i++) holds = holds && idle[i].satisfied;
    dependent_constraint_clear(count, idle);
    *r->c = before;
    return holds;
}

static bool holds_at_start(reduction *r, expr phi) {
    state x;
    const bool holds = start_on(r, phi, &x);
    state_clear(&x);
    return holds;
}

// Is the factor zero wherever the other constraints hold? Then the product says nothing of its
// own, and no branch is to be chosen.
static bool follows_from_others(reduction *r, expr factor) {
    enum { STATES = 3 };
    uint32_t found = 0;
    bool zero = true;
    r->c->status = CONSTRAINT_IDENTITY;
    for (uint64_t seed = 1; seed <= STATES && zero; seed++) {
        const completion_request request = completion_request_generic(r->where, seed);
        state x;
        if (state_find(&x, r->m, model_bits(r->m, REDUCE_BITS), &request))
            found++, zero = fabs(state_doubles(&x, 1, &factor)[0]) < 1e-12;
        state_clear(&x);
    }
    r->c->status = CONSTRAINT_ACTIVE;
    return found && zero;
}

// Accelerations have no initial values.
static bool has_start(const reduction *r) {
    return r->c->order < 2 && (r->m->initial_count || (r->where && r->where->at_count));
}

static const char *list_words(const reduction *r, uint32_t count, const expr *e) {
    text t = {0};
    for (uint32_t i = 0; i < count; i++)
        text_format(&t, "%s`%s`", text_between(i, count), equation_words(r->m, e[i]));
    const char *result = arena_copy(&r->m->ctx->arena, t.bytes, t.length);
    text_free(&t);
    return result;
}

// Of the candidates, those on which the initial state can lie.
static uint32_t admissible(reduction *r, uint32_t count, const normal_factor *candidate,
                           expr *out) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        if (holds_at_start(r, candidate[i].base)) out[found++] = candidate[i].base;
    return found;
}

static void set_branch(reduction *r, expr phi) {
    take(r, phi);
    r->c->is_branch = true;
    r->c->note = arena_format(&r->m->ctx->arena, "on the branch %s", equation_words(r->m, phi));
}

static void take_branch(reduction *r, expr phi) {
    set_branch(r, phi);
    diag_warning(
        r->m->ctx, r->c->at, "statements and motions speak of this branch",
        "constraint `%s` is a product: its branch `%s`, that of the initial state, is taken",
        r->c->name, equation_words(r->m, phi));
}

// A factor that is zero wherever the others let the motion go, before a branch is looked for by
// initial values. One of positions makes 0 = 0 of the whole: z*x' = 0 beside z = 0.
static bool take_what_follows(reduction *r) {
    for (uint32_t i = 0; i < r->lowers && r->c->order < 2; i++) {
        if (!follows_from_others(r, r->lower[i].base)) continue;
        r->c->status = CONSTRAINT_REDUNDANT;
        r->c->note = arena_format(&r->m->ctx->arena, "%s by the others",
                                  equation_words(r->m, r->lower[i].base));
        diag_warning(r->m->ctx, r->c->at, NULL,
                     "constraint `%s` follows from the others, which make its factor `%s` zero: it "
                     "is set aside",
                     r->c->name, words(r->m, r->lower[i].base));
        return true;
    }
    for (uint32_t i = 0; i < r->branches && r->c->order < 2; i++) {
        if (!follows_from_others(r, r->branch[i].base)) continue;
        if (r->branches > 1) take_branch(r, r->branch[i].base);
        else {
            take(r, r->branch[i].base);
            r->c->note = arena_format(&r->m->ctx->arena, "a factor of what was stated, %s",
                                      words(r->m, r->c->stated));
        }
        return true;
    }
    return false;
}

// Of several branches the one on which the initial state lies as it stands, before anything is
// solved for: what nobody gave is 0. Returns how many are left.
static uint32_t keep_those_that_vanish(const reduction *r, uint32_t count, expr *fits) {
    state x;
    uint32_t idle = 0, left = 0;
    completion_request request = completion_request_generic(r->where, 0);
    request.as_given = true;
    expr *kept = arena_array(&r->m->ctx->arena, expr, count);
    state_init(&x, r->m, model_bits(r->m, REDUCE_BITS));
    if (!state_complete(&x, &request, NULL, &idle)) {
        const double *value = state_doubles(&x, count, fits);
        for (uint32_t i = 0; i < count; i++)
            if (fabs(value[i]) < NEARLY_ZERO) kept[left++] = fits[i];
    }
    state_clear(&x);
    if (left == 1) fits[0] = kept[0];
    return left == 1 ? 1 : count;
}

static hamel_status choose_branch(reduction *r) {
    context *ctx = r->m->ctx;
    expr fits[2 * NORMAL_MOST_FACTORS];
    uint32_t count = admissible(r, r->branches, r->branch, fits);
    if (!count) count = admissible(r, r->lowers, r->lower, fits);
    // completing the state will say what is wrong
    if (!count && !holds_at_start(r, r->c->phi)) return HAMEL_OK;
    if (!count) {
        for (uint32_t i = 0; i < r->branches; i++) fits[count++] = r->branch[i].base;
        for (uint32_t i = 0; i < r->lowers; i++) fits[count++] = r->lower[i].base;
        diag_error(ctx, r->c->at, "no motion goes on from there: state other initial values",
                   "constraint `%s` is a product, and the initial state can stay on none of its "
                   "branches: %s",
                   r->c->name, list_words(r, count, fits));
        return HAMEL_MODEL;
    }
    if (count > 1) count = keep_those_that_vanish(r, count, fits);
    if (count == 1) {
        take_branch(r, fits[0]);
        return HAMEL_OK;
    }
    diag_error(ctx, r->c->at, "state an `initial` on one of them only",
               "constraint `%s` is a product, and the initial state does not tell on which of its "
               "branches the motion goes: %s",
               r->c->name, list_words(r, count, fits));
    return HAMEL_MODEL;
}

static void take_first(reduction *r) {
    expr all[NORMAL_MOST_FACTORS];
    for (uint32_t i = 0; i < r->branches; i++) all[i] = r->branch[i].base;
    set_branch(r, all[0]);
    diag_warning(
        r->m->ctx, r->c->at, "an `initial` on another branch chooses that one",
        "constraint `%s` is a product of %s: the first is taken, and nothing is said of the others",
        r->c->name, list_words(r, r->branches, all));
}

// Is the divisor zero at the start, on what it divides?
static bool vanishes_at_start(reduction *r, expr phi, expr divisor) {
    state x;
    const bool zero = start_on(r, phi, &x) && fabs(state_doubles(&x, 1, &divisor)[0]) < NEARLY_ZERO;
    state_clear(&x);
    return zero;
}

// One factor of the constraint's order: it, without its power. Factors that only vanish here and
// there are divided out where one of them vanishes at the start; elsewhere the constraint stays as
// stated, and so does its multiplier.
static void take_only(reduction *r) {
    context *ctx = r->m->ctx;
    const expr phi = r->branch[0].base;
    const normal_budget budget = normal_budget_default();
    expr number,
        divisor = normal_simplify(r->m->pool, expr_div(r->m->pool, r->c->phi, phi), &budget);
    expr_split_coefficient(r->m->pool, divisor, &number, &divisor);
    if (r->branch[0].power == 1 && !vanishes_at_start(r, phi, divisor)) return;
    take(r, phi);
    if (r->branch[0].power > 1) {
        r->c->note =
            arena_format(&ctx->arena, "the root of what was stated, %s", words(r->m, r->c->stated));
        diag_note(ctx, r->c->at, NULL, "constraint `%s` is a power: its root `%s` takes its place",
                  r->c->name, equation_words(r->m, phi));
    } else {
        r->c->is_branch = true; // where the divisor stays 0 is another one
        r->c->note = arena_format(&ctx->arena, "divided by %s", words(r->m, divisor));
        diag_note(ctx, r->c->at, NULL,
                  "constraint `%s` is divided by its factor `%s`, so that it holds also where that "
                  "vanishes",
                  r->c->name, words(r->m, divisor));
    }
}

static hamel_status reduce(reduction *r) {
    bool found = false;
    const hamel_status status = find_factors(r, &found);
    if (status || !found || take_what_follows(r)) return status;
    const bool alone =
        r->branches == 1 && (!r->lowers || !has_start(r) || holds_at_start(r, r->branch[0].base));
    if (alone) take_only(r);
    else if (has_start(r)) return choose_branch(r);
    else if (r->branches) take_first(r);
    return HAMEL_OK;
}

// abs, sign, min and max make another constraint of it on the other side: max(z, 0)*(x' -
// y') = 0 says nothing for z < 0.
static void note_sides(const model *m, constraint *c) {
    uint32_t count;
    bool bends = false;
    expr *nodes = expr_reachable(m->pool, 1, &c->phi, &count);
    for (uint32_t i = 0; i < count; i++)
        bends |= expr_kind_of(m->pool, nodes[i]) == EXPR_ABS ||
                 expr_kind_of(m->pool, nodes[i]) == EXPR_SIGN;
    memory_free(nodes);
    if (!bends) return;
    c->is_branch = true;
    if (!c->note) c->note = "it has abs, sign, min or max in it: on the side of the initial state";
}

hamel_status model_reduce(model *m, const completion_request *where) {
    for (uint32_t i = 0; i < m->constraints_count; i++) {
        constraint *c = &m->constraints[i];
        if (c->status == CONSTRAINT_ACTIVE) note_sides(m, c);
        if (c->status != CONSTRAINT_ACTIVE || expr_is_heavier(m->pool, c->phi, HEAVIEST) ||
            is_plainly_irreducible(m, c))
            continue;
        reduction r = {.m = m, .where = where, .c = c};
        const hamel_status status = reduce(&r);
        if (status) return status;
    }
    return context_status(m->ctx);
}
