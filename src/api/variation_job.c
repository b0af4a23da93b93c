// A run made ready to be followed with its derivatives.
#include "api/variation_job.h"
#include "study/tangent_space.h"

#include <string.h>

hamel_status variation_job_prepare(variation_job *j, model *m, const hamel_run *asked) {
    *j = (variation_job){.m = m, .asked = *asked};
    j->asked.output = j->asked.resume = NULL, j->asked.plot = NULL, j->asked.verify = 0;
    j->asked.precision = NULL, j->asked.project = 0;
    j->where = (completion_request){.mode = COMPLETE_STRICT, .zero_defaults = true};
    j->run = (run_job){.m = m, .asked = &j->asked, .bare = true, .rowless = true};
    hamel_status status = api_read_state(m, asked->at, &j->where);
    if (!status) status = run_job_prepare(&j->run);
    if (status) return status;
    const simulation *sim = j->run.sim;
    for (uint32_t i = 0; i < sim->o->size; i++)
        if (expr_as_symbol(m->pool, sim->o->state[i])->role == ROLE_MULTIPLIER) {
            diag_error(m->ctx, (span){0}, "take another form with --form",
                       "the form `%s` has multipliers in its state, whose derivatives at the start "
                       "are not determined",
                       j->run.eq->form);
            return HAMEL_MODEL;
        }
    j->z0 = arena_array(&m->ctx->arena, double, sim->o->size);
    memcpy(j->z0, sim->z0, sizeof(double) * sim->o->size);
    return HAMEL_OK;
}

void variation_job_close(variation_job *j) {
    flow_free(j->flow);
    run_job_close(&j->run);
}

hamel_status variation_job_stopped(const variation_job *j, run_status status) {
    diag_error(j->m->ctx, (span){0}, "`hamel simulate` up to there shows the motion",
               "the motion with its derivatives stopped at t = %.10g: %s", flow_time(j->flow),
               flow_outcome(j->flow, status));
    return HAMEL_NUMERICS;
}

bool variation_job_knows(const variation_job *j, uint32_t count, const expr *e) {
    const simulation *sim = j->run.sim;
    const pool *p = j->m->pool;
    expr *closed = arena_array(&j->m->ctx->arena, expr, count + 1);
    ode_expressions(sim->o, count, e, closed);
    bool *known = arena_array(&j->m->ctx->arena, bool, pool_symbol_count(p));
    for (uint32_t i = 0; i < sim->o->size; i++)
        known[expr_symbol_index(p, sim->o->state[i])] = true;
    for (uint32_t i = 0; i < sim->parameter_count; i++)
        known[expr_symbol_index(p, sim->parameter[i])] = true;
    known[expr_symbol_index(p, j->m->time)] = true;
    program *prog = program_create(j->m->pool, count, closed);
    const expr missing = program_first_unknown(prog, known);
    program_free(prog);
    if (missing != EXPR_NONE) model_report_no_value(j->m, missing);
    return missing == EXPR_NONE;
}

hamel_status variation_job_whole(variation_job *v, variation_request *columns, uint32_t count) {
    const simulation *sim = v->run.sim;
    arena *a = &v->m->ctx->arena;
    const char *why = tangent_space_refusal(sim);
    if (why) {
        diag_error(v->m->ctx, (span){0}, "take the form maggi, or another one that eliminates them",
                   "the form `%s` cannot be used here: %s", v->run.eq->form, why);
        return HAMEL_MODEL;
    }
    expr *by = arena_array(a, expr, count + 1);
    for (uint32_t i = 0; i < count; i++) by[i] = EXPR_NONE;
    *columns = (variation_request){.columns = count, .by = by};
    v->flow = flow_create(&v->run.r, columns, v->asked.execute, v->run.r.asked.end);
    return context_status(v->m->ctx);
}

bool variation_job_is_autonomous(const variation_job *v) {
    const ode *o = v->run.sim->o;
    const expr t = v->m->time;
    return !expr_any_depends_on(v->m->pool, o->size, o->rate, 1, &t);
}
