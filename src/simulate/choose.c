// What the right-hand side looks like, and which integrator suits it.
#include "simulate/choose.h"

#include "execute/data_pieces.h"
#include "simulate/stiffness.h"

#include <assert.h>
#include <math.h>

// Stiff: a decaying mode that dies within 1/100 of the time between two rows is not what the rows
// are to show, but limits the step of an explicit method.
static const double STIFF = 100;
enum { DEFAULT_ROWS = 200 };

const char *choose_kink(const tape *t) {
    for (uint32_t i = 0; i < t->step_count; i++) {
        const tape_step *s = &t->step[i];
        if (s->level != TAPE_FIXED &&
            (s->operation == TAPE_ABS || s->operation == TAPE_SIGN || s->operation == TAPE_ATAN2))
            return tape_operation_name(s->operation);
    }
    return NULL;
}

static bool is_for_kinks(const integrator *m) { return m->kinks; }
static bool is_for_stiff(const integrator *m) { return m->stiff; }
static bool is_for_smooth(const integrator *m) { return m->smooth; }

// The first of the list that is such a one and applies; NULL: none
static const integrator *first_that(bool (*is)(const integrator *), const integration *in) {
    for (uint32_t i = 0; i < integrator_count(); i++) {
        const integrator *m = integrator_at(i);
        if (is(m) && !integrator_refusal(m, in)) return m;
    }
    return NULL;
}

// One that is made for smooth equations in its place, and at last one that passes kinks, which
// treats everything
static const integrator *first_for(bool (*is)(const integrator *), const integration *in) {
    bool (*const wanted[])(const integrator *) = {is, is_for_smooth, is_for_kinks};
    const integrator *found = NULL;
    for (uint32_t i = 0; i < sizeof wanted / sizeof *wanted && !found; i++)
        found = first_that(wanted[i], in);
    assert(found);
    return found;
}

// --- the work of smooth equations ----------------------------------------------------------------

// Beside the operations of the method every step has some of the driver: drift, rows, and now and
// then ranges over the rates for what may hide in the step
static double work_of_driver(const integration *in) {
    static const double EACH = 400, LOOK = 2;
    return EACH + LOOK * in->f->sim->rate->step_count;
}

// Below it rounding in the sums of a Runge-Kutta pair is all there is
static const double FINEST = 1e-14;
// A method has to be that much cheaper than one before it in the list: taylor errs less at the same
// tolerance.
static const double CHEAPER = 1.2;

// The one that does the least work to the end at the pace of the start, and why. False: not two of
// them can say.
static bool find_cheapest(integration *in, choice *out) {
    arena *a = &in->f->sim->m->ctx->arena;
    const double span = in->request->end - in->t, driver = work_of_driver(in),
                 points = data_pieces_between(in->f->sim, in->t, in->request->end);
    double least = INFINITY;
    uint32_t asked = 0;
    const char *words = "", *others = "";
    for (uint32_t i = 0; i < integrator_count(); i++) {
        const integrator *m = integrator_at(i);
        forecast f;
        if (!m->smooth || !m->foresee || !m->foresee(in, &f)) continue;
        const double steps = fmax(ceil(span / f.step), points) + f.more_steps,
                     work = steps * (f.operations + driver);
        const char *said = arena_format(a, "%s: about %.2g %s of %s", m->id, steps,
                                        steps > 1 ? "steps" : "step", f.words);
        const bool better = CHEAPER * work < least;
        if (asked++) others = arena_format(a, "%s; %s", others, better ? words : said);
        if (better) least = work, out->method = m, words = said;
    }
    if (asked < 2 || integrator_refusal(out->method, in)) return false;
    out->why = arena_format(a, "least work, %s%s", words, others);
    return true;
}

const integrator *choose_other(const integrator *m, integration *in) {
    choice mild = {0};
    if (!m->stiff) return first_that(is_for_stiff, in);
    return find_cheapest(in, &mild) ? mild.method : first_that(is_for_smooth, in);
}

static choice choose_smooth_or_stiff(integration *in, bool in_double) {
    arena *a = &in->f->sim->m->ctx->arena;
    const double span = in->request->end - in->t,
                 interval = in->request->interval > 0 ? in->request->interval : span / DEFAULT_ROWS,
                 rate = stiffness_dominant_rate(in);
    if (-rate * interval > STIFF) {
        const integrator *found = first_for(is_for_stiff, in);
        const char *missing = found->stiff ? "" : "; there is no method for stiff systems here";
        return (choice){
            .method = found,
            .why = arena_format(a, "stiff: a mode decays as exp(%.3g t), and rows are %.3g apart%s",
                                rate, interval, missing)};
    }
    choice found = {0};
    if (in_double && in->request->tolerance >= FINEST && find_cheapest(in, &found)) return found;
    return (choice){.method = first_for(is_for_smooth, in),
                    .why = arena_format(a, "smooth and not stiff over a run of length %.3g", span)};
}

choice choose_integrator(integration *in, bool in_double) {
    const char *what = choose_kink(in->f->sim->rate);
    if (what)
        return (choice){.method = first_for(is_for_kinks, in),
                        .why = arena_format(&in->f->sim->m->ctx->arena,
                                            "%s makes the right-hand side not smooth", what)};
    choice found = choose_smooth_or_stiff(in, in_double);
    if (in_double) found.other = choose_other(found.method, in);
    return found;
}
