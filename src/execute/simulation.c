// From equations to a system ready to run.
#include "execute/simulation.h"

#include "base/random.h"
#include "execute/elimination.h"
#include "execute/machine.h"
#include "model/mechanics.h"

#include <math.h>
#include <string.h>

enum { START_BITS = 192 }; // quadruple precision has 113

const char *column_kind_name(column_kind k) {
    static const char *const name[] = {
        [COLUMN_TIME] = "time",
        [COLUMN_COORDINATE] = "coordinate",
        [COLUMN_VELOCITY] = "velocity",
        [COLUMN_QUASI] = "quasi-velocity",
        [COLUMN_MULTIPLIER] = "multiplier",
        [COLUMN_ENERGY] = "energy",
        [COLUMN_INVARIANT] = "invariant",
        [COLUMN_OBSERVABLE] = "observable",
        [COLUMN_RESIDUAL] = "residual",
    };
    return name[k];
}

bool column_should_stay(column_kind k) {
    return k == COLUMN_ENERGY || k == COLUMN_INVARIANT || k == COLUMN_RESIDUAL;
}

typedef struct {
    simulation *s;
    model *m;
    const mechanics *w;
    arena *arena;
    uint32_t capacity;
    bool bare; // t, q, q' are all the columns
} maker;

// No two columns have one name: an observable may be called `energy`.
static void add(maker *k, const char *name, column_kind kind, expr value) {
    for (uint32_t i = 0; i < k->s->column_count; i++)
        if (strcmp(k->s->column[i].name, name) == 0)
            name = arena_format(k->arena, "observable[%s]", name);
    array_reserve(k->s->column, k->s->column_count, k->capacity);
    k->s->column[k->s->column_count++] = (column){name, kind, value};
}

static const char *name_of(const maker *k, expr e) { return expr_symbol_text(k->m->pool, e); }

// h = sum q'_i dL/dq'_i - L
static expr energy_of(const mechanics *w) {
    expr *p = arena_array(&w->model->ctx->arena, expr, w->n);
    expr_gradient(w->pool, w->lagrangian, w->n, w->qd, p);
    return expr_sub(w->pool, expr_dot(w->pool, w->n, w->qd, p), w->lagrangian);
}

static void list_columns(maker *k) {
    const mechanics *w = k->w;
    const model *m = k->m;
    add(k, "t", COLUMN_TIME, m->time);
    for (uint32_t i = 0; i < w->n; i++) add(k, name_of(k, w->q[i]), COLUMN_COORDINATE, w->q[i]);
    for (uint32_t i = 0; i < w->n; i++) add(k, name_of(k, w->qd[i]), COLUMN_VELOCITY, w->qd[i]);
    if (k->bare) return;
    for (uint32_t i = 0; i < w->m && w->has_quasi; i++)
        add(k, name_of(k, w->eta[i]), COLUMN_QUASI, w->psi[i]);
    for (uint32_t i = 0; i < k->s->eq->multiplier_count; i++)
        add(k, name_of(k, k->s->eq->multiplier[i]), COLUMN_MULTIPLIER, k->s->eq->multiplier[i]);
    add(k, "energy", COLUMN_ENERGY, energy_of(w));
    for (uint32_t i = 0; i < m->invariants_count; i++)
        add(k, arena_format(k->arena, "invariant[%s]", m->invariants[i].name), COLUMN_INVARIANT,
            m->invariants[i].value);
    for (uint32_t i = 0; i < m->observables_count; i++)
        add(k, m->observables[i].name, COLUMN_OBSERVABLE, m->observables[i].value);
    for (uint32_t i = 0; i < w->k + w->h; i++) {
        const constraint *c = &m->constraints[w->constraint[i]];
        add(k, arena_format(k->arena, "residual[%s]", c->name), COLUMN_RESIDUAL, c->phi);
    }
}

static void express(maker *k) {
    const uint32_t count = k->s->column_count;
    expr *value = arena_array(k->arena, expr, count);
    for (uint32_t i = 0; i < count; i++) value[i] = k->s->column[i].value;
    ode_open_expressions(k->s->o, count, value, value);
    for (uint32_t i = 0; i < count; i++) k->s->column[i].value = value[i];
}

