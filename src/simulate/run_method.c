// When a run goes on with another method.
#include "simulate/run_method.h"

#include "simulate/choose.h"
#include "simulate/projection.h"
#include "simulate/stiffness.h"

#include <string.h>

static const integrator *target(const run *r) {
    return r->asked.method == r->first ? r->other : r->first;
}

static uint64_t steps_since_change(const run_record *record) {
    const uint32_t n = record->changes_count;
    return record->steps - (n ? record->changes[n - 1].steps : 0);
}

// A method asked for stays, and it is counted how often it was limited. Where f has kinks they are
// what differences of f show.
static void count_look(run *r, double step, uint32_t order) {
    run_record *w = &r->record;
    double rate;
    if (choose_kink(r->state.f->sim->rate)) return;
    w->looks++;
    if (!stiffness_limits(&r->state, r->asked.method, step, order, &rate)) return;
    if (!w->stiff_looks++) w->stiff_from = r->state.t, w->stiff_rate = rate;
}

run_status run_method_look(run *r, double step, uint32_t order) {
    run_record *w = &r->record;
    const bool stiff = r->asked.method->stiff;
    const uint64_t since = stiff ? w->steps % STIFFNESS_LOOK_BACK : w->steps % STIFFNESS_LOOK;
    if (since || r->state.extended) return RUN_DONE; // by constants: no division in every step
    if (!w->may_change || !r->other) {
        if (!stiff && !w->may_change) count_look(r, step, order);
        return RUN_DONE;
    }
    // Each change makes the next one later: a method that has just begun takes short steps
    if (steps_since_change(w) < (uint64_t)STIFFNESS_LOOK_BACK * (1 + w->changes_count))
        return RUN_DONE;
    double rate = 0;
    const bool change = stiff ? stiffness_is_over(&r->state, target(r), step)
                              : stiffness_limits(&r->state, r->asked.method, step, order, &rate);
    r->because = !change ? NULL
                 : stiff ? "no mode is fast any more"
                         : arena_format(&r->state.f->sim->m->ctx->arena,
                                        "stiff, a mode decays as exp(%.3g t)", rate);
    return change ? RUN_METHOD : RUN_DONE;
}

static void set_method(run *r, const integrator *method) {
    r->asked.method = method;
    if (r->holonomic)
        holonomic_allow(r->holonomic, integrator_residual(method, r->asked.tolerance));
}

void run_method_project(run *r) {
    const integrator *method = r->asked.method;
    if (!r->holonomic || !method->multistep) return;
    holonomic_allow(r->holonomic, 0);
    if (holonomic_correct(r->holonomic, r->state.t, r->state.z))
        memset(r->state.rest, 0, sizeof(double) * r->state.f->size);
    set_method(r, method);
}

void run_method_change(run *r) {
    const integrator *method = target(r);
    run_method_project(r);
    list_push(&r->record, changes,
              (method_change){r->state.t, r->record.steps, method->id, r->because});
    memset(r->state.pace, 0, sizeof r->state.pace); // these are of the method before
    set_method(r, method);
}

void run_method_take_up(run *r) {
    const run_record *w = &r->record;
    if (!w->may_change) return;
    r->first = r->asked.method, r->other = NULL;
    for (uint32_t i = 0; i < w->changes_count && !r->other; i++) {
        const integrator *m = integrator_find(w->changes[i].method);
        if (m && m != r->first && !integrator_refusal(m, &r->state)) r->other = m;
    }
    if (!r->other) r->other = choose_other(r->first, &r->state);
    if (w->changes_count % 2 && r->other) set_method(r, r->other);
}

void run_method_rewind(run *r) {
    if (r->first && r->asked.method != r->first) set_method(r, r->first);
}

const char *run_method_words(const run *r, const char **help) {
    enum { SEVERAL = 4 };
    const run_record *w = &r->record;
    if (w->stiff_looks < SEVERAL || 2 * w->stiff_looks < w->looks) return NULL;
    arena *a = &r->state.f->sim->m->ctx->arena;
    *help = "`--method auto` changes to a method for stiff systems where that is so";
    return arena_format(a,
                        "from t = %.6g on the steps of `%s` were limited by a mode that decays as "
                        "exp(%.3g t), not by the tolerance",
                        w->stiff_from, r->asked.method->id, w->stiff_rate);
}
