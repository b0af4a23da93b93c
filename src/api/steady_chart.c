// The velocities that are eliminated, chosen anew at a steady motion: those chosen at the state
// where the search began may not do where it ended, as y' does not determine z' where a particle
// crosses the equator of its sphere.
#include "api/steady_job.h"

#include "model/inputs.h"

// Constraints keep their rank at the motion, but the chosen block has lost a part of it
static bool is_poor(const steady_job *j) {
    static const double LEAST = 1e-3; // of the best choice there
    const state *x = &j->motion.x;
    double *value = mechanics_sample(j->s);
    for (uint32_t i = 0; i < j->s->sample_count && i < x->capacity; i++)
        value[i] = ball_middle(x->value + i);
    const rank_margin margin = mechanics_margin(j->s, value);
    return j->s->k && margin.block < LEAST * margin.rows;
}

// The motion as a state that is asked for, to the digits of a double
static completion_request there(const steady_job *j) {
    const mechanics *s = j->s;
    arena *a = &j->m->ctx->arena;
    assignment *at = arena_array(a, assignment, 2 * s->n + 1);
    for (uint32_t i = 0; i < 2 * s->n; i++) {
        const expr symbol = i < s->n ? s->q[i] : s->qd[i - s->n];
        const double v = ball_middle(state_get((state *)&j->motion.x, symbol));
        at[i] = (assignment){.symbol = symbol, .value = expr_exact(s->pool, v)};
    }
    return (completion_request){.mode = COMPLETE_STRICT,
                                .zero_defaults = true,
                                .free_choice = true,
                                .at_count = 2 * s->n,
                                .at = at};
}

hamel_status steady_job_choose_velocities(steady_job *j, bool always) {
    if (!j->motion.found || j->motion.singular || !(always || is_poor(j))) return HAMEL_OK;
    const completion_request where = there(j);
    mechanics *s = NULL;
    const hamel_status status = mechanics_create(j->m, &where, &s);
    if (status) return status;
    steady_motion found;
    state from;
    j->stated = s;
    j->s = mechanics_with_constant_inputs(s, 0, NULL, NULL);
    j->problem = steady_problem_create(j->s, &j->group, 0, NULL);
    state_copy_midpoints(&j->motion.x, j->motion.x.precision, &from);
    steady_motion_find(j->problem, &j->guess, &from, &found);
    state_clear(&from);
    steady_motion_clear(&j->motion);
    j->motion = found;
    return HAMEL_OK;
}
