// Completion of a state: parameters, then coordinates on the holonomic constraints,
// then velocities on all constraints.
#include "expr/triangular.h"
#include "model/branches.h"
#include "model/constraint_newton.h"
#include "model/mechanics.h"

#include <math.h>
#include <string.h>

// docs/language.md: a given value may differ from the solved one by this, scaled
static const double GIVEN_TOLERANCE = 1e-6;

// How firmly a value stands: a variable of lower rank is solved for rather than one of higher rank.
enum { GIVEN_NOWHERE, GIVEN_INITIAL, GIVEN_HERE };

typedef struct {
    state *x;
    const completion_request *request;
    uint8_t *given; // by symbol index: who gave it a value
    uint64_t random;
    dependent_constraint *idle;
    uint32_t idle_count;
    solved_variable *solved;
} completion;

// --- values that need no solving -----------------------------------------------------------------

// Evaluate a constant expression; false if it needs something that has no value yet.
static bool constant_value(state *x, expr e, arb_t out) {
    expr concrete;
    model_concrete(x->model, false, 1, &e, &concrete);
    state_reserve(x);
    program *prog = program_create(x->model->pool, 1, &concrete);
    const bool known = program_first_unknown(prog, x->known) == EXPR_NONE;
    if (known) program_run_arb(prog, x->value, x->precision, out);
    program_free(prog);
    return known;
}

static double uniform(completion *c) { return (double)(random_next(&c->random) >> 11) * 0x1p-53; }

// A parameter's value may use other parameters, in any order; those without one
// get a stand-in in generic mode.
static void set_parameters(completion *c) {
    state *x = c->x;
    const model *m = x->model;
    arb_t v;
    arb_init(v);
    for (bool progress = true; progress;) {
        progress = false;
        for (uint32_t i = 0; i < m->parameters_count; i++) {
            const parameter *q = &m->parameters[i];
            if (q->value == EXPR_NONE || x->known[expr_symbol_index(m->pool, q->symbol)]) continue;
            if (!constant_value(x, q->value, v)) continue;
            state_set(x, q->symbol, v);
            progress = true;
        }
    }
    for (uint32_t i = 0; i < m->parameters_count && c->request->mode == COMPLETE_GENERIC; i++) {
        if (x->known[expr_symbol_index(m->pool, m->parameters[i].symbol)]) continue;
        arb_set_d(v, 0.75 + 0.125 * (double)(i % 5) + 0.03125 * (double)(i / 5 % 4));
        state_set(x, m->parameters[i].symbol, v);
    }
    arb_clear(v);
}

static void assign(completion *c, uint32_t count, const assignment *items, uint8_t rank) {
    arb_t v;
    arb_init(v);
    for (uint32_t i = 0; i < count; i++) { // the last assignment of a list wins, as in a program
        state_reserve(c->x);
        if (!constant_value(c->x, items[i].value, v)) {
            diag_error(c->x->model->ctx, items[i].at,
                       "give the parameters in it a value, in the model or with --set",
                       "this value cannot be computed");
            continue;
        }
        state_set(c->x, items[i].symbol, v);
        c->given[expr_symbol_index(c->x->model->pool, items[i].symbol)] = rank;
    }
    arb_clear(v);
}

// Coordinates and velocities nobody gave: 0, or a generic value where the model has no initial
// state or another state is wanted.
static void set_defaults(completion *c) {
    state *x = c->x;
    const model *m = x->model;
    const bool generic = c->request->mode == COMPLETE_GENERIC && !c->request->zero_defaults &&
                         (c->request->seed || !m->initial_count);
    arb_t v;
    arb_init(v);
    for (uint32_t order = 0; order < 2; order++) {
        for (uint32_t i = 0; i < m->coordinates_count; i++) {
            const expr symbol = expr_symbol_of_order(m->pool, m->coordinates[i], order);
            arb_ptr value = state_get(x, symbol);
            const uint32_t index = expr_symbol_index(m->pool, symbol);
            // near the given value, or around 1/2
            if (generic && (c->request->seed || !x->known[index])) {
                arb_set_d(v, x->known[index] ? 0.5 * uniform(c) - 0.25 : 0.25 + 0.5 * uniform(c));
                arb_add(v, v, value, x->precision);
                state_set(x, symbol, v);
                c->given[index] = GIVEN_NOWHERE;
            } else if (!x->known[index]) {
                arb_zero(v);
                state_set(x, symbol, v);
            }
        }
    }
    arb_clear(v);
}

