// From residuals affine in their unknowns to z' = f(z, t).
#include "equations/ode.h"

#include "equations/assembly.h"
#include "equations/cost.h"
#include "equations/linear.h"
#include "expr/vanish.h"
#include "expr/matrix.h"
#include "expr/program.h"
#include "expr/triangular.h"
#include "normal/normal.h"

#include <math.h>
#include <string.h>

enum {
    // expr_weight() of matrix and right-hand side beyond which they are taken as derived
    LARGE = 20000,
    MANY = 8,                    // unknowns, likewise
    LEAST_LOOP = 7,              // unknowns, from which on a loop may solve for them
    SHARED_EASILY = 300,         // operations
    SHARED_WITH_PATIENCE = 2000, // operations from which on only their number before sharing counts
    SHORT_SOLUTION =
        300 // expr_weight() of an unknown up to which a solution in closed form is tried
};

typedef struct {
    const equations *eq;
    const mechanics *s;
    pool *p;
    arena *arena;
    ode *o;
    expr *state, *rate, *start, *known, *meaning, *open_rate, *open_meaning;
    const expr *velocity;       // q' as `plain_velocity` has it, or in another form
    const expr *plain_velocity; // eq->velocity, each without the coordinates that drop out of it
} builder;

static void add_state(builder *w, expr symbol, expr rate, expr start) {
    const uint32_t i = w->o->size++;
    w->state[i] = symbol, w->rate[i] = rate, w->start[i] = start;
}

static void add_known(builder *w, expr symbol, expr meaning, expr open) {
    w->known[w->o->known_count] = symbol, w->open_meaning[w->o->known_count] = open;
    w->meaning[w->o->known_count++] = meaning;
}

// --- the state -----------------------------------------------------------------------------------

// The symbol whose time derivative `rate` is: eta for eta', p for p', lambda for lambda'
static expr integral_of(const builder *w, expr rate) {
    const symbol *r = expr_as_symbol(w->p, rate);
    return expr_symbol_of_order(w->p, pool_symbol(w->p, r->base)->node, r->order - 1);
}

static expr start_of(const builder *w, expr symbol) {
    for (uint32_t i = 0; i < w->eq->auxiliaries_count; i++)
        if (w->eq->auxiliaries[i].symbol == symbol) return w->eq->auxiliaries[i].value;
    for (uint32_t i = 0; i < w->s->m; i++)
        if (w->s->eta[i] == symbol) return w->s->psi[i];
    return symbol;
}

static bool is_unknown(const builder *w, expr symbol) {
    for (uint32_t i = 0; i < w->eq->unknown_count; i++)
        if (w->eq->unknown[i] == symbol) return true;
    return false;
}

static void choose_state(builder *w, const expr *solution) {
    const equations *eq = w->eq;
    const mechanics *s = w->s;
    const bool first_order = equations_fix_velocities(eq);
    for (uint32_t i = 0; i < eq->unknown_count; i++)
        add_known(w, eq->unknown[i], solution[i], eq->unknown[i]);
    for (uint32_t i = 0; i < eq->auxiliaries_count && first_order; i++)
        add_known(w, eq->auxiliaries[i].symbol, eq->auxiliaries[i].value, eq->auxiliaries[i].value);
    for (uint32_t i = 0; i < s->n; i++) add_state(w, s->q[i], w->velocity[i], s->q[i]);
    for (uint32_t i = 0; i < s->n && !eq->explicit_velocities && !first_order; i++) {
        add_state(w, s->qd[i], eq->acceleration[i], s->qd[i]);
        if (eq->acceleration[i] != s->qdd[i])
            add_known(w, s->qdd[i], eq->acceleration[i], eq->acceleration[i]);
    }
    for (uint32_t i = 0; i < eq->unknown_count && eq->explicit_velocities && !first_order; i++) {
        if (expr_as_symbol(w->p, eq->unknown[i])->order == 0) continue; // a multiplier
        const expr z = integral_of(w, eq->unknown[i]);
        if (expr_as_symbol(w->p, z)->role != ROLE_MULTIPLIER)
            add_state(w, z, eq->unknown[i], start_of(w, z));
    }
    for (uint32_t i = 0; i < eq->multiplier_count; i++) {
        const expr rate = expr_symbol_derivative(w->p, eq->multiplier[i]);
        if (equations_multiplier_is_state(eq, i) && is_unknown(w, rate))
            add_state(w, eq->multiplier[i], rate, eq->multiplier[i]);
    }
}

