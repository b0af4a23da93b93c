// Periodic orbits along a parameter or along the energy: the first orbit, and what is followed.
#include "api/continue_orbit_job.h"

#include "api/listed_names.h"
#include "base/random.h"
#include "model/mechanics.h"
#include "study/tangent_space.h"

#include <math.h>
#include <string.h>

enum { BRANCHES = 20, STEPS = 2000 };
static const double FINE = 1e-15; // tolerance of the motion
static const char *const ENERGY = "energy";

// --- the parameter -------------------------------------------------------------------------------

// Gives the flow another value of the parameter, and those that follow from it.
static void set_parameter(void *data, double p) {
    orbits_job *j = data;
    const simulation *sim = j->v.run.sim;
    const pool *pool = j->v.m->pool;
    if (sim->parameter_value[j->parameter] == p) return;
    memcpy(j->value, sim->parameter_value, sizeof(double) * sim->parameter_count);
    j->value[j->parameter] = p;
    for (uint32_t i = 0; i < sim->parameter_count; i++)
        j->by_symbol[expr_symbol_index(pool, sim->parameter[i])] = j->value[i];
    double *out = memory_array(double, j->follow.count + 1);
    if (j->meaning) program_run_double(j->meaning, j->by_symbol, out);
    for (uint32_t k = 0; k < j->follow.count; k++)
        for (uint32_t i = 0; i < sim->parameter_count; i++)
            if (sim->parameter[i] == j->follow.symbol[k]) j->value[i] = out[k];
    memory_free(out);
    flow_set_parameters(j->v.flow, j->value);
}

static hamel_status refuse(const orbits_job *j, const char *help, const char *why) {
    diag_error(j->v.m->ctx, (span){0}, help, "`%s` cannot be varied: %s", j->what.name, why);
    return HAMEL_USAGE;
}

// How constraints are taken may have been decided by values of parameters.
static hamel_status find_parameter(orbits_job *j) {
    const model *m = j->v.m;
    const simulation *sim = j->v.run.sim;
    const orbit_family *f = &j->family;
    uint32_t k = 0;
    while (k < sim->stated_count &&
           strcmp(expr_symbol_name(m->pool, sim->parameter[k]), j->what.name) != 0)
        k++;
    if (k == sim->stated_count)
        return refuse(j, "name a param of the model that has a value, or `energy`",
                      "it is no parameter with a value, and orbits determine their states");
    j->parameter = k;
    for (uint32_t i = 0; i < m->parameters_count; i++)
        if (m->parameters[i].symbol == sim->parameter[k] && m->constraints_count &&
            (m->parameters[i].decided || (f->low <= 0 && f->high >= 0)))
            return refuse(j, "give an interval of one sign, or leave this parameter",
                          "how the constraints are solved depends on its value or sign");
    return HAMEL_OK;
}

// Does anything depend on the parameter, or on those that follow from it?
static bool changes_something(const orbits_job *j) {
    const model *m = j->v.m;
    const ode *o = j->v.run.sim->o;
    expr *symbol = arena_array(&m->ctx->arena, expr, j->follow.count + 1);
    const expr p = j->v.run.sim->parameter[j->parameter];
    uint32_t count = 0;
    symbol[count++] = p;
    for (uint32_t i = 0; i < j->follow.count; i++)
        if (expr_depends_on(m->pool, j->follow.meaning[i], 1, &p))
            symbol[count++] = j->follow.symbol[i];
    bool changes = expr_any_depends_on(m->pool, o->size, o->rate, count, symbol);
    for (uint32_t i = 0; i < m->constraints_count && !changes; i++)
        changes = expr_depends_on(m->pool, m->constraints[i].phi, count, symbol);
    return changes;
}

