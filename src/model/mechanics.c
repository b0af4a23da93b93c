// From a model to its mechanics: which constraints count, which velocities are independent,
// which quasi-velocities are used.
#include "model/mechanics.h"

#include "normal/normal.h"

#include <string.h>

enum { ANALYSIS_BITS = 128 };

typedef struct {
    model *m;
    arena *arena;
    completion_request where;
    state here;
    // near by, where the constraints have full rank; only if they have not at `here`
    state elsewhere;
    state *choice; // one of the two: where velocities are chosen
    mechanics *out;
} analysis;

// --- a state to look at --------------------------------------------------------------------------

static hamel_status complete(analysis *w, state *x, completion_mode mode, uint64_t seed,
                             dependent_constraint *idle, uint32_t *count) {
    completion_request request = completion_request_generic(&w->where, seed);
    request.mode = mode;
    state_clear(x);
    state_init(x, w->m, model_bits(w->m, ANALYSIS_BITS));
    return state_complete(x, &request, idle, count);
}

// The initial state, or where the model gives none (or none was found near it) a generic one.
static hamel_status find_state(analysis *w, dependent_constraint *idle, uint32_t *count) {
    enum { MOST_SEEDS = 8 };
    if (!complete(w, &w->here, COMPLETE_GENERIC, 0, idle, count)) return HAMEL_OK;
    if (w->m->ctx->error_count) return context_status(w->m->ctx);
    if (w->m->initial_count || w->where.at_count)
        return complete(w, &w->here, COMPLETE_STRICT, 0, idle, count);
    for (uint64_t seed = 1; seed <= MOST_SEEDS; seed++)
        if (!complete(w, &w->here, COMPLETE_GENERIC, seed, idle, count)) return HAMEL_OK;
    diag_error(w->m->ctx, (span){0}, "state one with `initial`",
               "no state was found that satisfies the constraints");
    return HAMEL_MODEL;
}

// What the constraints lose at a state, once it is known which of them are independent elsewhere.
static hamel_status judge_idle(analysis *w, uint32_t count, const dependent_constraint *idle) {
    model *m = w->m;
    uint32_t *which = arena_array(w->arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        which[i] = idle[i].constraint;
        if (idle[i].satisfied) continue;
        diag_error(m->ctx, m->constraints[which[i]].at, "give values that satisfy all constraints",
                   "constraint `%s` cannot be satisfied with the others at this state",
                   m->constraints[which[i]].name);
        return HAMEL_MODEL;
    }
    if (count) model_warn_of_rank_loss(m, count, which);
    return HAMEL_OK;
}

static hamel_status settle_constraints(analysis *w) {
    model *m = w->m;
    hamel_status status = m->reduced ? HAMEL_OK : model_reduce(m, &w->where);
    const bool first = !m->settled;
    m->reduced = m->reduced || !status;
    m->is_wrong = !m->reduced;
    for (bool again = !status; again && !status;) {
        again = false;
        dependent_constraint *idle =
            arena_array(w->arena, dependent_constraint, m->constraints_count);
        uint32_t count = 0;
        status = find_state(w, idle, &count);
        if (!status && count && first) {
            status = model_settle_independence(m, &w->where, &w->here, count, idle, &again);
            m->is_wrong = status != HAMEL_OK;
        } else if (!status && count) {
            status = judge_idle(w, count, idle);
        }
        dependent_constraint_clear(count, idle);
    }
    m->settled = m->settled || !status;
    if (first && !status) model_warn_of_lost_multipliers(m);
    return status ? status : context_status(m->ctx);
}

// --- what the formalisms start from --------------------------------------------------------------

