// Expressions at the rows of a run.
#include "report/row_values.h"

#include <math.h>
#include <stdlib.h>

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
    const simulation *s = r->system;
    pool *p = s->m->pool;
    row_values *v = memory_new(row_values);
    *v = (row_values){.run = r};
    expr *concrete = memory_array(expr, count + s->o->size + 1);
    bool beyond = false;
    for (uint32_t i = 0; i < count; i++) {
        const bool here = is_beyond_rows(p, e[i]);
        concrete[i] = here ? ode_expression(s->o, e[i]) : e[i];
        beyond |= here;
    }
    model_concrete(s->m, false, count, concrete, concrete);
    v->wanted = program_create(p, count, concrete);
    if (beyond) {
        model_concrete(s->m, false, s->o->size, s->o->start, concrete);
        v->state = program_create(p, s->o->size, concrete);
        v->z = memory_array(double, s->o->size + 1);
    }
    memory_free(concrete);
    const uint32_t symbols = pool_symbol_count(p);
    v->symbol = memory_array(double, symbols + 1);
    for (uint32_t i = 0; i < symbols; i++) v->symbol[i] = NAN;
    for (uint32_t i = 0; i < s->parameter_count; i++)
        v->symbol[expr_symbol_index(p, s->parameter[i])] = s->parameter_value[i];
    return v;
}

// The symbol whose values a column holds: the number-th of its kind. EXPR_NONE for other columns.
static expr symbol_of(const simulation *s, column_kind kind, uint32_t number) {
    switch (kind) {
    case COLUMN_TIME: return s->m->time;
    case COLUMN_COORDINATE: return s->eq->system->q[number];
    case COLUMN_VELOCITY: return s->eq->system->qd[number];
    case COLUMN_MULTIPLIER: return s->eq->multiplier[number];
    default: return EXPR_NONE;
    }
}

void row_values_at(row_values *v, uint64_t row, double *out) {
    const simulation *s = v->run->system;
    const pool *p = s->m->pool;
    for (uint32_t c = 0, number = 0; c < s->column_count; c++, number++) {
        if (c && s->column[c].kind != s->column[c - 1].kind) number = 0;
        const expr symbol = symbol_of(s, s->column[c].kind, number);
        if (symbol != EXPR_NONE)
            v->symbol[expr_symbol_index(p, symbol)] = table_at(v->run->rows, row, c);
    }
    if (v->state) {
        program_run_double(v->state, v->symbol, v->z);
        for (uint32_t i = 0; i < s->o->size; i++)
            v->symbol[expr_symbol_index(p, s->o->state[i])] = v->z[i];
    }
    program_run_double(v->wanted, v->symbol, out);
}

void row_values_free(row_values *v) {
    if (!v) return;
    program_free(v->wanted);
    program_free(v->state);
    memory_free(v->symbol), memory_free(v->z), memory_free(v);
}
