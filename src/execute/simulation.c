// From equations to a system ready to run.
#include "execute/simulation.h"

#include "equations/linear.h"
#include "base/random.h"
#include "execute/data_pieces.h"
#include "execute/elimination.h"
#include "execute/linear_columns.h"
#include "execute/machine.h"
#include "model/mechanics.h"

#include <math.h>
#include <string.h>

enum { START_BITS = 192 }; // quadruple precision has 113

typedef struct {
    simulation *sim;
    model *m;
    const mechanics *s;
    arena *arena;
} builder;

static void express(builder *b) {
    const uint32_t count = b->sim->column_count;
    expr *value = arena_array(b->arena, expr, count);
    for (uint32_t i = 0; i < count; i++) value[i] = b->sim->column[i].value;
    ode_open_expressions(b->sim->o, count, value, value);
    for (uint32_t i = 0; i < count; i++) b->sim->column[i].value = value[i];
}

bool simulation_knows(const simulation *sim, uint32_t count, const expr *e) {
    const model *m = sim->m;
    const pool *p = m->pool;
    data_pieces_note_use(sim, count, e);
    bool *known = arena_array(&m->ctx->arena, bool, pool_symbol_count(p));
    for (uint32_t i = 0; i < sim->o->size; i++)
        known[expr_symbol_index(p, sim->o->state[i])] = true;
    known[expr_symbol_index(p, m->time)] = true;
    for (uint32_t i = 0; i < sim->o->system.n; i++)
        known[expr_symbol_index(p, sim->o->system.unknown[i])] = true;
    for (uint32_t i = 0; i < sim->parameter_count; i++)
        known[expr_symbol_index(p, sim->parameter[i])] = true;
    program *prog = program_create(m->pool, count, e);
    const expr missing = program_first_unknown(prog, known);
    program_free(prog);
    if (missing == EXPR_NONE) return true;
    model_report_no_value(m, missing);
    return false;
}