static hamel_status make_flow(orbits_job *j) {
    variation_job *v = &j->v;
    const simulation *sim = v->run.sim;
    const uint32_t size = sim->o->size;
    arena *a = &v->m->ctx->arena;
    if (j->family.by_energy) return variation_job_whole(v, &j->columns, size);
    const char *why = tangent_space_refusal(sim);
    if (why) {
        diag_error(v->m->ctx, (span){0}, NULL, "the form `%s` cannot be used here: %s",
                   v->run.eq->form, why);
        return HAMEL_MODEL;
    }
    const datum by_parameter = {sim->parameter[j->parameter], false};
    j->follow = start_slopes_followers(v->m, 1, &by_parameter);
    if (j->follow.count)
        j->meaning = program_create(v->m->pool, j->follow.count, j->follow.meaning);
    if (!changes_something(j))
        return refuse(j, "`hamel orbit` shows the orbit", "nothing in the motion depends on it");
    j->value = arena_array(a, double, sim->parameter_count);
    expr *by = arena_array(a, expr, size + 1);
    for (uint32_t i = 0; i < size; i++) by[i] = EXPR_NONE;
    by[size] = by_parameter.symbol;
    j->columns = (variation_request){.columns = size + 1,
                                     .by = by,
                                     .follow_count = j->follow.count,
                                     .follow = j->follow.symbol,
                                     .meaning = j->follow.meaning};
    v->flow = flow_create(&v->run.r, &j->columns, NULL, v->run.r.asked.end);
    j->by_symbol = arena_array(a, double, pool_symbol_count(v->m->pool) + 1);
    return context_status(v->m->ctx);
}

// --- the period of a force -----------------------------------------------------------------------

// Is f(t + T, z) = f(t, z), at states and times around the start?
static bool repeats_after(const orbits_job *j, double period) {
    enum { LOOKS = 12 };
    static const double SAME = 1e-9;
    const simulation *sim = j->v.run.sim;
    const uint32_t size = sim->o->size;
    double *z = memory_array(double, 3 * (size_t)size), *now = z + size, *later = now + size;
    uint64_t stream = 5;
    bool same = true;
    for (int k = 0; k < LOOKS && same; k++) {
        for (uint32_t i = 0; i < size; i++)
            z[i] = j->v.z0[i] + 0.3 * ((double)(random_next(&stream) >> 11) * 0x1p-52 - 1);
        const double t = sim->t0 + period * (double)(random_next(&stream) >> 11) * 0x1p-53;
        if (!flow_rate(j->v.flow, t, z, now) || !flow_rate(j->v.flow, t + period, z, later))
            continue;
        for (uint32_t i = 0; i < size; i++)
            same = same && fabs(now[i] - later[i]) <= SAME * (1 + fabs(now[i]));
    }
    memory_free(z);
    return same;
}

static hamel_status refuse_period(const orbits_job *j, double period, double p) {
    diag_error(j->v.m->ctx, (span){0}, "give the period of what drives it, or a multiple of it",
               "the equations of motion do not repeat after the period %.12g at %s = %.10g", period,
               j->what.name, p);
    return HAMEL_USAGE;
}

static double period_of(void *data, double p, double *slope) {
    const orbits_job *j = data;
    return period_text_at(&j->period, p, slope);
}

// The period was given as an expression of p: at another value it is to be one, too
static hamel_status take_law(orbits_job *j, double other) {
    orbit_family *f = &j->family;
    const double end[] = {f->low, f->high, other};
    double period = 0;
    f->law = PERIOD_KNOWN, f->period_of = period_of;
    for (uint32_t i = 0; i < 3; i++) {
        const hamel_status status = period_text_value(j->v.m, &j->period, end[i], &period);
        if (status) return status;
    }
    set_parameter(j, other);
    const bool repeats = repeats_after(j, period);
    set_parameter(j, f->p);
    return repeats ? HAMEL_OK : refuse_period(j, period, other);
}

// How the period that was given goes with p: seen at another value
static hamel_status find_law(orbits_job *j, double period) {
    orbit_family *f = &j->family;
    const double p = f->p, other = p + 0.37 * (f->high - p > p - f->low ? f->high - p : f->low - p);
    if (!repeats_after(j, period)) return refuse_period(j, period, p);
    if (j->period.varies) return take_law(j, other);
    set_parameter(j, other);
    if (repeats_after(j, period)) f->law = PERIOD_STAYS;
    else if (repeats_after(j, period * p / other)) f->law = PERIOD_INVERSE;
    else if (repeats_after(j, period * other / p)) f->law = PERIOD_GROWS;
    else
        return refuse(j, "vary a parameter that the period is proportional to, or its inverse",
                      "it changes the period of the force in a way that is not known");
    set_parameter(j, p);
    if (f->law == PERIOD_INVERSE && f->low <= 0 && f->high >= 0)
        return refuse(j, "leave 0 out of the interval", "the period is infinite where it is 0");
    return HAMEL_OK;
}

