// Runs of a sweep once more.
#include "api/sweep_again.h"

#include "simulate/verify.h"

#include <math.h>

enum { LOOKS = 8 }; // runs: the first, the last, and some at equal distances

typedef struct {
    const sweep_job *j;
    scalar_engine *by;
    sweep_again *out;
    double *values, *collected, *chunk; // of one run; once more; of a chunk, as they were
    sweep_end *end;                     // of a chunk
} looking;

// --- the second engine ---------------------------------------------------------------------------

static sweep_setting_up closer(const sweep_job *j, sweep_again *out) {
    sweep_setting_up how = j->how;
    const run_job *first = sweep_job_motion(j)->j;
    if (!first->of_pieces) how.run.method = first->method->id, how.run.form = first->form->id;
    how.run.interrupted = j->run->interrupted; // of the engine's own the sweep is over
    if (first->method->fixed_step) {
        out->step = how.run.step = first->r.asked.step / 2;
        return how;
    }
    how.run.tolerance = out->tolerance = verify_tolerance(first->r.asked.tolerance);
    return how;
}

// --- one run -------------------------------------------------------------------------------------

static bool is_over(const sweep_end *e) { return e->outcome <= SWEEP_STOPPED; }

static void compare(const looking *k, const double *was, const sweep_end *ended,
                    const sweep_end *now) {
    if (ended->outcome != now->outcome || ended->event != now->event) {
        k->out->ended_unlike++;
        return;
    }
    if (!is_over(ended)) return;
    for (uint32_t i = 0; i < k->j->collected_count; i++)
        k->out->off_by[i] = fmax(k->out->off_by[i], fabs(k->collected[i] - was[i])); // no NaN
}

static bool look_at(const looking *k, uint64_t run) {
    const sweep_job *j = k->j;
    const uint64_t chunk = run / j->chunk_runs, at = run - sweep_store_first(j->store, chunk);
    sweep_end now;
    if (!sweep_store_get(j->store, chunk, k->chunk, k->end)) return false;
    sweep_plan_find(j->plan, run, k->values);
    if (!k->by->base.run(&k->by->base, 0, 1, k->values, k->collected, &now)) return false;
    k->out->runs++;
    compare(k, k->chunk + at * j->collected_count, &k->end[at], &now);
    return true;
}

// --- all of them ---------------------------------------------------------------------------------

static void look_at_all(looking *k) {
    const sweep_job *j = k->j;
    const uint64_t runs = sweep_plan_runs(j->plan);
    k->values = memory_array(double, sweep_plan_values(j->plan) + 1);
    k->collected = memory_array(double, j->collected_count + 1);
    k->chunk = memory_array(double, j->chunk_runs * j->collected_count + 1);
    k->end = memory_array(sweep_end, j->chunk_runs);
    for (uint64_t i = 0; i < LOOKS; i++)
        if (!look_at(k, i * (runs - 1) / (LOOKS - 1))) break;
    memory_free(k->values), memory_free(k->collected);
    memory_free(k->chunk), memory_free(k->end);
}

const sweep_again *sweep_again_look(const sweep_job *j) {
    const uint64_t runs = sweep_plan_runs(j->plan);
    if (runs < AGAIN_FROM || sweep_store_runs(j->store) < runs ||
        budget_flag_is_set(j->run->interrupted))
        return NULL;
    arena *a = &j->m->ctx->arena;
    sweep_again *out = arena_new(a, sweep_again);
    *out = (sweep_again){.off_by = arena_array(a, double, j->collected_count)};
    for (uint32_t i = 0; i < j->collected_count; i++) out->off_by[i] = NAN;
    const sweep_setting_up how = closer(j, out);
    looking k = {.j = j, .out = out};
    if (sweep_scalar_create(&how, 1, false, &k.by)) return NULL;
    look_at_all(&k);
    k.by->base.release(&k.by->base);
    return out->runs ? out : NULL;
}
