// A sweep on a GPU: the engine, and whether starts can be made there.
#include "api/sweep_job.h"
#include "sweep/cuda.h"

#include <math.h>
#include <string.h>

static bool varies_parameters(const sweep_job *j) {
    bool varies = false;
    for (uint32_t i = 0; i < sweep_plan_values(j->plan); i++)
        varies |= sweep_plan_is_parameter(j->plan, i);
    return varies;
}

// How the constraints are to be taken may depend on a parameter's value.
static bool is_decided(const model *m, const char *name) {
    for (uint32_t i = 0; i < m->parameters_count; i++)
        if (strcmp(expr_symbol_text(m->pool, m->parameters[i].symbol), name) == 0)
            return m->parameters[i].decided;
    return false;
}

// What each value goes to; NULL: not all go anywhere
static const int *list_targets(const sweep_job *j) {
    const simulation *sim = j->system->sim;
    const uint32_t count = sweep_plan_values(j->plan);
    int *target = arena_array(&j->m->ctx->arena, int, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = sweep_plan_name(j->plan, i);
        const bool parameter = sweep_plan_is_parameter(j->plan, i);
        target[i] = gpu_start_target(&j->start, sim, name);
        const bool state = target[i] < (int)sim->o->size;
        if (target[i] < 0 || state || (parameter && is_decided(sim->m, name))) return NULL;
    }
    return target;
}

// Are some of the starts those that are found by solving?
static bool starts_agree(const sweep_job *j, const int *target) {
    static const double CLOSE = 1e-12;
    const simulation *sim = j->system->sim;
    const uint32_t n = sim->o->size, count = sweep_plan_values(j->plan);
    const uint64_t runs = sweep_plan_runs(j->plan), some[] = {0, runs / 2, runs - 1};
    sweep_starts *starts = j->system->starts;
    double *usual = memory_array(double, 2 * (size_t)sim->parameter_count + 2 * n + count + 1),
           *parameters = usual + sim->parameter_count, *z = parameters + sim->parameter_count,
           *found = z + n, *values = found + n;
    memcpy(usual, sim->parameter_value, sizeof(double) * sim->parameter_count);
    bool agree = true;
    for (size_t k = 0; k < sizeof some / sizeof *some && agree; k++) {
        double t = sim->t0;
        const double t0 = t;
        sweep_outcome why;
        sweep_plan_find(j->plan, some[k], values);
        const bool good = gpu_start_find(&j->start, sim, usual, count, target, values, z);
        memcpy(parameters, usual, sizeof(double) * sim->parameter_count);
        agree = good && starts->find(starts, 0, values, &t, found, parameters, &why) && t == t0;
        for (uint32_t i = 0; i < n && agree; i++)
            agree = fabs(z[i] - found[i]) <= CLOSE * (1 + fabs(found[i]));
    }
    memory_free(usual);
    return agree;
}

static cuda_asked asked_of(sweep_job *j) {
    cuda_asked asked = {.system = j->system,
                        .scalar = &j->scalar->base,
                        .worker_count = j->scalar->base.worker_count,
                        .varies_parameters = varies_parameters(j),
                        .interrupted = j->how.run.interrupted};
    if (!j->run->project) j->start = gpu_start_list(j->system->sim->m, j->system->sim);
    if (!j->start.given) return asked;
    const int *target = list_targets(j);
    if (target && starts_agree(j, target))
        asked.given = j->start.given, asked.start = j->start.start, asked.target = target;
    return asked;
}

static hamel_status refuse_pieces(const model *m) {
    diag_error(m->ctx, m->contacts_count ? m->contacts[0].at : m->resets[0].at,
               "leave out --device: runs go one by one through each thread",
               "contacts, `when` and `every` are not followed on a GPU");
    return HAMEL_USAGE;
}

static hamel_status refuse_end(const sweep_job *j) {
    diag_error(j->m->ctx, j->m->simulate.at, "give all runs one end with --until",
               "runs to t = %s, which varies, are not made on a GPU", sweep_job_end_words(j));
    return HAMEL_USAGE;
}

hamel_status sweep_job_take_gpu(sweep_job *j) {
    context *ctx = j->m->ctx;
    const char *why = NULL;
    if (sweep_job_motion(j)->of_pieces) return refuse_pieces(j->m);
    if (j->end_varies) return refuse_end(j);
    j->system = arena_new(&ctx->arena, sweep_system);
    const hamel_status status = sweep_scalar_system(j->scalar, j->system);
    if (status) return status;
    const cuda_asked asked = asked_of(j);
    sweep_engine *made = sweep_cuda_create(ctx, &asked, &why);
    if (made) return j->engine = made, HAMEL_OK;
    diag_error(ctx, (span){0},
               "it takes nvcc and a GPU (`hamel help codegen`: the target cuda makes the code for "
               "another machine); --device cpu runs the sweep here",
               "the sweep cannot be run on a GPU: %s", why);
    return HAMEL_NUMERICS;
}