// --- the first orbit -----------------------------------------------------------------------------

static double guess(const orbits_job *j) {
    double seen;
    return orbit_guess_period(&j->family.problem, j->v.z0, j->v.run.r.asked.end, NULL, &seen);
}

static hamel_status find_first(orbits_job *j) {
    context *ctx = j->v.m->ctx;
    orbit_family *f = &j->family;
    orbit_problem *p = &f->problem;
    double period;
    const hamel_status given = period_text_value(j->v.m, &j->period, f->p, &period);
    if (given) return given;
    if (!(period > 0)) period = p->period_is_given ? 0 : guess(j);
    if (!(period > 0)) {
        diag_error(ctx, (span){0}, "give the period, or a guess of it, with --period",
                   p->period_is_given ? "the equations depend on time: the period of orbits is to "
                                        "be given"
                                      : "the motion from this state does not come near to it "
                                        "again");
        return p->period_is_given ? HAMEL_USAGE : HAMEL_NUMERICS;
    }
    hamel_status status = p->period_is_given ? find_law(j, period) : HAMEL_OK;
    if (status) return status;
    orbit_find(p, j->v.z0, period, &j->first);
    const char *failure = j->first.failure;
    if (!j->first.found && j->group.count) {
        p->moves = j->group.count, p->move = j->group.at;
        orbit_find(p, j->v.z0, period, &j->first);
    }
    if (j->first.found && !j->period.is_given) orbit_take_least(p, &j->first);
    if (j->first.found) return HAMEL_OK;
    diag_error(ctx, (span){0}, "give a state nearer to one with --at, or another --period",
               "no orbit was found at %s = %.10g: %s", j->what.name, f->p, failure);
    return HAMEL_NUMERICS;
}

// p is the energy: that of the first orbit, if it stays at all
static hamel_status take_energy(orbits_job *j) {
    const simulation *sim = j->v.run.sim;
    orbit_family *f = &j->family;
    floquet of;
    floquet_find(&f->problem, &j->first, &j->group, true, &of);
    bool stays = false;
    for (uint32_t i = 0; i < of.reasons; i++) stays = stays || strcmp(of.reason[i], ENERGY) == 0;
    if (!stays) return refuse(j, "vary a parameter", "it does not stay along this orbit");
    f->p = orbit_energy(sim, j->first.z);
    if (f->p >= f->low && f->p <= f->high) return HAMEL_OK;
    diag_error(j->v.m->ctx, (span){0}, "give a state inside with --at, or another interval",
               "the orbit near this state has the energy %.10g, outside of the interval", f->p);
    return HAMEL_USAGE;
}

// --- the job -------------------------------------------------------------------------------------

static hamel_status choose_shown(orbits_job *j, const hamel_plot *plot) {
    const mechanics *s = j->v.run.sim->eq->system;
    const orbit_point *first = &j->path.branches[0].points[0];
    const char *name = plot && plot->panel_count ? plot->panels[0] : NULL;
    j->shows_period = name && strcmp(name, "period") == 0;
    if (j->shows_period) return HAMEL_OK;
    for (j->shown = 0; j->shown < s->n; j->shown++)
        if (name ? strcmp(expr_symbol_text(j->v.m->pool, s->q[j->shown]), name) == 0
                 : first->high[j->shown] > first->low[j->shown])
            return HAMEL_OK;
    j->shown = 0;
    if (!name) return HAMEL_OK;
    diag_error(j->v.m->ctx, (span){0}, "name a coordinate of the model, or `period`",
               "a figure of orbits does not show `%s`", name);
    return HAMEL_USAGE;
}