// --- everything as a function of (z, t) ----------------------------------------------------------

static bool is_state(const ode *o, expr symbol) {
    for (uint32_t i = 0; i < o->size; i++)
        if (o->state[i] == symbol) return true;
    return false;
}

// q''', q'', q' and the quasi-velocities that are not state, by what they are; highest
// first, each in terms of the next.
static void express_in(const builder *w, bool open, uint32_t count, expr *e) {
    const equations *eq = w->eq;
    const mechanics *s = w->s;
    pool *p = w->p;
    for (uint32_t i = 0; i < s->m && s->has_quasi; i++) {
        const expr rate = expr_symbol_derivative(p, s->eta[i]);
        const expr from[2] = {s->eta[i], rate}, to[2] = {s->psi[i], expr_ddt(p, s->psi[i])};
        const bool own = is_state(w->o, s->eta[i]);
        if (!own) expr_substitute(p, 2, from, to, count, e, e);
    }
    for (uint32_t i = 0; i < s->n && eq->jerk; i++) {
        const expr third = expr_symbol_of_order(p, s->q[i], 3);
        expr_substitute(p, 1, &third, &eq->jerk[i], count, e, e);
    }
    if (eq->acceleration != s->qdd) expr_substitute(p, s->n, s->qdd, eq->acceleration, count, e, e);
    if (eq->explicit_velocities) expr_substitute(p, s->n, s->qd, w->velocity, count, e, e);
    expr_substitute(p, w->o->known_count, w->o->known, open ? w->o->open_meaning : w->o->meaning,
                    count, e, e);
    if (eq->explicit_velocities) expr_substitute(p, s->n, s->qd, w->velocity, count, e, e);
    model_concrete(s->model, false, count, e, e);
    // inputs that follow the state have brought velocities in
    if (eq->explicit_velocities) expr_substitute(p, s->n, s->qd, w->velocity, count, e, e);
}

static void express(const builder *w, uint32_t count, expr *e) { express_in(w, false, count, e); }

static void express_all(const ode *o, bool open, uint32_t count, const expr *in, expr *out) {
    const mechanics *s = o->eq->system;
    const builder w = {.eq = o->eq,
                       .s = s,
                       .p = s->pool,
                       .arena = &s->model->ctx->arena,
                       .o = (ode *)o,
                       .velocity = o->velocity};
    if (out != in) memcpy(out, in, sizeof(expr) * count);
    if (count) express_in(&w, open, count, out);
}

void ode_expressions(const ode *o, uint32_t count, const expr *in, expr *out) {
    express_all(o, false, count, in, out);
}
void ode_open_expressions(const ode *o, uint32_t count, const expr *in, expr *out) {
    express_all(o, o->system.n > 0, count, in, out);
}

expr ode_expression(const ode *o, expr e) {
    ode_expressions(o, 1, &e, &e);
    return e;
}

// Those of a chain, the last link first: each reaction brings one multiplier, as each constraint
// brings one velocity.
static bool solve_as_chain(const builder *w, expr *x) {
    const equations *eq = w->eq;
    triangular t;
    if (!w->s->chain ||
        !triangular_solve(w->p, eq->multiplier_count, eq->recovery, eq->multiplier, &t))
        return false;
    memcpy(x, t.solution, sizeof(expr) * eq->multiplier_count);
    triangular_free(&t);
    return true;
}