tape *simulation_tape(const simulation *sim, uint32_t count, const expr *e) {
    return tape_create_with(sim->m->pool, sim->o->size, sim->o->state, sim->m->time,
                            sim->parameter_count, sim->parameter, sim->o->system.n > 0,
                            &sim->o->system, count, e);
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

enum { STATES = 6 }; // random ones, at which rows are compared
static const double SAME = 1e-10;
// A at a random state, in [-3, 3) like the time
static bool rows_at_random(machine *rows, uint64_t *stream, double *z, double *a) {
    for (uint32_t i = 0; i <= rows->t->state_count; i++)
        z[i] = 6 * ((double)(random_next(stream) >> 11) * 0x1p-53) - 3;
    return machine_run(rows, z[rows->t->state_count], z, a);
}

// Entries that are the same number, not 0, at all states: CONSTANT; at all 0: NOTHING.
typedef enum { NOTHING, CONSTANT, VARIES } entry;
static bool look_at_entries(machine *rows, double *z, uint32_t count, entry *kind) {
    double *a = memory_array(double, 2 * (size_t)count), *first = a + count;
    uint64_t stream = 1;
    bool finite = true;
    for (uint32_t state = 0; state < STATES && finite; state++) {
        finite = rows_at_random(rows, &stream, z, state ? a : first);
        for (uint32_t i = 0; i < count; i++)
            if (!state) kind[i] = first[i] == 0 ? NOTHING : CONSTANT;
            else if (!(fabs(a[i] - first[i]) <= SAME * fabs(first[i]))) kind[i] = VARIES;
    }
    memory_free(a);
    return finite;
}

// A column in which only one row has an entry, and that a constant: the row is independent of the
// others everywhere. Without it and this column there are more of the kind: chains are triangular.
// Lists the rows and columns that are left; the number of rows.
static uint32_t without_triangle(uint32_t k, uint32_t n, const entry *kind, uint32_t *row,
                                 uint32_t *column) {
    uint32_t *entries = memory_zeros(uint32_t, n + 1), rows = k, columns = n;
    bool *gone = memory_zeros(bool, (size_t)k + n), *taken = gone + k, found = true;
    for (uint32_t i = 0; i < k * n; i++) entries[i % n] += kind[i] != NOTHING;
    while (found) {
        found = false;
        for (uint32_t j = n; j-- > 0;) {
            if (taken[j] || entries[j] != 1) continue;
            uint32_t i = 0;
            while (gone[i] || kind[i * n + j] == NOTHING) i++;
            if (kind[i * n + j] != CONSTANT) continue;
            gone[i] = taken[j] = found = true;
            rows--, columns--;
            for (uint32_t l = 0; l < n; l++) entries[l] -= kind[i * n + l] != NOTHING;
        }
    }
    for (uint32_t i = 0, at = 0; i < k; i++)
        if (!gone[i]) row[at++] = i;
    for (uint32_t j = 0, at = 0; j < n; j++)
        if (!taken[j]) column[at++] = j;
    memory_free(entries);
    memory_free(gone);
    return rows;
}

// det(A A^T) of these rows and columns of a
static double gram_determinant(const double *a, uint32_t n, uint32_t r, const uint32_t *row,
                               uint32_t c, const uint32_t *column, double *gram) {
    for (uint32_t i = 0; i < r; i++)
        for (uint32_t j = 0; j < r; j++) {
            gram[i * r + j] = 0;
            for (uint32_t l = 0; l < c; l++)
                gram[i * r + j] += a[row[i] * n + column[l]] * a[row[j] * n + column[l]];
        }
    return elimination_pivots(r, r, gram).product;
}

// Rows of sums, products, sin and cos whose Gram determinant is the same at a few random states
// have it everywhere. Rows that are independent by a triangle are left out first.
static bool is_constant(const simulation *sim, const tape *t) {
    if (can_hide(t)) return false;
    const uint32_t k = sim->eq->system->k, n = sim->eq->system->n;
    machine rows;
    machine_init(&rows, t, sim->parameter_value);
    double *z = memory_array(double, t->state_count + (size_t)k * (n + k) + 1), found = 0;
    double *a = z + t->state_count + 1, *gram = a + k * n;
    entry *kind = memory_array(entry, (size_t)k * n);
    uint32_t *row = memory_array(uint32_t, (size_t)k + n), *column = row + k;
    bool same = look_at_entries(&rows, z, k * n, kind);
    const uint32_t left = same ? without_triangle(k, n, kind, row, column) : k;
    uint64_t stream = 1;
    for (uint32_t state = 0; state < STATES && same && left; state++) {
        const bool finite = rows_at_random(&rows, &stream, z, a);
        const double value = gram_determinant(a, n, left, row, n - (k - left), column, gram);
        same = finite && (state ? fabs(value - found) <= SAME * fabs(found) : value > 0);
        found = value;
    }
    machine_free(&rows);
    memory_free(z), memory_free(kind), memory_free(row);
    return same;
}

static void watch_rank(simulation *sim) {
    const mechanics *s = sim->eq->system;
    if (!s->k || s->h || sim->eq->auxiliaries_count || mechanics_chain_never_breaks(s)) return;
    expr *rows = memory_array(expr, (size_t)s->k * s->n);
    ode_expressions(sim->o, s->k * s->n, mechanics_slopes(s), rows);
    sim->rows = tape_create(s->pool, sim->o->size, sim->o->state, sim->m->time,
                            sim->parameter_count, sim->parameter, s->k * s->n, rows);
    memory_free(rows);
    sim->rows_can_hide = can_hide(sim->rows);
    sim->rank_changes = sim->data || !is_constant(sim, sim->rows);
}

// --- drift ---------------------------------------------------------------------------------------

// Energy, invariants and residuals need no solution of the linear system: code of their own is
// shorter than that of a row.
static void watch_drift(builder *b) {
    simulation *sim = b->sim;
    expr *value = arena_array(b->arena, expr, sim->column_count);
    sim->watched = arena_array(b->arena, uint32_t, sim->column_count);
    for (uint32_t i = 0; i < sim->column_count; i++)
        if (column_should_stay(sim->column[i].kind)) {
            value[sim->watched_count] = sim->column[i].value;
            sim->watched[sim->watched_count++] = i;
        }
    if (sim->watched_count) sim->watch = simulation_tape(sim, sim->watched_count, value);
}

// --- code ----------------------------------------------------------------------------------------

static bool make_tapes(builder *b) {
    simulation *sim = b->sim;
    const model *m = b->m;
    expr *value = arena_array(b->arena, expr, sim->column_count),
         *watched = arena_array(b->arena, expr, m->events_count);
    for (uint32_t i = 0; i < sim->column_count; i++) value[i] = sim->column[i].value;
    for (uint32_t i = 0; i < m->events_count; i++) watched[i] = m->events[i].value;
    ode_open_expressions(sim->o, m->events_count, watched, watched);
    const matrix_system *linear = &sim->o->system;
    if (!simulation_knows(sim, linear->n * linear->n, linear->matrix) ||
        !simulation_knows(sim, linear->n, linear->right) ||
        !simulation_knows(sim, sim->o->size, sim->o->open_rate) ||
        !simulation_knows(sim, sim->column_count, value) ||
        !simulation_knows(sim, m->events_count, watched))
        return false;
    sim->rate = simulation_tape(sim, sim->o->size, sim->o->open_rate);
    const bool as_written = !linear->n && sim->eq->system->chain; // a chain: for rows only
    sim->columns = !as_written ? simulation_tape(sim, sim->column_count, value)
                               : tape_create_as_written(m->pool, sim->o->size, sim->o->state,
                                                        m->time, sim->parameter_count,
                                                        sim->parameter, sim->column_count, value);
    if (m->events_count) sim->events = simulation_tape(sim, m->events_count, watched);
    watch_drift(b);
    watch_rank(sim);
    return true;
}

// t and z at the start, from the completed state
static void take_start(simulation *sim, state *here) {
    const model *m = sim->m;
    sim->exact.t = expansion_of(state_get(here, m->time));
    sim->t0 = sim->exact.t.part[0];
    expr *start = memory_array(expr, sim->o->size + 1);
    model_concrete(m, false, sim->o->size, sim->o->start, start);
    arb_ptr value = _arb_vec_init(sim->o->size);
    program *prog = program_create(m->pool, sim->o->size, start);
    state_reserve(here);
    program_run_arb(prog, here->value, here->precision, value);
    for (uint32_t i = 0; i < sim->o->size; i++)
        sim->exact.z[i] = expansion_of(value + i), sim->z0[i] = sim->exact.z[i].part[0];
    const mechanics *s = sim->eq->system;
    sim->columns0[0] = sim->t0;
    for (uint32_t i = 0; i < 2 * s->n; i++)
        sim->columns0[1 + i] =
            expansion_of(state_get(here, i < s->n ? s->q[i] : s->qd[i - s->n])).part[0];
    program_free(prog);
    _arb_vec_clear(value, sim->o->size);
    memory_free(start);
}

// Parameters in use: those with a value.
static void take_values(builder *b, state *here) {
    simulation *sim = b->sim;
    const model *m = b->m;
    const uint32_t most = m->parameters_count + SPLINE_PIECE * pool_spline_count(m->pool);
    expr *symbol = arena_array(b->arena, expr, most);
    sim->parameter_value = arena_array(b->arena, double, most);
    sim->exact.parameter = arena_array(b->arena, expansion, most);
    for (uint32_t i = 0; i < m->parameters_count; i++) {
        if (m->parameters[i].value == EXPR_NONE) continue;
        sim->exact.parameter[sim->parameter_count] =
            expansion_of(state_get(here, m->parameters[i].symbol));
        sim->parameter_value[sim->parameter_count] =
            sim->exact.parameter[sim->parameter_count].part[0];
        symbol[sim->parameter_count++] = m->parameters[i].symbol;
    }
    sim->parameter = symbol, sim->stated_count = sim->parameter_count;
    data_pieces_add(sim, symbol);
    sim->z0 = arena_array(b->arena, double, sim->o->size);
    sim->columns0 = arena_array(b->arena, double, 2 * sim->eq->system->n + 1);
    sim->exact.z = arena_array(b->arena, expansion, sim->o->size);
    take_start(sim, here);
    data_pieces_enter(sim, sim->t0);
}

static hamel_status complete(const model *m, const completion_request *where, state *here) {
    dependent_constraint *idle =
        arena_array(&m->ctx->arena, dependent_constraint, m->constraints_count);
    uint32_t count = 0;
    state_init(here, m, model_bits(m, START_BITS));
    const hamel_status status = state_complete(here, where, idle, &count);
    for (uint32_t i = 0; i < count; i++) arb_clear(idle[i].residual);
    return status;
}

static hamel_status create(model *m, const mechanics *s, equations *eq,
                           const completion_request *where, bool bare, simulation **out) {
    builder b = {.m = m, .s = s, .arena = &m->ctx->arena};
    *out = b.sim = arena_new(b.arena, simulation);
    *b.sim = (simulation){.m = m, .eq = eq};
    state here;
    hamel_status status = complete(m, where, &here);
    if (!status) {
        b.sim->o = ode_create(eq);
        status = context_status(m->ctx);
        if (!status && b.sim->o->is_undetermined) status = linear_refuse_singular(eq);
    }
    if (!status) {
        take_values(&b, &here);
        simulation_list_columns(b.sim, s, bare);
        express(&b);
        if (!make_tapes(&b)) status = HAMEL_MODEL;
    }
    state_clear(&here);
    return status ? status : context_status(m->ctx);
}

hamel_status simulation_create(model *m, const mechanics *s, equations *eq,
                               const completion_request *where, simulation **out) {
    return create(m, s, eq, where, false, out);
}

hamel_status simulation_create_bare(model *m, const mechanics *s, equations *eq,
                                    const completion_request *where, simulation **out) {
    return create(m, s, eq, where, true, out);
}

// --- other values --------------------------------------------------------------------------------

void simulation_set_parameters(simulation *sim, const double *value) {
    for (uint32_t i = 0; i < sim->stated_count; i++) {
        if (sim->parameter_value[i] == value[i]) continue; // its further digits stay
        sim->parameter_value[i] = value[i];
        sim->exact.parameter[i] = (expansion){{value[i]}};
    }
    if (sim->rows) sim->rank_changes = sim->data || !is_constant(sim, sim->rows);
}

void simulation_tell_model(const simulation *sim) {
    const model *m = sim->m;
    for (uint32_t i = 0; i < m->parameters_count; i++)
        for (uint32_t k = 0; k < sim->parameter_count; k++)
            if (m->parameters[i].symbol == sim->parameter[k] &&
                !(expr_is_number(m->pool, m->parameters[i].value) &&
                  expr_value(m->pool, m->parameters[i].value, NULL) == sim->parameter_value[k]))
                m->parameters[i].value = expr_exact(m->pool, sim->parameter_value[k]);
}

hamel_status simulation_restart(simulation *sim, const completion_request *where) {
    state here;
    const hamel_status status = complete(sim->m, where, &here);
    if (!status) take_start(sim, &here);
    state_clear(&here);
    return status;
}

void simulation_free(simulation *sim) {
    if (!sim) return;
    tape_free(sim->rate), tape_free(sim->columns), tape_free(sim->watch), tape_free(sim->events),
        tape_free(sim->rows), tape_free(sim->jacobian);
    linear_columns_free(sim->linear);
    memory_free(sim->column);
}
