// Expressions at the rows of a run.
#include "report/row_values.h"

#include <math.h>

struct row_values {
    const finished_run *run;
    double *symbol;  // by symbol index
    program *wanted; // the expressions
    // z of the first-order system, which some of them are written in; NULL: none is
    program *state;
    double *z;
};

// Does e hold what no row does: q'', q''', lambda'?
static bool is_beyond_rows(pool *p, expr e) {
    uint32_t count;
    expr *node = expr_reachable(p, 1, &e, &count);
    bool beyond = false;
    for (uint32_t i = 0; i < count && !beyond; i++) {
        const symbol *s = expr_as_symbol(p, node[i]);
        beyond = s && ((s->role == ROLE_COORDINATE && s->order > 1) ||
                       (s->role == ROLE_MULTIPLIER && s->order > 0));
    }
    memory_free(node);
    return beyond;
}

row_values *row_values_create(const finished_run *r, uint32_t count, const expr *e) {
    const simulation *sim = r->sim;
    pool *p = sim->m->pool;
    row_values *v = memory_new(row_values);
    *v = (row_values){.run = r};
    expr *concrete = memory_array(expr, count + sim->o->size + 1);
    bool beyond = false;
    for (uint32_t i = 0; i < count; i++) {
        const bool here = is_beyond_rows(p, e[i]);
        concrete[i] = here ? ode_expression(sim->o, e[i]) : e[i];
        beyond |= here;
    }
    model_concrete(sim->m, false, count, concrete, concrete);
    v->wanted = program_create(p, count, concrete);
    if (beyond) {
        model_concrete(sim->m, false, sim->o->size, sim->o->start, concrete);
        v->state = program_create(p, sim->o->size, concrete);
        v->z = memory_array(double, sim->o->size + 1);
    }
    memory_free(concrete);
    const uint32_t symbols = pool_symbol_count(p);
    v->symbol = memory_array(double, symbols + 1);
    for (uint32_t i = 0; i < symbols; i++) v->symbol[i] = NAN;
    for (uint32_t i = 0; i < sim->parameter_count; i++)
        v->symbol[expr_symbol_index(p, sim->parameter[i])] = sim->parameter_value[i];
    return v;
}

// The symbol whose values a column holds: the number-th of its kind. EXPR_NONE for other columns.
static expr symbol_of(const simulation *sim, column_kind kind, uint32_t number) {
    switch (kind) {
    case COLUMN_TIME: return sim->m->time;
    case COLUMN_COORDINATE: return sim->eq->system->q[number];
    case COLUMN_VELOCITY: return sim->eq->system->qd[number];
    case COLUMN_MULTIPLIER: return sim->eq->multiplier[number];
    default: return EXPR_NONE;
    }
}

void row_values_at(row_values *v, uint64_t row, double *out) {
    const simulation *sim = v->run->sim;
    const pool *p = sim->m->pool;
    for (uint32_t c = 0, number = 0; c < sim->column_count; c++, number++) {
        if (c && sim->column[c].kind != sim->column[c - 1].kind) number = 0;
        const expr symbol = symbol_of(sim, sim->column[c].kind, number);
        if (symbol != EXPR_NONE)
            v->symbol[expr_symbol_index(p, symbol)] = table_at(v->run->rows, row, c);
    }
    if (v->state) {
        program_run_double(v->state, v->symbol, v->z);
        for (uint32_t i = 0; i < sim->o->size; i++)
            v->symbol[expr_symbol_index(p, sim->o->state[i])] = v->z[i];
    }
    program_run_double(v->wanted, v->symbol, out);
}

void row_values_free(row_values *v) {
    if (!v) return;
    program_free(v->wanted);
    program_free(v->state);
    memory_free(v->symbol), memory_free(v->z), memory_free(v);
}