static hamel_status find(orbits_job *j, const hamel_continue *asked) {
    orbit_family *f = &j->family;
    const simulation *sim = j->v.run.sim;
    run *r = &j->v.run.r;
    const struct shifts *turns = r->state.shifts;
    r->state.shifts = NULL;
    f->by_energy = strcmp(j->what.name, ENERGY) == 0;
    hamel_status status = f->by_energy ? HAMEL_OK : find_parameter(j);
    if (!status) status = make_flow(j);
    if (status) return status;
    const bool autonomous = variation_job_is_autonomous(&j->v);
    j->group = symmetries_of(sim->eq->system);
    f->group = &j->group, f->set = set_parameter, f->data = j;
    f->problem = (orbit_problem){.w = j->v.flow,
                                 .parameters = !f->by_energy,
                                 .sim = sim,
                                 .t0 = sim->t0,
                                 .period_is_given = !autonomous,
                                 .turns = turns};
    if (!f->by_energy) {
        f->p = fmin(fmax(sim->parameter_value[j->parameter], f->low), f->high);
        set_parameter(j, f->p);
    }
    status = find_first(j);
    if (!status && f->by_energy) status = take_energy(j);
    if (status) return status;
    f->period = j->first.period, f->size = 0;
    for (uint32_t i = 0; i < sim->o->size; i++) f->size = fmax(f->size, fabs(j->first.z[i]));
    if (!(f->size > 0)) f->size = 1;
    orbit_path_find(f, &j->first, asked->branches ? asked->branches : BRANCHES,
                    asked->steps ? asked->steps : STEPS, &j->path);
    if (!j->path.branches_count) {
        diag_error(j->v.m->ctx, (span){0}, "`hamel orbit` shows the orbit itself",
                   "the orbit at %s = %.10g could not be followed", j->what.name, f->p);
        return HAMEL_NUMERICS;
    }
    return choose_shown(j, asked->plot);
}

static hamel_status finish(orbits_job *j, const struct format *as, const hamel_plot *plot,
                           char **result) {
    orbits_figure f = {0};
    hamel_status status = plot ? continue_orbit_figure_open(j, plot, &f) : HAMEL_OK;
    if (!status && plot && plot->output) status = continue_orbit_figure_write(j, &f);
    else if (!status && plot) j->drawing = &f.draw;
    if (!status)
        status = api_finish_result(
            as,
            &(printable){j, continue_orbit_job_write_text, continue_orbit_job_write_json, j->v.m},
            result);
    if (plot) continue_orbit_figure_close(&f);
    return status;
}

static hamel_status check_output(context *ctx, const hamel_plot *plot) {
    if (!plot || !plot->output || text_ends_in(plot->output, ".csv")) return HAMEL_OK;
    if (strcmp(plot->output, "-") != 0) return plot_check_output(ctx, plot);
    diag_error(ctx, (span){0}, "give the name of a file",
               "a figure of orbits is not written to standard output");
    return HAMEL_USAGE;
}

hamel_status continue_job_orbits(hamel_model *m, const hamel_continue *asked, hamel_format format,
                                 char **result) {
    const struct format *as = api_find_format(m->ctx, format, WRITES_RESULT);
    if (!as) return HAMEL_USAGE;
    hamel_status status = check_output(m->ctx, asked->plot);
    if (status) return status;
    const hamel_run fine = {.at = asked->at, .tolerance = FINE};
    orbits_job j = {0};
    status = vary_read(m, asked->vary, &j.what);
    j.family.low = ball_middle(j.what.low);
    j.family.high = ball_middle(j.what.high);
    const parameter *along = status ? NULL : listed_names_parameter(m, j.what.name);
    if (!status)
        status = period_text_read(m, asked->period, along ? along->symbol : EXPR_NONE, &j.period);
    if (!status) status = variation_job_prepare(&j.v, m, &fine);
    if (!status) status = find(&j, asked);
    if (!status) status = finish(&j, as, asked->plot, result);
    orbit_path_clear(&j.path);
    program_free(j.meaning);
    period_text_clear(&j.period);
    variation_job_close(&j.v);
    vary_clear(&j.what);
    return status;
}
