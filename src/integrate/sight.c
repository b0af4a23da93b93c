// How far ahead a step can see.
#include "integrate/sight.h"

#include "integrate/conserved.h"
#include "integrate/lookout.h"

// One for each chart the run has been in
typedef struct {
    const tape *rate;
    lookout *look;     // NULL: nothing can hide
    uint32_t energy;   // among what is watched; NOT_KEPT: the equations do not keep it
    conserved *weight; // of it; made where it is needed
    bool is_stale;     // parameters have changed since it was made
} outlook;
enum { NOT_KEPT = UINT32_MAX };

static const double MOST_DRIFT = 1e3; // in tolerances

// Steps of the smallest length that ranges cannot judge: a run that takes more of them does not
// look any more
enum { MOST_BLIND = 20000, RUN_PARTS = 4096, STEP_PARTS = 256 };

struct sight {
    LIST(outlook, outlooks);
    uint32_t current;
    double finest; // 1/4096 of the run
    view last;     // of the step that was last asked about
    curve between;
    uint32_t blind;              // steps that ranges could not judge
    double given_up;             // from here on nobody looked; NAN: never
    uint64_t missed;             // steps that were longer than one can see
    double energy, energy_at;    // where it was last asked for
    double *watched, watched_at; // all that should stay, with it
    // a change of the energy that no step was short enough for; 0: none
    double jump, jump_at;
    double missed_at, missed_step, missed_clear; // the worst of them
};

void sight_restart(integration *in) {
    sight *w = in->sight;
    if (!w) return;
    const sight kept = *w;
    *w = (sight){.finest =
                     (in->request->end - in->f->sim->t0) / RUN_PARTS / fmax(in->request->closer, 1),
                 .given_up = NAN,
                 .energy_at = NAN,
                 .watched_at = NAN,
                 .watched = kept.watched,
                 .between = kept.between,
                 .outlooks = kept.outlooks,
                 .outlooks_count = kept.outlooks_count,
                 .outlooks_capacity = kept.outlooks_capacity};
}

static uint32_t kept_energy(const simulation *sim) {
    for (uint32_t k = 0; k < sim->watched_count; k++)
        if (sim->column[sim->watched[k]].kind == COLUMN_ENERGY)
            return simulation_keeps_energy(sim) ? k : NOT_KEPT;
    return NOT_KEPT;
}

// What hides in the rates of z hides in those of its derivatives too.
static const tape *looked_at(const simulation *sim) {
    return sim->leading ? sim->leading->rate : sim->rate;
}

// With the parameters that the system has now
static void look_anew(outlook *o, const simulation *sim, bool fixed_steps) {
    lookout_free(o->look);
    o->look = lookout_create(looked_at(sim), sim->parameter_value, fixed_steps);
    o->energy = o->look ? kept_energy(sim) : NOT_KEPT;
    if (o->weight) conserved_take_parameters(o->weight, sim);
    o->is_stale = false;
}

static sight *sight_of(integration *in) {
    const simulation *sim = in->f->sim;
    if (!in->sight) {
        in->sight = memory_new(struct sight);
        *in->sight = (sight){0};
        sight_restart(in);
    }
    sight *w = in->sight;
    if (w->current >= w->outlooks_count || w->outlooks[w->current].rate != sim->rate) {
        w->current = 0;
        while (w->current < w->outlooks_count && w->outlooks[w->current].rate != sim->rate)
            w->current++;
        if (w->current == w->outlooks_count)
            list_push(w, outlooks, (outlook){.rate = sim->rate, .is_stale = true});
    }
    outlook *o = &w->outlooks[w->current];
    if (o->is_stale) look_anew(o, sim, in->request->method->fixed_step);
    return w;
}

void sight_take_parameters(integration *in) {
    in->plain_rate = NULL;
    for (uint32_t i = 0; in->sight && i < in->sight->outlooks_count; i++)
        in->sight->outlooks[i].is_stale = true;
}

void sight_free(sight *s) {
    if (!s) return;
    for (uint32_t i = 0; i < s->outlooks_count; i++)
        lookout_free(s->outlooks[i].look), conserved_free(s->outlooks[i].weight);
    curve_free(&s->between);
    memory_free(s->watched);
    memory_free(s->outlooks);
    memory_free(s);
}

bool sight_looks(integration *in) {
    const sight *w = sight_of(in);
    const bool looks = w->outlooks[w->current].look != NULL;
    if (!looks) in->plain_rate = in->f->sim->rate;
    return looks;
}

bool sight_may_be_needed(integration *in) {
    const simulation *sim = in->f->sim;
    if (in->plain_rate == sim->rate) return false;
    lookout *look = lookout_create(looked_at(sim), sim->parameter_value, false);
    if (!look) in->plain_rate = sim->rate;
    lookout_free(look);
    return look != NULL;
}

double sight_of_step(integration *in, const curve *c, double h) {
    sight *w = sight_of(in);
    lookout *look = w->outlooks[w->current].look;
    if (!look || !isnan(w->given_up)) return h;
    const double least = fmin(w->finest, h / STEP_PARTS);
    bool no_poles = false;
    while ((w->last = lookout_view(look, c, 0, h, in->request->tolerance, least, &no_poles)) ==
           VIEW_HIDDEN) {
        if (h <= least) {
            if (++w->blind == MOST_BLIND) w->given_up = in->t;
            break;
        }
        h = fmax(h / 2, least);
    }
    return h;
}