static void set_time(completion *c) {
    const model *m = c->x->model;
    arb_t v;
    arb_init(v);
    if (m->simulate.from == EXPR_NONE || !constant_value(c->x, m->simulate.from, v))
        model_usual_start(m, c->x->precision, v);
    state_set(c->x, m->time, v);
    arb_clear(v);
}

// --- solving -------------------------------------------------------------------------------------

// The unknowns and equations of one stage (order 0: coordinates; order 1: velocities).
typedef struct {
    expr *function, *variable;
    // of each function: a constraint, or constraints_count + a
    // quasi-velocity that was given a value
    uint32_t *source;
    uint8_t *fixed; // GIVEN_..
    uint32_t functions, variables;
} stage;

// Quasi-velocities are solved for where somebody at least so firm gave them a value.
static void stage_fill(completion *c, stage *g, uint32_t order, uint8_t least) {
    const model *m = c->x->model;
    arena *a = &m->ctx->arena;
    const uint32_t most = m->constraints_count + m->quasis_count;
    g->function = arena_array(a, expr, most);
    g->source = arena_array(a, uint32_t, most);
    g->variables = m->coordinates_count;
    g->variable = arena_array(a, expr, g->variables);
    g->fixed = arena_array(a, uint8_t, g->variables);
    for (uint32_t i = 0; i < g->variables; i++) {
        g->variable[i] = expr_symbol_of_order(m->pool, m->coordinates[i], order);
        g->fixed[i] = c->given[expr_symbol_index(m->pool, g->variable[i])];
    }
    for (uint32_t i = 0; i < m->constraints_count; i++) {
        const constraint *k = &m->constraints[i];
        if (k->status != CONSTRAINT_ACTIVE || k->order > 1 || (order == 0 && k->order != 0))
            continue;
        g->source[g->functions] = i;
        g->function[g->functions++] = order == 0 ? k->phi : k->velocity_phi;
    }
    for (uint32_t i = 0; order == 1 && i < m->quasis_count; i++) {
        if (c->given[expr_symbol_index(m->pool, m->quasis[i].symbol)] < least) continue;
        g->source[g->functions] = m->constraints_count + i;
        g->function[g->functions++] =
            expr_sub(m->pool, m->quasis[i].definition, m->quasis[i].symbol);
    }
    model_concrete(m, c->request->mode == COMPLETE_GENERIC, g->functions, g->function, g->function);
}

// Where the user gave the first of the stage's variables a value.
static span where_given(const completion *c, const stage *g) {
    const completion_request *r = c->request;
    const model *m = c->x->model;
    for (uint32_t i = 0; i < r->at_count + m->initial_count; i++) {
        const assignment *item = i < r->at_count ? &r->at[i] : &m->initial[i - r->at_count];
        for (uint32_t j = 0; j < g->variables; j++)
            if (item->symbol == g->variable[j]) return item->at;
    }
    return (span){0};
}

static const char *residual_text(const completion *c, arb_srcptr residual) {
    if (!arb_is_finite(residual)) return "undefined (outside the domain of a function)";
    char *number = arb_get_str(residual, 6, ARB_STR_NO_RADIUS);
    const char *copy = arena_format(&c->x->model->ctx->arena, "%s", number);
    flint_free(number);
    return copy;
}

static void note_residuals(const completion *c, const stage *g, arb_srcptr residual) {
    const model *m = c->x->model;
    for (uint32_t i = 0; i < g->functions; i++) {
        const char *size = residual_text(c, residual + i);
        if (g->source[i] < m->constraints_count)
            diag_note(m->ctx, m->constraints[g->source[i]].at, NULL,
                      "residual of `%s` at the values given: %s", m->constraints[g->source[i]].name,
                      size);
        else
            diag_note(m->ctx, m->quasis[g->source[i] - m->constraints_count].at, NULL,
                      "`%s` by its definition, less the value given: %s",
                      m->quasis[g->source[i] - m->constraints_count].name, size);
    }
}