// For what no equation determines: 1/0 has no value anywhere.
static const expr *without_values(const builder *w, uint32_t count) {
    expr *none = arena_array(w->arena, expr, count);
    for (uint32_t i = 0; i < count; i++) none[i] = expr_div(w->p, EXPR_ONE, EXPR_ZERO);
    return none;
}

// Multipliers that are recovered after the motion: their own linear system, in terms of q''.
static void recover_multipliers(builder *w) {
    const equations *eq = w->eq;
    const uint32_t k = eq->multiplier_count;
    if (!eq->recovery || eq->multipliers_are_state || !k) return;
    expr *x = arena_array(w->arena, expr, k), *open = arena_array(w->arena, expr, k);
    if (!solve_as_chain(w, x)) {
        expr *matrix = arena_array(w->arena, expr, k * k + k), *right = matrix + k * k,
             *zero = arena_array(w->arena, expr, k);
        expr_jacobian(w->p, k, eq->recovery, k, eq->multiplier, matrix);
        expr_substitute(w->p, k, eq->multiplier, zero, k, eq->recovery, right);
        for (uint32_t i = 0; i < k; i++) right[i] = expr_neg(w->p, right[i]);
        const expr *found = linear_solve_on_dag(eq, k, false, matrix);
        memcpy(x, found ? found : without_values(w, k), sizeof(expr) * k);
    }
    memcpy(open, x, sizeof(expr) * k);
    express(w, k, x);
    if (w->o->system.n) express_in(w, true, k, open);
    else open = x;
    for (uint32_t i = 0; i < k; i++) add_known(w, eq->multiplier[i], x[i], open[i]);
}

// --- the choice between equal variants of f ------------------------------------------------------

typedef struct {
    const expr *solution, *velocity;
    // That the solution is of: the matrix and behind it the right-hand side;
    // NULL: it is in closed form
    const expr *system;
    bool assembled;       // body by body: sharing finds more in it
    uint32_t plain, cost; // operations before sharing; after it, as they run
} variant;

static void set_variant(builder *w, const variant *how) {
    w->o->size = w->o->known_count = 0;
    w->o->velocity = w->velocity = how->velocity;
    choose_state(w, how->solution);
    memcpy(w->open_rate, w->rate, sizeof(expr) * w->o->size);
    express(w, w->o->size, w->rate);
}

// Of two variants that cost the same the earlier one stays. What is clearly longer before sharing
// is not looked at further where that would take time.
static bool is_cheaper(builder *w, variant *trial, const variant *best) {
    const uint32_t longest = trial->assembled ? best->plain * 3 / 2 : best->plain;
    if (best->solution && trial->plain > SHARED_EASILY && trial->plain >= longest) return false;
    if (trial->plain > SHARED_WITH_PATIENCE) return true;
    trial->cost = cost_of_running(w->p, w->o->size, w->rate);
    return !best->solution || best->plain > SHARED_WITH_PATIENCE || trial->cost < best->cost;
}

static void consider(builder *w, variant trial, variant *best) {
    set_variant(w, &trial);
    trial.plain = program_operations(w->p, w->o->size, w->rate);
    if (is_cheaper(w, &trial, best)) *best = trial;
}

static bool is_small(const builder *w, const expr *matrix, const expr *right) {
    const uint32_t n = w->eq->unknown_count;
    uint64_t weight = 0;
    for (uint32_t i = 0; i < n * n && n <= MANY; i++) weight += expr_weight(w->p, matrix[i]);
    for (uint32_t i = 0; i < n && n <= MANY; i++) weight += expr_weight(w->p, right[i]);
    return n <= MANY && weight <= LARGE;
}

static const expr *simplified(const builder *w, uint32_t count, const expr *e) {
    normal_budget budget = normal_budget_default();
    expr *out = arena_array(w->arena, expr, count);
    for (uint32_t i = 0; i < count; i++) out[i] = normal_simplify(w->p, e[i], &budget);
    return out;
}