static void set_coordinates(analysis *w) {
    mechanics *s = w->out;
    pool *p = s->pool;
    expr *q = arena_array(w->arena, expr, s->n), *qd = arena_array(w->arena, expr, s->n),
         *qdd = arena_array(w->arena, expr, s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        q[i] = w->m->coordinates[i];
        qd[i] = expr_symbol_of_order(p, q[i], 1);
        qdd[i] = expr_symbol_of_order(p, q[i], 2);
    }
    s->q = q, s->qd = qd, s->qdd = qdd;
}

// fewer than k + h: index into the lists
uint32_t mechanics_order(const mechanics *s, uint32_t nu) {
    const int order = s->model->constraints[s->constraint[nu]].order;
    return order ? (uint32_t)order : 1;
}

// The active constraints: those of order 0 and 1, then the others by their orders.
static void list_constraints(analysis *w) {
    mechanics *s = w->out;
    const model *m = w->m;
    uint32_t *index = arena_array(w->arena, uint32_t, m->constraints_count), count = 0;
    expr *phi = arena_array(w->arena, expr, m->constraints_count),
         *lambda = arena_array(w->arena, expr, m->constraints_count);
    int highest = 1;
    for (uint32_t i = 0; i < m->constraints_count; i++)
        highest = m->constraints[i].order > highest ? m->constraints[i].order : highest;
    for (int order = 1; order <= highest; order++) {
        for (uint32_t i = 0; i < m->constraints_count; i++) {
            const constraint *c = &m->constraints[i];
            if (c->status != CONSTRAINT_ACTIVE || (c->order ? c->order : 1) != order) continue;
            index[count] = i;
            phi[count] = c->velocity_phi;
            lambda[count++] = c->multiplier;
        }
        if (order == 1) s->k = count;
    }
    s->h = count - s->k;
    s->constraint = index, s->phi = phi, s->multiplier = lambda;
    s->m = s->n - s->k;
}

static void set_constraints(analysis *w) {
    mechanics *s = w->out;
    list_constraints(w);
    s->slopes = slope_matrix_create(w->arena);
    if (!constraint_chain_may_be(s->k)) mechanics_slopes(s);
}

// Velocities are chosen where the constraints have full rank: at the state under
// study, or else at one near by.
static void find_choice(analysis *w) {
    enum { MOST_SEEDS = 4 };
    const mechanics *s = w->out;
    uint32_t *row = arena_array(w->arena, uint32_t, s->k),
             *column = arena_array(w->arena, uint32_t, s->k);
    w->choice = &w->here;
    for (uint64_t seed = 1; seed <= MOST_SEEDS; seed++) {
        const double *a = state_doubles(w->choice, s->k * s->n, mechanics_slopes(s));
        if (pivots_choose(s->k, s->n, a, NULL, 1, row, column) == s->k) return;
        const completion_request request = completion_request_generic(&w->where, seed);
        state_clear(&w->elsewhere);
        const bool found =
            state_find(&w->elsewhere, w->m, model_bits(w->m, ANALYSIS_BITS), &request);
        w->choice = found ? &w->elsewhere : &w->here;
    }
}

// Who has the m degrees of freedom: constraints of order 2 and higher restrict no velocity.
static const char *who_has_freedom(const mechanics *s) {
    return s->h ? "the velocities have" : "the system has";
}

static bool is_named_independent(const model *m, expr q) {
    for (uint32_t i = 0; i < m->independent_count; i++)
        if (m->independent[i] == q) return true;
    return false;
}

