// From expressions in a method's own variables to code that runs.
#include "execute/own_functions.h"

#include <stdlib.h>

static bool all_known(const simulation *s, uint32_t inputs, const expr *input, uint32_t outputs,
                      const expr *output) {
    pool *p = s->m->pool;
    bool *known = memory_zeros(bool, pool_symbol_count(p));
    for (uint32_t i = 0; i < inputs; i++) known[expr_symbol_index(p, input[i])] = true;
    for (uint32_t i = 0; i < s->parameter_count; i++)
        known[expr_symbol_index(p, s->parameter[i])] = true;
    known[expr_symbol_index(p, s->m->time)] = true;
    program *prog = program_create(p, outputs, output);
    const bool all = program_first_unknown(prog, known) == EXPR_NONE;
    program_free(prog);
    memory_free(known);
    return all;
}

bool own_functions_init(own_functions *f, const simulation *s, uint32_t inputs, const expr *input,
                        uint32_t outputs, const expr *output) {
    *f = (own_functions){0};
    expr *concrete = memory_array(expr, outputs + 1);
    model_concrete(s->m, false, outputs, output, concrete);
    const bool known = !context_status(s->m->ctx) && all_known(s, inputs, input, outputs, concrete);
    if (known) {
        f->code = tape_create(s->m->pool, inputs, input, s->m->time, s->parameter_count,
                              s->parameter, outputs, concrete);
        machine_init(&f->at, f->code, s->parameter_value);
    }
    memory_free(concrete);
    return known;
}

void own_functions_clear(own_functions *f) {
    if (f->code) machine_free(&f->at);
    tape_free(f->code);
}