// The unknowns in closed form, where that is short.
static const expr *solve_in_closed_form(const builder *w, const expr *matrix, const expr *right) {
    const equations *eq = w->eq;
    const uint32_t n = eq->unknown_count;
    normal_budget budget = normal_budget_default();
    budget.longest = SHORT_SOLUTION;
    expr *residual = arena_array(w->arena, expr, n), *x = arena_array(w->arena, expr, n);
    for (uint32_t i = 0; i < n; i++)
        residual[i] = expr_sub(w->p, expr_dot(w->p, n, matrix + i * n, eq->unknown), right[i]);
    return normal_solve(w->p, n, residual, eq->unknown, &budget, x) ? x : NULL;
}

// Do they have values at the state under study? A closed form may divide by a pivot that is 0 there
// and cancels only by sin^2 + cos^2 = 1.
static bool have_values(const builder *w, uint32_t count, const expr *e) {
    const double *v = mechanics_values(w->s, mechanics_sample(w->s), count, e);
    for (uint32_t i = 0; i < count; i++)
        if (!isfinite(v[i])) return false;
    return true;
}

// --- a solution in numbers -----------------------------------------------------------------------

// Multiplications and additions of a dense elimination: n^3/3 of both together where it is
// symmetric, 2 n^3/3 otherwise, and 2 n^2 for the rest
static double elimination_cost(uint32_t n, bool symmetric) {
    return (symmetric ? 1 : 2) * (double)n * n * n / 3 + 2.0 * n * n;
}

// of an operation in a loop: it has no step of its own to be scheduled,
// compiled, and followed by series
static const double LOOP_PRICE = 0.5;

// Where elimination on the DAG, which skips zeros, is dearer than a dense one in a
// loop, the system is left for that.
static void leave_system(builder *w, const expr *matrix, const expr *solution) {
    const equations *eq = w->eq;
    const uint32_t n = eq->unknown_count, count = n * n + n;
    if (n < LEAST_LOOP) return;
    const bool symmetric = eq->symmetric && linear_is_definite(eq, n, matrix);
    const double on_dag =
        (double)program_operations(w->p, n, solution) - program_operations(w->p, count, matrix);
    if (on_dag < LOOP_PRICE * elimination_cost(n, symmetric)) return;
    expr *open = arena_array(w->arena, expr, count);
    memcpy(open, matrix, sizeof(expr) * count);
    express(w, count, open);
    express_in(w, true, w->o->size, w->open_rate);
    w->o->system = (matrix_system){.n = n,
                                   .columns = 1,
                                   .symmetric = symmetric,
                                   .matrix = open,
                                   .right = open + n * n,
                                   .unknown = eq->unknown};
}

// Are these the velocities and the solution of the form's equations, matrix * unknown = right?
static bool is_solution(const builder *w, const expr *matrix, const expr *right,
                        const variant *how) {
    const uint32_t n = w->eq->unknown_count, count = n + w->s->n;
    expr *defect = arena_array(w->arena, expr, count);
    for (uint32_t i = 0; i < n; i++)
        defect[i] = expr_sub(w->p, expr_dot(w->p, n, matrix + i * n, how->solution), right[i]);
    for (uint32_t i = 0; i < w->s->n; i++)
        defect[n + i] = expr_sub(w->p, how->velocity[i], w->eq->velocity[i]);
    expr_substitute(w->p, w->s->n, w->s->qd, how->velocity, n, defect, defect);
    return expr_all_vanish(w->p, count, defect);
}

static void consider_assembly(builder *w, const expr *matrix, const expr *right,
                              assembly_style style, variant *best) {
    const uint32_t m = w->s->m;
    assembly a;
    if (w->s->chain) assembly_of_chain(w->eq, &a);
    // A loop solves for the form's own unknowns
    else if (!assembly_create(w->eq, w->plain_velocity, style, &a) ||
             (a.own_rates && m >= LEAST_LOOP))
        return;
    const expr *rate = m <= MOST_BY_COFACTORS
                           ? linear_solve_by_cofactors(w->p, m, a.matrix, a.right)
                           : linear_solve_on_dag(w->eq, m, w->eq->symmetric, a.matrix);
    if (!rate) return;
    const variant trial = {
        assembly_rates(w->eq, &a, rate), a.velocity, a.own_rates ? NULL : a.matrix, true, 0, 0};
    if (is_solution(w, matrix, right, &trial)) consider(w, trial, best);
}

