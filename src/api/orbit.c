// Periodic orbits: what `orbit` says, in words and as JSON.
#include "api/period_text.h"
#include "api/variation_job.h"
#include "base/decimal.h"
#include "study/orbit.h"

#include <math.h>
#include <string.h>

static const double FINE = 1e-15; // tolerance of the motion where nobody asks for another
static const double CIRCLE = 1e-6;

typedef struct {
    variation_job v;
    variation_request columns;
    symmetries group;
    orbit_problem problem;
    orbit found;
    floquet floquet;
    bool autonomous;
    uint32_t times;   // of the least period, as far as is seen
    double seen;      // up to when a return was looked for
    double *velocity; // q' at the start
} orbit_job;

// --- output --------------------------------------------------------------------------------------

static const char *name_of(const orbit_job *j, expr e) { return expr_symbol_text(j->v.m->pool, e); }

static void write_value(text *out, const char *name, double value, const char *unit) {
    text_format(out, "  %-20s ", name);
    decimal_append(value, out);
    text_format(out, "%s\n", unit);
}

static void write_symbol(const orbit_job *j, text *out, expr e, double value) {
    write_value(out, name_of(j, e), value, api_unit_in_brackets(j->v.m, e));
}

static bool is_relative(const orbit_job *j) {
    bool moves = false;
    for (uint32_t a = 0; a < j->problem.moves; a++)
        moves = moves || fabs(j->found.speed[a]) > CIRCLE;
    return moves;
}

static void write_multipliers(const floquet *f, text *out) {
    uint32_t outside = 0, on = 0;
    text_append(out, f->count ? "Floquet multipliers, and their sizes\n" : "");
    for (uint32_t i = 0; i < f->count; i++) {
        const double size = hypot(f->re[i], f->im[i]);
        text_format(out, "  %20.12g %+20.12g i   %.12g\n", f->re[i], f->im[i], size);
        outside += size > 1 + CIRCLE, on += fabs(size - 1) <= CIRCLE;
    }
    text_format(out, "outside the unit circle %u, on it %u, inside %u\n", outside, on,
                f->count - outside - on);
    text_format(out, "besides %u that belong to the motion itself, symmetries and integrals\n",
                f->trivial);
    for (uint32_t i = 0; i < f->reasons; i++) text_format(out, "  %s\n", f->reason[i]);
}

static void write_text(const void *of, text *out) {
    const orbit_job *j = of;
    const mechanics *s = j->v.run.sim->eq->system;
    text_format(out, "%s orbit, period ", is_relative(j) ? "relatively periodic" : "periodic");
    decimal_append(j->found.period, out);
    text_append(out, j->v.m->dimensions ? " [s]\n" : "\n");
    if (j->times > 1) {
        text_format(out, "%u times the period after which it closes first, ", j->times);
        decimal_append(j->found.period / j->times, out);
        text_append(out, "\n");
    }
    for (uint32_t i = 0; i < s->n; i++) write_symbol(j, out, s->q[i], j->found.z[i]);
    for (uint32_t i = 0; i < s->n; i++) write_symbol(j, out, s->qd[i], j->velocity[i]);
    if (is_relative(j)) text_append(out, "moved in a period by\n");
    for (uint32_t a = 0; a < j->problem.moves && is_relative(j); a++)
        write_value(out, j->group.at[a].name, j->found.speed[a], "");
    write_multipliers(&j->floquet, out);
    text_format(out, "not proved: it closes to %.1e, in %u segment%s, %u steps\n", j->found.defect,
                j->found.segments, j->found.segments == 1 ? "" : "s", j->found.iterations);
}