bool sight_is_clear(integration *in, const curve *c, double h) {
    sight *w = sight_of(in);
    lookout *look = w->outlooks[w->current].look;
    if (!look || !isnan(w->given_up)) return true;
    w->last = VIEW_CLEAR;
    return lookout_is_clear(look, c, 0, h, in->request->tolerance);
}

// Of the cubic between both ends
static double clear_part(integration *in, double h, const double *z1, const double *f0,
                         const double *f1) {
    curve_of_ends(&in->sight->between, in->f->size, in->t, h, in->z, f0, z1, f1);
    return sight_of_step(in, &in->sight->between, h);
}

// The energy at (t, z), with all that is watched there
static bool find_energy(sight *w, integration *in, double t, const double *z, double *out) {
    if (!w->watched) w->watched = memory_array(double, in->f->sim->watched_count);
    in->f->watch(in->f, t, z, w->watched);
    w->watched_at = t;
    *out = w->watched[w->outlooks[w->current].energy];
    return isfinite(*out);
}

const double *sight_watched(const integration *in, double t) {
    return in->sight && in->sight->watched_at == t ? in->sight->watched : NULL;
}

static bool find_weight(outlook *o, const simulation *sim, double t, const double *z, double *out) {
    if (!o->weight) o->weight = conserved_create(sim, sim->watched[o->energy]);
    return conserved_weight(o->weight, t, z, out);
}

bool sight_keeps_energy(integration *in, double t, const double *z) {
    sight *w = sight_of(in);
    outlook *o = &w->outlooks[w->current];
    if (o->energy == NOT_KEPT || in->extended) return true;
    double before = w->energy, after, weight;
    if (w->energy_at != in->t && !find_energy(w, in, in->t, in->z, &before)) return true;
    if (!find_energy(w, in, t, z, &after)) return true;
    const double change = fabs(after - before), tolerance = in->request->tolerance,
                 part = MOST_DRIFT * (tolerance > 1e-15 ? tolerance : 1e-15);
    const bool kept = change <= part * (1 + fabs(after)) ||
                      !find_weight(o, in->f->sim, t, z, &weight) ||
                      change <= part * fmax(weight, 1 + fabs(after));
    if (!kept && t - in->t > w->finest) {
        w->energy = before, w->energy_at = in->t, w->watched_at = NAN;
        return false;
    }
    if (!kept && change > w->jump) w->jump = change, w->jump_at = t;
    w->energy = after, w->energy_at = t;
    return true;
}

bool sight_is_sure(const integration *in) { return !in->sight || in->sight->last == VIEW_CLEAR; }

double sight_of_ends(integration *in, double h, double t, const double *z1, const double *f0,
                     const double *f1) {
    if (!sight_is_needed(in)) return h;
    sight *w = sight_of(in);
    const bool known = isnan(w->given_up) && lookout_knows_ends(w->outlooks[w->current].look,
                                                                looked_at(in->f->sim)->state_count,
                                                                in->t, h, in->z, f0, z1, f1);
    if (known) w->last = VIEW_CLEAR;
    const double clear = known ? h : clear_part(in, h, z1, f0, f1);
    return clear == h && !sight_keeps_energy(in, t, z1) ? h / 2 : clear;
}

bool sight_takes_back(integration *in, double t, const double *z1, const double *f0,
                      const double *f1, double *longest) {
    const double h = t - in->t, clear = sight_of_ends(in, h, t, z1, f0, f1);
    const bool back = clear < h;
    if (back) in->rejected++, *longest = clear;
    else if (*longest < integration_end(in) - in->t) *longest *= 1.5;
    return back;
}

void sight_remember(integration *in, double h, const double *z1, const double *f0,
                    const double *f1) {
    if (!sight_is_needed(in)) return;
    sight *w = in->sight;
    const double clear = clear_part(in, h, z1, f0, f1);
    if (!(clear < h)) return;
    if (!w->missed++ || clear / h < w->missed_clear / w->missed_step)
        w->missed_at = in->t, w->missed_step = h, w->missed_clear = clear;
}

const char *sight_words(const integration *in, const char **help) {
    const sight *w = in->sight;
    if (!w) return NULL;
    arena *a = &in->f->sim->m->ctx->arena;
    if (w->missed) {
        *help =
            arena_format(a, "choose one of about %.2g with --step, or a method with error control",
                         w->missed_clear);
        return arena_format(a,
                            "the step of %.3g is too long for what the forces do near t = %.6g: "
                            "the run may have passed over something narrow",
                            w->missed_step, w->missed_at);
    }
    if (w->jump > 0) {
        *help = "the potential may have a jump there, which no force shows";
        return arena_format(a,
                            "the energy, which these equations keep, changes by %.3g at t = %.6g "
                            "however short the step",
                            w->jump, w->jump_at);
    }
    if (isnan(w->given_up)) return NULL;
    *help = "it finds what is seen at the ends of its steps";
    return arena_format(a,
                        "from t = %.6g on the run did not look between the ends of its steps: the "
                        "equations are of a kind in which ranges tell nothing",
                        w->given_up);
}
