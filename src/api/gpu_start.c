// Starts that need no solving.
#include "api/gpu_start.h"

#include "execute/machine.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

static bool is_holonomic(const model *m, const mechanics *s) {
    bool is = s->h > 0;
    for (uint32_t i = 0; i < s->k; i++) is |= m->constraints[s->constraint[i]].order == 0;
    return is;
}

// What the model says q_i, then q'_i, are at the start, as functions of parameters; 0 where it says
// nothing. False where they are more than that.
static bool list_given(const model *m, const mechanics *s, const expr *symbol, expr *given) {
    const uint32_t n = s->n;
    bool *known = arena_array(&m->ctx->arena, bool, 2 * n);
    if (is_holonomic(m, s)) return false;
    for (uint32_t i = 0; i < 2 * n; i++) known[i] = false, given[i] = expr_int(m->pool, 0);
    for (uint32_t k = 0; k < m->initial_count; k++) {
        uint32_t i = 0;
        while (i < 2 * n && m->initial[k].symbol != symbol[i]) i++;
        if (i == 2 * n) return false;
        given[i] = m->initial[k].value, known[i] = true;
    }
    for (uint32_t i = 0; i < s->k; i++) // these follow from the others
        if (known[n + s->dependent[i]]) return false;
    return true;
}

// Does the start that is found so agree with the one that was completed?
static bool agrees(const gpu_start *start, const simulation *sim) {
    static const double CLOSE = 1e-12;
    const uint32_t n = sim->o->size;
    double *z = memory_array(double, n + 1);
    bool good = gpu_start_find(start, sim, sim->parameter_value, 0, NULL, NULL, z);
    for (uint32_t i = 0; i < n && good; i++)
        good = fabs(z[i] - sim->z0[i]) <= CLOSE * (1 + fabs(sim->z0[i]));
    memory_free(z);
    return good;
}

gpu_start gpu_start_list(model *m, const simulation *sim) {
    const mechanics *s = sim->eq->system;
    const uint32_t n = s->n, parameters = sim->parameter_count, size = sim->o->size;
    arena *a = &m->ctx->arena;
    pool *p = m->pool;
    gpu_start out = {0};
    expr *symbol = arena_array(a, expr, 2 * n), *given = arena_array(a, expr, 2 * n);
    for (uint32_t i = 0; i < n; i++) symbol[i] = s->q[i], symbol[n + i] = s->qd[i];
    if (!list_given(m, s, symbol, given) || expr_any_depends_on(p, 2 * n, given, 2 * n, symbol))
        return out;
    for (uint32_t i = 0; i < s->k; i++) // no start may need what follows from the constraints
        if (expr_any_depends_on(p, size, sim->o->start, 1, &s->qd[s->dependent[i]])) return out;
    const char **name = arena_array(a, const char *, 2 * n);
    for (uint32_t i = 0; i < 2 * n; i++) name[i] = expr_symbol_text(p, symbol[i]);
    out.name = name;
    out.given = tape_create(p, 0, symbol, m->time, parameters, sim->parameter, 2 * n, given);
    out.start =
        tape_create(p, 2 * n, symbol, m->time, parameters, sim->parameter, size, sim->o->start);
    if (!agrees(&out, sim)) gpu_start_free(&out);
    return out;
}

void gpu_start_free(gpu_start *s) {
    tape_free(s->given), tape_free(s->start);
    *s = (gpu_start){0};
}

// Does a start that was found by solving depend on a symbol?
static bool is_solved_with(const simulation *sim, expr symbol) {
    const model *m = sim->m;
    bool is = expr_any_depends_on(m->pool, sim->o->size, sim->o->start, 1, &symbol);
    for (uint32_t i = 0; i < m->initial_count; i++)
        is = is || expr_depends_on(m->pool, m->initial[i].value, 1, &symbol);
    for (uint32_t i = 0; i < m->constraints_count; i++)
        is = is || expr_depends_on(m->pool, m->constraints[i].phi, 1, &symbol);
    return is;
}

bool gpu_start_may_vary(const gpu_start *s, const simulation *sim, uint32_t k) {
    const model *m = sim->m;
    for (uint32_t i = 0; i < m->parameters_count; i++)
        if (m->parameters[i].value != EXPR_NONE &&
            expr_depends_on(m->pool, m->parameters[i].value, 1, &sim->parameter[k]))
            return false;
    const expr times[] = {m->simulate.from, m->simulate.to}; // all runs have one start, one end
    for (int i = 0; i < 2; i++)
        if (times[i] != EXPR_NONE && expr_depends_on(m->pool, times[i], 1, &sim->parameter[k]))
            return false;
    return s->given || !is_solved_with(sim, sim->parameter[k]);
}

bool gpu_start_may_vary_state(const gpu_start *s, const simulation *sim, uint32_t i) {
    const model *m = sim->m;
    for (uint32_t c = 0; c < m->constraints_count && !s->given; c++)
        if (m->constraints[c].order == 0 &&
            expr_depends_on(m->pool, m->constraints[c].phi, 1, &sim->o->state[i]))
            return false;
    return true;
}

bool gpu_start_is_stated(const gpu_start *s, const simulation *sim) {
    const model *m = sim->m;
    const uint32_t n = sim->o->size;
    bool all = true;
    for (uint32_t i = 0, k; i < n && all; i++) {
        for (k = 0; k < m->initial_count && m->initial[k].symbol != sim->o->state[i];) k++;
        all = k < m->initial_count &&
              !expr_depends_on(m->pool, m->initial[k].value, n, sim->o->state);
    }
    return s->given || (all && m->initial_count == n);
}

int gpu_start_target(const gpu_start *s, const simulation *sim, const char *name) {
    const uint32_t n = sim->o->size, given = s->given ? s->given->output_count : 0;
    const pool *p = sim->m->pool;
    for (uint32_t i = 0; i < given; i++)
        if (!strcmp(s->name[i], name)) return (int)(n + sim->parameter_count + i);
    for (uint32_t i = 0; i < sim->parameter_count; i++)
        if (!strcmp(expr_symbol_text(p, sim->parameter[i]), name))
            return gpu_start_may_vary(s, sim, i) ? (int)(n + i) : -1;
    for (uint32_t i = 0; i < n; i++)
        if (!strcmp(expr_symbol_text(p, sim->o->state[i]), name))
            return gpu_start_may_vary_state(s, sim, i) ? (int)i : -1;
    return -1;
}

bool gpu_start_find(const gpu_start *s, const simulation *sim, const double *parameters,
                    uint32_t count, const int *target, const double *values, double *z) {
    const uint32_t n = sim->o->size, given = s->given->output_count;
    double *p = memory_array(double, sim->parameter_count + given + 1),
           *number = p + sim->parameter_count;
    machine m;
    memcpy(p, parameters, sizeof(double) * sim->parameter_count);
    for (uint32_t i = 0; i < count; i++)
        if (target[i] >= (int)n && target[i] < (int)(n + sim->parameter_count))
            p[target[i] - (int)n] = values[i];
    machine_init(&m, s->given, p);
    bool good = machine_run(&m, sim->t0, p, number); // it has no states
    machine_free(&m);
    for (uint32_t i = 0; i < count; i++)
        if (target[i] >= (int)(n + sim->parameter_count))
            number[target[i] - (int)(n + sim->parameter_count)] = values[i];
    machine_init(&m, s->start, p);
    good = good && machine_run(&m, sim->t0, number, z);
    machine_free(&m);
    for (uint32_t i = 0; i < count; i++)
        if (target[i] < (int)n) z[target[i]] = values[i];
    memory_free(p);
    return good;
}