static void write_json(const void *of, json *out) {
    const orbit_job *j = of;
    const mechanics *s = j->v.run.sim->eq->system;
    const floquet *f = &j->floquet;
    json_open(out, NULL, '{');
    json_number(out, "period", j->found.period);
    json_integer(out, "times", j->times);
    json_open(out, "state", '{');
    for (uint32_t i = 0; i < s->n; i++) json_number(out, name_of(j, s->q[i]), j->found.z[i]);
    for (uint32_t i = 0; i < s->n; i++) json_number(out, name_of(j, s->qd[i]), j->velocity[i]);
    json_close(out, '}');
    json_bool(out, "relative", is_relative(j));
    json_open(out, "moves", '[');
    for (uint32_t a = 0; a < j->problem.moves; a++) {
        json_open(out, NULL, '{');
        json_string(out, "symmetry", j->group.at[a].name);
        json_number(out, "by", j->found.speed[a]);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_open(out, "multipliers", '[');
    for (uint32_t i = 0; i < f->count; i++) {
        json_open(out, NULL, '{');
        json_number(out, "re", f->re[i]);
        json_number(out, "im", f->im[i]);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_open(out, "trivial", '{');
    json_integer(out, "count", f->trivial);
    json_open(out, "reasons", '[');
    for (uint32_t i = 0; i < f->reasons; i++) json_string(out, NULL, f->reason[i]);
    json_close(out, ']');
    json_close(out, '}');
    json_number(out, "defect", j->found.defect);
    json_integer(out, "segments", j->found.segments);
    json_integer(out, "iterations", j->found.iterations);
    api_write_warnings(j->v.m->ctx, out);
    json_close(out, '}');
}

// --- the search ----------------------------------------------------------------------------------

// Up to when a return is looked for: as asked, or twice as long as the model is to run, for that
// may be one period
static double end_of_search(const orbit_job *j) {
    const double t0 = j->v.run.sim->t0, end = j->v.run.r.asked.end;
    return j->v.asked.until != 0 ? end : t0 + 2 * (end - t0);
}

static hamel_status refuse_period(const orbit_job *j, double period) {
    const char *help = "give the period, or a guess of it, with --period";
    if (!j->autonomous && !(period > 0)) {
        diag_error(j->v.m->ctx, (span){0}, "give the period of what drives it, or a multiple of it",
                   "the equations depend on time: the period of an orbit is to be given with "
                   "--period");
        return HAMEL_USAGE;
    }
    diag_error(j->v.m->ctx, (span){0}, help,
               "the motion from this state does not come near to it again before t = %.10g",
               j->seen);
    return HAMEL_NUMERICS;
}

// A motion that comes back to its state while what drives it does not would not come back again
static hamel_status refuse_other_period(const orbit_job *j, double period) {
    static const double TYPED = 1e-6; // periods are typed with so many digits, or more
    if (j->autonomous || !(period > 0)) return HAMEL_OK;
    const double error = orbit_period_error(&j->problem, j->v.z0, period);
    if (error <= TYPED) return HAMEL_OK;
    diag_error(j->v.m->ctx, (span){0},
               "give the period of what drives it, or a multiple of it, to 8 digits or more",
               "%.17g is no period of the equations: rates so much later differ by %.1e", period,
               error);
    return HAMEL_NUMERICS;
}

// A guess where all count, or all that no symmetry moves
static double guess(orbit_job *j, bool up_to_moves) {
    const simulation *sim = j->v.run.sim;
    const uint32_t n = sim->eq->system->n;
    bool *free = arena_array(&j->v.m->ctx->arena, bool, sim->o->size);
    for (uint32_t a = 0; a < j->group.count; a++)
        for (uint32_t i = 0; i < n; i++) free[i] = free[i] || j->group.at[a].field[i] != EXPR_ZERO;
    return orbit_guess_period(&j->problem, j->v.z0, end_of_search(j), up_to_moves ? free : NULL,
                              &j->seen);
}

// A period that was guessed may be several: then the least one is shown.
static hamel_status take_least(orbit_job *j, bool is_asked) {
    if (!is_asked) orbit_take_least(&j->problem, &j->found);
    j->times = orbit_times(&j->problem, &j->found);
    return HAMEL_OK;
}

static hamel_status search(orbit_job *j, double asked) {
    const double *z = j->v.z0;
    orbit_problem *p = &j->problem;
    const bool is_asked = asked > 0 || !j->autonomous;
    double period = is_asked ? asked : guess(j, false);
    const char *failure = NULL;
    if (period > 0) orbit_find(p, z, period, &j->found), failure = j->found.failure;
    // one that closes up to a move of the group, where there is none that closes
    if (!j->found.found && j->group.count) {
        period = is_asked ? asked : guess(j, true);
        p->moves = j->group.count, p->move = j->group.at;
        if (period > 0) orbit_find(p, z, period, &j->found);
        if (!failure) failure = j->found.failure;
    }
    if (j->found.found) return take_least(j, is_asked);
    if (!failure) return refuse_period(j, period);
    diag_error(j->v.m->ctx, (span){0}, "give a state nearer to one with --at, or another --period",
               "no orbit was found: %s", failure);
    return HAMEL_NUMERICS;
}

static void finish(orbit_job *j) {
    const simulation *sim = j->v.run.sim;
    const uint32_t n = sim->eq->system->n;
    arena *a = &j->v.m->ctx->arena;
    double *zero = arena_array(a, double, (size_t)sim->o->size * sim->o->size);
    floquet_find(&j->problem, &j->found, &j->group, j->autonomous, &j->floquet);
    j->velocity = arena_array(a, double, (size_t)n *(1 + sim->o->size));
    flow_start(j->v.flow, sim->t0, j->found.z, zero);
    flow_velocities(j->v.flow, j->velocity);
}

static hamel_status find(orbit_job *j, double period) {
    variation_job *v = &j->v;
    const simulation *sim = v->run.sim;
    run *r = &v->run.r;
    const struct shifts *turns = r->state.shifts;
    r->state.shifts = NULL;
    hamel_status status = variation_job_whole(v, &j->columns, sim->o->size);
    if (status) return status;
    j->autonomous = variation_job_is_autonomous(v);
    j->group = symmetries_of(sim->eq->system);
    j->problem = (orbit_problem){
        .w = v->flow, .sim = sim, .t0 = sim->t0, .period_is_given = !j->autonomous, .turns = turns};
    status = refuse_other_period(j, period);
    if (!status) status = search(j, period);
    if (!status) finish(j);
    return status;
}

static hamel_status read_period(model *m, const char *words, double *out) {
    period_text read;
    hamel_status status = period_text_read(m, words, EXPR_NONE, &read);
    if (!status) status = period_text_value(m, &read, 0, out);
    period_text_clear(&read);
    return status;
}

static hamel_status orbits(hamel_model *m, const hamel_run *asked, const char *words,
                           hamel_format format, char **result) {
    const struct format *as = api_find_format(m->ctx, format, WRITES_RESULT);
    if (!as) return HAMEL_USAGE;
    double period;
    const hamel_status read = read_period(m, words, &period);
    if (read) return read;
    hamel_run fine = *asked;
    if (!(fine.tolerance > 0)) fine.tolerance = FINE;
    orbit_job j = {0};
    hamel_status status = variation_job_prepare(&j.v, m, &fine);
    if (!status) status = find(&j, period);
    if (!status)
        status = api_finish_result(as, &(printable){&j, write_text, write_json, m}, result);
    variation_job_close(&j.v);
    return status;
}

hamel_status hamel_model_orbit(hamel_model *m, const hamel_run *asked, const char *period,
                               hamel_format format, char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, asked);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, orbits(m, asked, period, format, result),
             "looking for a periodic orbit of `%s`", m->name);
}