// As derived; with matrix and right-hand side in shortest form; solved in closed form; put together
// body by body: the variant that costs least.
static void choose_variant(builder *w) {
    const uint32_t n = w->eq->unknown_count;
    const expr *torn =
        linear_solve_torn(w->eq, LOOP_PRICE * elimination_cost(n, true) + 2.0 * n * n);
    if (torn) {
        set_variant(w, &(variant){torn, linear_velocities(w->eq), NULL, false, 0, 0});
        memcpy(w->open_rate, w->rate, sizeof(expr) * w->o->size);
        return;
    }
    const expr *matrix = linear_system(w->eq), *right = matrix + n * n;
    const expr *plain = linear_solve_on_dag(w->eq, n, w->eq->symmetric, matrix);
    variant best = {0};
    w->o->is_undetermined = !plain;
    if (!plain) plain = without_values(w, n);
    w->plain_velocity = linear_velocities(w->eq);
    if (is_small(w, matrix, right)) {
        const expr *velocity[2] = {w->plain_velocity, simplified(w, w->s->n, w->plain_velocity)};
        const expr *system[3] = {NULL, simplified(w, n * n + n, matrix), matrix};
        const expr *solution[3] = {solve_in_closed_form(w, matrix, right),
                                   linear_solve_on_dag(w->eq, n, w->eq->symmetric, system[1]),
                                   plain};
        if (solution[0] && !have_values(w, n, solution[0]) && have_values(w, n, plain))
            solution[0] = NULL;
        const int velocities = memcmp(velocity[0], velocity[1], sizeof(expr) * w->s->n) ? 2 : 1;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < velocities && solution[i]; j++)
                consider(w, (variant){solution[i], velocity[j], system[i], false, 0, 0}, &best);
    } else {
        consider(w, (variant){plain, w->plain_velocity, matrix, false, 0, 0}, &best);
    }
    const int styles = w->o->is_undetermined || !assembly_is_possible(w->eq) ? 0
                       : w->s->chain                                         ? 1 // its own
                       : best.plain > SHARED_WITH_PATIENCE ? ASSEMBLY_STYLES_OF_LARGE
                                                           : ASSEMBLY_STYLES;
    for (int style = 0; style < styles; style++) consider_assembly(w, matrix, right, style, &best);
    set_variant(w, &best);
    if (best.system) leave_system(w, best.system, best.solution);
    if (!w->o->system.n) memcpy(w->open_rate, w->rate, sizeof(expr) * w->o->size);
}

ode *ode_create(const equations *eq) {
    const mechanics *s = eq->system;
    builder w = {.eq = eq, .s = s, .p = s->pool, .arena = &s->model->ctx->arena};
    const uint32_t most =
        3 * s->n + eq->unknown_count + 2 * eq->multiplier_count + eq->auxiliaries_count;
    w.state = arena_array(w.arena, expr, most), w.rate = arena_array(w.arena, expr, most),
    w.start = arena_array(w.arena, expr, most);
    w.known = arena_array(w.arena, expr, most), w.meaning = arena_array(w.arena, expr, most);
    w.open_rate = arena_array(w.arena, expr, most),
    w.open_meaning = arena_array(w.arena, expr, most);
    w.o = arena_new(w.arena, ode);
    *w.o = (ode){.eq = eq,
                 .state = w.state,
                 .rate = w.rate,
                 .start = w.start,
                 .known = w.known,
                 .meaning = w.meaning,
                 .open_rate = w.open_rate,
                 .open_meaning = w.open_meaning};
    choose_variant(&w);
    recover_multipliers(&w);
    return w.o;
}