// Constraints whose rows were no pivots: do they hold at the solution? A holonomic one that was
// idle among the coordinates is idle among the velocities again: the first finding is kept.
static void find_idle(completion *c, const stage *g, const newton_result *r, arb_srcptr residual) {
    const uint32_t constraints = c->x->model->constraints_count;
    bool *kept = memory_zeros(bool, g->functions + constraints), *known = kept + g->functions;
    for (uint32_t j = 0; j < r->rank; j++) kept[r->row[j]] = true;
    for (uint32_t i = 0; i < c->idle_count; i++) known[c->idle[i].constraint] = true;
    for (uint32_t i = 0; i < g->functions; i++) {
        if (kept[i] || g->source[i] >= constraints || known[g->source[i]]) continue;
        dependent_constraint *d = &c->idle[c->idle_count++];
        d->constraint = g->source[i];
        d->satisfied = arf_cmpabs_2exp_si(arb_midref(residual + i), -c->x->precision / 2) < 0;
        arb_init(d->residual);
        arb_set(d->residual, residual + i);
    }
    memory_free(kept);
}

static void note_solved(completion *c, const stage *g, const newton_result *r, uint32_t order) {
    const model *m = c->x->model;
    if (!c->solved)
        c->x->solved = c->solved = arena_array(&m->ctx->arena, solved_variable,
                                               2 * (m->constraints_count + m->quasis_count));
    for (uint32_t i = 0; i < r->rank; i++)
        c->solved[c->x->solved_count++] =
            (solved_variable){g->function[r->row[i]], g->variable[r->column[i]], order};
}

// The solved values must agree with those that were given.
static bool given_values_agree(completion *c, const stage *g, arb_srcptr before) {
    bool agree = true;
    for (uint32_t j = 0; j < g->variables; j++) {
        if (g->fixed[j] != GIVEN_HERE) continue;
        const double old = ball_middle(before + j);
        const double new = ball_middle(state_get(c->x, g->variable[j]));
        agree = agree && fabs(new - old) <= GIVEN_TOLERANCE * fmax(1, fmax(fabs(new), fabs(old)));
    }
    return agree;
}

// Velocities of a chain, one by one, where those nobody gave are as many as the constraints; false
// where Newton's method has to find them.
static bool solve_chain(completion *c, const stage *g, uint32_t order, newton_result *r) {
    pool *p = c->x->model->pool;
    if (order != 1 || !constraint_chain_may_be(g->functions)) return false;
    expr *unknown = memory_array(expr, g->variables), *value = NULL;
    uint32_t *which = memory_array(uint32_t, g->variables), count = 0;
    for (uint32_t i = 0; i < g->variables; i++)
        if (g->fixed[i] == GIVEN_NOWHERE) which[count] = i, unknown[count++] = g->variable[i];
    triangular t = {0};
    bool good = count == g->functions && triangular_solve(p, count, g->function, unknown, &t);
    if (good) { // solutions, then slopes
        value = memory_array(expr, 2 * (size_t)count);
        memcpy(value, t.solution, sizeof(expr) * count);
        memcpy(value + count, t.slope, sizeof(expr) * count);
        state_reserve(c->x);
        program *prog = program_create(p, 2 * count, value);
        arb_ptr out = _arb_vec_init(2 * (slong)count);
        program_run_arb(prog, c->x->value, c->x->precision, out);
        for (uint32_t i = 0; i < count && good; i++)
            good = arb_is_finite(out + i) && arb_rel_accuracy_bits(out + count + i) > 1;
        for (uint32_t i = 0; i < count && good; i++) {
            state_set(c->x, unknown[i], out + i);
            r->row[i] = t.row[i], r->column[i] = which[t.column[i]];
        }
        _arb_vec_clear(out, 2 * (slong)count);
        program_free(prog);
        triangular_free(&t);
    }
    if (good) r->rank = count, r->converged = r->verified = true;
    memory_free(unknown);
    memory_free(which);
    memory_free(value);
    return good;
}

// Does the model give quasi-velocities values that are only proposals, because a state was asked
// for?
static bool proposes_quasi_velocities(const completion *c) {
    const model *m = c->x->model;
    for (uint32_t i = 0; i < m->quasis_count; i++)
        if (c->given[expr_symbol_index(m->pool, m->quasis[i].symbol)] == GIVEN_INITIAL) return true;
    return false;
}