static hamel_status choose_dependent(analysis *w) {
    mechanics *s = w->out;
    const model *m = w->m;
    const bool stated = m->independent_count && !w->where.free_choice;
    if (stated && m->independent_count != s->m) {
        diag_error(m->ctx, m->independent_at, NULL,
                   "%u coordinate%s named independent, but %s %u degree%s of freedom",
                   m->independent_count, m->independent_count == 1 ? " is" : "s are",
                   who_has_freedom(s), s->m, s->m == 1 ? "" : "s");
        return HAMEL_MODEL;
    }
    double *a = state_doubles(w->choice, s->k * s->n, mechanics_slopes(s)),
           *cost = arena_array(w->arena, double, s->k * s->n);
    for (uint32_t i = 0; i < s->k; i++)
        for (uint32_t j = 0; j < s->n; j++) {
            cost[i * s->n + j] = expr_weight(s->pool, mechanics_slopes(s)[i * s->n + j]);
            if (stated && is_named_independent(m, s->q[j])) a[i * s->n + j] = 0;
        }
    uint32_t *row = arena_array(w->arena, uint32_t, s->k),
             *column = arena_array(w->arena, uint32_t, s->k);
    const uint32_t rank =
        pivots_choose(s->k, s->n, a, cost,
                      w->where.free_choice ? FREE_THRESHOLD : INDEPENDENCE_THRESHOLD, row, column);
    if (rank < s->k && stated) {
        diag_error(
            m->ctx, m->independent_at, "choose others, or leave the choice to hamel",
            "the velocities named independent do not determine the others at the initial state");
        return HAMEL_MODEL;
    }
    bool *is_dependent = arena_array(w->arena, bool, s->n);
    for (uint32_t i = 0; i < rank; i++) is_dependent[column[i]] = true;
    for (uint32_t j = s->n, missing = s->k - rank; missing && j-- > 0;) // at a rank drop: any
        if (!is_dependent[j]) is_dependent[j] = true, missing--;
    uint32_t *dependent = arena_array(w->arena, uint32_t, s->k),
             *independent = arena_array(w->arena, uint32_t, s->m);
    uint32_t d = 0, f = 0;
    for (uint32_t j = 0; j < s->n; j++) {
        if (is_dependent[j]) dependent[d++] = j;
        else independent[f++] = j;
    }
    s->dependent = dependent, s->independent = independent;
    return HAMEL_OK;
}

// Pivots of the k x k matrix of the dependent velocities, for an elimination with little fill-in.
static void set_block(analysis *w) {
    mechanics *s = w->out;
    expr *block = arena_array(w->arena, expr, s->k * s->k);
    for (uint32_t i = 0; i < s->k; i++)
        for (uint32_t j = 0; j < s->k; j++)
            block[i * s->k + j] = mechanics_slopes(s)[i * s->n + s->dependent[j]];
    uint32_t *row = arena_array(w->arena, uint32_t, s->k),
             *column = arena_array(w->arena, uint32_t, s->k);
    pivots_choose(s->k, s->k, state_doubles(w->choice, s->k * s->k, block), NULL,
                  INDEPENDENCE_THRESHOLD, row, column);
    s->block = (pivot_order){row, column};
}

// With declared quasi-velocities all velocities must follow from (eta, constraints):
// [dPsi/dq'; dPhi/dq'] regular at the state.
static hamel_status set_frame(analysis *w) {
    mechanics *s = w->out;
    const uint32_t n = s->n;
    expr *matrix = arena_array(w->arena, expr, n * n);
    expr_jacobian(s->pool, s->m, s->psi, n, s->qd, matrix);
    for (uint32_t i = 0; i < s->k * n; i++) matrix[s->m * n + i] = mechanics_slopes(s)[i];
    uint32_t *row = arena_array(w->arena, uint32_t, n),
             *column = arena_array(w->arena, uint32_t, n);
    const uint32_t rank = pivots_choose(n, n, state_doubles(w->choice, n * n, matrix), NULL,
                                        INDEPENDENCE_THRESHOLD, row, column);
    s->psi_velocity = matrix, s->frame = (pivot_order){row, column};
    if (rank == n) return HAMEL_OK;
    diag_error(w->m->ctx, w->m->quasis[0].at,
               "with the constraints they must determine every velocity",
               "the quasi-velocities are not independent at the initial state");
    return HAMEL_MODEL;
}