// Something without a value: said with its place. The expressions may hold z, t
// and parameters with values only.
static bool all_known(const maker *k, uint32_t count, const expr *e) {
    const simulation *s = k->s;
    const pool *p = k->m->pool;
    bool *known = arena_array(k->arena, bool, pool_symbol_count(p));
    for (uint32_t i = 0; i < s->o->size; i++) known[expr_symbol_index(p, s->o->state[i])] = true;
    known[expr_symbol_index(p, k->m->time)] = true;
    for (uint32_t i = 0; i < s->o->system.n; i++)
        known[expr_symbol_index(p, s->o->system.unknown[i])] = true;
    for (uint32_t i = 0; i < s->parameter_count; i++)
        known[expr_symbol_index(p, s->parameter[i])] = true;
    program *prog = program_create(k->m->pool, count, e);
    const expr missing = program_first_unknown(prog, known);
    program_free(prog);
    if (missing == EXPR_NONE) return true;
    model_report_no_value(k->m, missing);
    return false;
}

tape *simulation_tape(const simulation *s, uint32_t count, const expr *e) {
    return tape_create_with(s->m->pool, s->o->size, s->o->state, s->m->time, s->parameter_count,
                            s->parameter, s->o->system.n > 0, &s->o->system, count, e);
}

// --- the rank of the constraints -----------------------------------------------------------------

// Is there more in the code than sums, products, sin and cos: something narrow that could stand
// between two looks?
static bool can_hide(const tape *t) {
    for (uint32_t i = 0; i < t->step_count; i++) switch (t->step[i].operation) {
        case TAPE_ADD:
        case TAPE_SUB:
        case TAPE_MUL:
        case TAPE_NEG:
        case TAPE_SIN:
        case TAPE_COS: break;
        default:
            if (t->step[i].level != TAPE_FIXED) return true;
        }
    return false;
}

// det(A A^T) of k rows of n numbers
static double gram_determinant(uint32_t k, uint32_t n, const double *a, double *gram) {
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < k; j++) {
            gram[i * k + j] = 0;
            for (uint32_t l = 0; l < n; l++) gram[i * k + j] += a[i * n + l] * a[j * n + l];
        }
    return elimination_pivots(k, k, gram).product;
}

// Rows of sums, products, sin and cos whose Gram determinant is the same at a few
// random states have it everywhere.
static bool is_constant(const simulation *sim, const tape *t) {
    enum { STATES = 6 };
    if (can_hide(t)) return false;
    const uint32_t k = sim->eq->system->k, n = sim->eq->system->n;
    machine rows;
    machine_init(&rows, t, sim->parameter_value);
    double *z = memory_array(double, t->state_count + (size_t)k * (n + k) + 1), found = 0;
    double *a = z + t->state_count + 1, *gram = a + k * n;
    uint64_t stream = 1;
    bool same = true;
    for (uint32_t state = 0; state < STATES && same; state++) {
        for (uint32_t i = 0; i <= t->state_count; i++) // in [-3, 3); the last is t
            z[i] = 6 * ((double)(random_next(&stream) >> 11) * 0x1p-53) - 3;
        if (!machine_run(&rows, z[t->state_count], z, a)) same = false;
        const double value = gram_determinant(k, n, a, gram);
        if (state && !(fabs(value - found) <= 1e-10 * fabs(found))) same = false;
        found = value;
    }
    machine_free(&rows);
    memory_free(z);
    return same && found > 0;
}

tape *simulation_velocity_rows(const simulation *sim) {
    const mechanics *s = sim->eq->system;
    expr *rows = memory_array(expr, (size_t)s->k * s->n);
    ode_expressions(sim->o, s->k * s->n, s->phi_velocity, rows);
    tape *code = tape_create(s->pool, sim->o->size, sim->o->state, sim->m->time,
                             sim->parameter_count, sim->parameter, s->k * s->n, rows);
    memory_free(rows);
    return code;
}

static void watch_rank(simulation *sim) {
    const mechanics *s = sim->eq->system;
    if (!s->k || s->h || sim->eq->auxiliaries_count) return;
    tape *code = simulation_velocity_rows(sim);
    if (is_constant(sim, code)) tape_free(code);
    else sim->rows = code, sim->rows_can_hide = can_hide(code);
}

// --- code ----------------------------------------------------------------------------------------

