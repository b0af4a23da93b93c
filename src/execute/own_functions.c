// From expressions in a method's own variables to code that runs.
#include "execute/own_functions.h"

static bool all_known(const simulation *sim, uint32_t inputs, const expr *input, uint32_t outputs,
                      const expr *output) {
    pool *p = sim->m->pool;
    bool *known = memory_zeros(bool, pool_symbol_count(p));
    for (uint32_t i = 0; i < inputs; i++) known[expr_symbol_index(p, input[i])] = true;
    for (uint32_t i = 0; i < sim->parameter_count; i++)
        known[expr_symbol_index(p, sim->parameter[i])] = true;
    known[expr_symbol_index(p, sim->m->time)] = true;
    program *prog = program_create(p, outputs, output);
    const bool all = program_first_unknown(prog, known) == EXPR_NONE;
    program_free(prog);
    memory_free(known);
    return all;
}

bool own_functions_init(own_functions *f, const simulation *sim, uint32_t inputs, const expr *input,
                        uint32_t outputs, const expr *output) {
    *f = (own_functions){0};
    expr *concrete = memory_array(expr, outputs + 1);
    model_concrete(sim->m, false, outputs, output, concrete);
    const bool known =
        !context_status(sim->m->ctx) && all_known(sim, inputs, input, outputs, concrete);
    if (known) {
        f->code = tape_create(sim->m->pool, inputs, input, sim->m->time, sim->parameter_count,
                              sim->parameter, outputs, concrete);
        machine_init(&f->at, f->code, sim->parameter_value);
    }
    memory_free(concrete);
    return known;
}

void own_functions_clear(own_functions *f) {
    if (f->code) machine_free(&f->at);
    tape_free(f->code);
}