static void set_sample(analysis *w) {
    double *sample = arena_array(w->arena, double, w->here.capacity);
    for (uint32_t i = 0; i < w->here.capacity; i++) sample[i] = ball_middle(w->here.value + i);
    w->out->sample = sample;
    w->out->sample_count = w->here.capacity;
}

static hamel_status set_quasi_velocities(analysis *w) {
    mechanics *s = w->out;
    const model *m = w->m;
    expr *eta = arena_array(w->arena, expr, s->m), *psi = arena_array(w->arena, expr, s->m);
    s->eta = eta, s->psi = psi;
    s->has_quasi = m->quasis_count > 0;
    if (!s->has_quasi) {
        *s = mechanics_without_quasi(s);
        return HAMEL_OK;
    }
    if (m->quasis_count != s->m) {
        diag_error(m->ctx, m->quasis[0].at, "declare one for each degree of freedom, or none",
                   "%u quasi-velocit%s declared, but %s %u degree%s of freedom", m->quasis_count,
                   m->quasis_count == 1 ? "y is" : "ies are", who_has_freedom(s), s->m,
                   s->m == 1 ? "" : "s");
        return HAMEL_MODEL;
    }
    for (uint32_t i = 0; i < s->m; i++) {
        eta[i] = m->quasis[i].symbol;
        psi[i] = m->quasis[i].definition;
    }
    return set_frame(w);
}

static hamel_status assemble(analysis *w) {
    mechanics *s = w->out;
    const model *m = w->m;
    set_coordinates(w);
    const energies e = model_energies(m);
    s->kinetic = e.kinetic, s->potential = e.potential, s->lagrangian = e.lagrangian;
    s->force = s->applied = e.force, s->dissipation = m->dissipation;
    hamel_status status = HAMEL_OK;
    for (bool again = true; again && !status;) {
        set_constraints(w);
        status = mechanics_settle_higher(s, &w->where, &w->here, &again);
    }
    if (!status) status = mechanics_settle_forces(s);
    if (!status) status = mechanics_settle_servo(s, &w->here);
    if (status) return status;
    w->choice = &w->here;
    if (w->where.free_choice || !mechanics_find_chain(s, &w->here)) {
        find_choice(w);
        status = choose_dependent(w);
        if (!status) set_block(w);
    }
    if (!status) status = set_quasi_velocities(w);
    set_sample(w);
    return status ? status : context_status(m->ctx);
}

expr mechanics_option(const mechanics *s, const char *name, expr fallback) {
    const model *m = s->model;
    for (uint32_t i = 0; i < s->option_count; i++)
        if (strcmp(s->options[i].name, name) == 0) return s->options[i].value;
    for (uint32_t i = 0; i < m->parameters_count; i++)
        if (strcmp(expr_symbol_name(m->pool, m->parameters[i].symbol), name) == 0)
            return m->parameters[i].symbol;
    return fallback;
}

expr mechanics_explicit_rate(const mechanics *s, expr f) {
    return expr_at_zero(s->pool, expr_ddt(s->pool, f), s->n, s->qd);
}

mechanics mechanics_without_quasi(const mechanics *system) {
    mechanics s = *system;
    expr *eta = arena_array(&s.model->ctx->arena, expr, s.m);
    for (uint32_t i = 0; i < s.m; i++) eta[i] = s.qd[s.independent[i]];
    s.eta = s.psi = eta;
    s.has_quasi = false;
    s.psi_velocity = NULL, s.frame = (pivot_order){0};
    return s;
}

hamel_status mechanics_create(model *m, const completion_request *where, mechanics **out) {
    analysis w = {.m = m, .arena = &m->ctx->arena};
    if (where) w.where = *where;
    w.out = arena_new(w.arena, mechanics);
    *w.out = (mechanics){.model = m, .pool = m->pool, .n = m->coordinates_count};
    hamel_status status = settle_constraints(&w);
    if (!status) status = assemble(&w);
    state_clear(&w.here);
    state_clear(&w.elsewhere);
    *out = w.out;
    return status;
}