static bool make_tapes(maker *k) {
    simulation *s = k->s;
    const model *m = k->m;
    expr *value = arena_array(k->arena, expr, s->column_count),
         *watched = arena_array(k->arena, expr, m->events_count);
    for (uint32_t i = 0; i < s->column_count; i++) value[i] = s->column[i].value;
    for (uint32_t i = 0; i < m->events_count; i++) watched[i] = m->events[i].value;
    ode_open_expressions(s->o, m->events_count, watched, watched);
    const matrix_system *linear = &s->o->system;
    if (!all_known(k, linear->n * linear->n, linear->matrix) ||
        !all_known(k, linear->n, linear->right))
        return false;
    if (!all_known(k, s->o->size, s->o->open_rate) || !all_known(k, s->column_count, value) ||
        !all_known(k, m->events_count, watched))
        return false;
    s->rate = simulation_tape(s, s->o->size, s->o->open_rate);
    s->columns = simulation_tape(s, s->column_count, value);
    if (m->events_count) s->events = simulation_tape(s, m->events_count, watched);
    watch_rank(s);
    return true;
}

// Parameters in use: those with a value. z at the start from the completed state.
static void take_values(maker *k, state *here) {
    simulation *s = k->s;
    const model *m = k->m;
    expr *symbol = arena_array(k->arena, expr, m->parameters_count);
    s->parameter_value = arena_array(k->arena, double, m->parameters_count);
    s->exact.parameter = arena_array(k->arena, expansion, m->parameters_count);
    for (uint32_t i = 0; i < m->parameters_count; i++) {
        if (m->parameters[i].value == EXPR_NONE) continue;
        s->exact.parameter[s->parameter_count] =
            expansion_of(state_get(here, m->parameters[i].symbol));
        s->parameter_value[s->parameter_count] = s->exact.parameter[s->parameter_count].part[0];
        symbol[s->parameter_count++] = m->parameters[i].symbol;
    }
    s->parameter = symbol;
    s->exact.t = expansion_of(state_get(here, m->time));
    s->t0 = s->exact.t.part[0];
    expr *start = arena_array(k->arena, expr, s->o->size);
    model_concrete(m, false, s->o->size, s->o->start, start);
    s->z0 = arena_array(k->arena, double, s->o->size);
    s->exact.z = arena_array(k->arena, expansion, s->o->size);
    arb_ptr value = _arb_vec_init(s->o->size);
    program *prog = program_create(m->pool, s->o->size, start);
    state_reserve(here);
    program_run_arb(prog, here->value, START_BITS, value);
    for (uint32_t i = 0; i < s->o->size; i++)
        s->exact.z[i] = expansion_of(value + i), s->z0[i] = s->exact.z[i].part[0];
    program_free(prog);
    _arb_vec_clear(value, s->o->size);
}

static hamel_status complete(maker *k, const completion_request *where, state *here) {
    dependent_constraint *idle =
        arena_array(k->arena, dependent_constraint, k->m->constraints_count);
    uint32_t count = 0;
    state_init(here, k->m, START_BITS);
    const hamel_status status = state_complete(here, where, idle, &count);
    for (uint32_t i = 0; i < count; i++) arb_clear(idle[i].residual);
    return status;
}

static hamel_status create(model *m, const mechanics *system, equations *eq,
                           const completion_request *where, bool bare, simulation **out) {
    maker k = {.m = m, .w = system, .arena = &m->ctx->arena, .bare = bare};
    *out = k.s = arena_new(k.arena, simulation);
    *k.s = (simulation){.m = m, .eq = eq};
    state here;
    hamel_status status = complete(&k, where, &here);
    if (!status) {
        k.s->o = ode_create(eq);
        status = context_status(m->ctx);
    }
    if (!status) {
        take_values(&k, &here);
        list_columns(&k);
        express(&k);
        if (!make_tapes(&k)) status = HAMEL_MODEL;
    }
    state_clear(&here);
    return status ? status : context_status(m->ctx);
}

hamel_status simulation_create(model *m, const mechanics *system, equations *eq,
                               const completion_request *where, simulation **out) {
    return create(m, system, eq, where, false, out);
}

hamel_status simulation_create_bare(model *m, const mechanics *system, equations *eq,
                                    const completion_request *where, simulation **out) {
    return create(m, system, eq, where, true, out);
}

void simulation_free(simulation *s) {
    if (!s) return;
    tape_free(s->rate), tape_free(s->columns), tape_free(s->events), tape_free(s->rows),
        tape_free(s->jacobian);
    memory_free(s->column);
}
