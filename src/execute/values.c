// Expressions at a state of a run.
#include "execute/values.h"

#include <stdlib.h>

double *values_at(const simulation *s, uint32_t count, const expr *e, double t, const double *z) {
    const model *m = s->m;
    expr *here = memory_array(expr, count + 1);
    ode_expressions(s->o, count, e, here);
    double *at = memory_zeros(double, pool_symbol_count(m->pool) + 1),
           *value = memory_array(double, count + 1);
    for (uint32_t i = 0; i < s->parameter_count; i++)
        at[expr_symbol_index(m->pool, s->parameter[i])] = s->parameter_value[i];
    for (uint32_t i = 0; i < s->o->size; i++) at[expr_symbol_index(m->pool, s->o->state[i])] = z[i];
    at[expr_symbol_index(m->pool, m->time)] = t;
    program *prog = program_create(m->pool, count, here);
    program_run_double(prog, at, value);
    program_free(prog);
    memory_free(at), memory_free(here);
    return value;
}