static hamel_status solve_stage(completion *c, uint32_t order, uint8_t least) {
    stage g = {0};
    stage_fill(c, &g, order, least);
    if (!g.functions) return HAMEL_OK;
    state *x = c->x;
    state_reserve(x);
    program *prog = program_create(x->model->pool, g.functions, g.function);
    const expr unknown = program_first_unknown(prog, x->known);
    if (unknown != EXPR_NONE) {
        model_report_no_value(x->model, unknown);
        program_free(prog);
        return HAMEL_MODEL;
    }
    arb_ptr before = _arb_vec_init(g.variables), residual = _arb_vec_init(g.functions);
    for (uint32_t j = 0; j < g.variables; j++) arb_set(before + j, state_get(x, g.variable[j]));
    program_run_arb(prog, x->value, x->precision, residual);
    newton_result r = {.row = arena_array(&x->model->ctx->arena, uint32_t, g.functions),
                       .column = arena_array(&x->model->ctx->arena, uint32_t, g.functions)};
    if (!solve_chain(c, &g, order, &r))
        constraint_newton_solve(
            x, &(newton_problem){g.functions, g.variables, g.function, g.variable, g.fixed, false},
            &r);
    hamel_status status = HAMEL_OK;
    const bool good = r.converged && given_values_agree(c, &g, before),
               again = !good && order == 1 && least < GIVEN_HERE && proposes_quasi_velocities(c);
    if (again) { // without what was only proposed
        for (uint32_t j = 0; j < g.variables; j++) arb_set(state_get(x, g.variable[j]), before + j);
        status = solve_stage(c, order, GIVEN_HERE);
    } else if (!good) {
        status = HAMEL_MODEL;
        if (c->request->mode == COMPLETE_STRICT) {
            diag_error(x->model->ctx, where_given(c, &g),
                       "leave out the dependent ones: they are solved from the constraints",
                       r.converged ? "the values given for the %s do not satisfy the constraints"
                                   : "no %s near the values given satisfy the constraints",
                       order ? "velocities" : "coordinates");
            note_residuals(c, &g, residual);
        }
    } else {
        program_run_arb(prog, x->value, x->precision, residual);
        find_idle(c, &g, &r, residual);
        note_solved(c, &g, &r, order);
    }
    _arb_vec_clear(before, g.variables);
    _arb_vec_clear(residual, g.functions);
    program_free(prog);
    return status;
}

// Coordinates on the constraints: of several solutions the one that is nearest to the guesses.
static hamel_status solve_coordinates(completion *c) {
    const hamel_status status = solve_stage(c, 0, GIVEN_INITIAL);
    if (status || c->request->seed || !state_move_to_nearest(c->x, c->given)) return status;
    dependent_constraint_clear(c->idle_count, c->idle);
    c->idle_count = 0, c->x->solved_count = 0;
    return solve_stage(c, 0, GIVEN_INITIAL);
}

// Quasi-velocities take the values their definitions have at the solved state.
static void set_quasi_velocities(completion *c) {
    const model *m = c->x->model;
    arb_t v;
    arb_init(v);
    for (uint32_t i = 0; i < m->quasis_count; i++) {
        expr psi;
        model_concrete(m, c->request->mode == COMPLETE_GENERIC, 1, &m->quasis[i].definition, &psi);
        if (constant_value(c->x, psi, v)) state_set(c->x, m->quasis[i].symbol, v);
    }
    arb_clear(v);
}

hamel_status state_complete(state *x, const completion_request *request, dependent_constraint *idle,
                            uint32_t *idle_count) {
    const model *m = x->model;
    for (uint32_t i = 0; i < m->coordinates_count; i++)
        expr_symbol_of_order(m->pool, m->coordinates[i], 1);
    state_reserve(x);
    x->generic = request->mode == COMPLETE_GENERIC;
    x->solved = NULL, x->solved_count = 0;
    completion c = {.x = x, .request = request, .random = request->seed + 1, .idle = idle};
    c.given = memory_zeros(uint8_t, x->capacity);
    set_parameters(&c);
    set_time(&c);
    assign(&c, m->guesses_count, m->guesses, GIVEN_NOWHERE);
    // With `at`, the model's own initial values are only where the solution starts.
    assign(&c, m->initial_count, m->initial, request->at_count ? GIVEN_INITIAL : GIVEN_HERE);
    assign(&c, request->at_count, request->at, GIVEN_HERE);
    set_defaults(&c);
    if (request->mode == COMPLETE_STRICT) state_check_data(x);
    hamel_status status = context_status(m->ctx);
    if (request->as_given) {
        *idle_count = 0;
        memory_free(c.given);
        return status;
    }
    if (!status) status = solve_coordinates(&c);
    if (!status) status = solve_stage(&c, 1, GIVEN_INITIAL);
    if (!status) set_quasi_velocities(&c);
    *idle_count = c.idle_count;
    memory_free(c.given);
    return status;
}

void dependent_constraint_clear(uint32_t count, dependent_constraint *idle) {
    for (uint32_t i = 0; i < count; i++) arb_clear(idle[i].residual);
}
