// Where event functions cross zero within a step.
#include "integrate/event_search.h"

#include "execute/range_machine.h"

#include <float.h>
#include <stdlib.h>

enum { DEEP = 10, DEEPEST = 24, MOST_BOXES = 1 << 16 };
static const double NOTHING = 1e-14; // a function this small all over a part is 0 there
// towards a root a function falls, at a jump it stays, towards a pole it grows
static const double GROWTH = 4;

struct event_search {
    range_machine at;
    uint32_t count; // of events
    // of the search under way
    field *f;
    const curve *c;
    const dense *inside;
    double *value;   // of each event, the last that is not 0
    double *zero_at; // where an event was 0 since then; NAN: nowhere
    double *now, *z; // values at a place, the state there
    uint32_t boxes;
    bool exhausted;
    crossing_list *out;
};

event_search *event_search_create(const simulation *sim) {
    event_search *w = memory_new(event_search);
    *w = (event_search){.count = sim->events->output_count};
    range_machine_init(&w->at, sim->events, sim->parameter_value, true);
    w->now = memory_array(double, 2 * w->count + sim->o->size + 1);
    w->zero_at = w->now + w->count, w->z = w->zero_at + w->count;
    return w;
}

void event_search_take_parameters(event_search *w, const double *parameter_value) {
    range_machine_set_parameters(&w->at, parameter_value);
}

void event_search_free(event_search *w) {
    if (!w) return;
    range_machine_free(&w->at);
    memory_free(w->now);
    memory_free(w);
}

// --- values --------------------------------------------------------------------------------------

// All events at a time of the step, in w->now; what has no value there is not a number.
static void evaluate(event_search *w, double t) {
    w->inside->at(w->inside, t, w->z);
    if (w->f->events(w->f, t, w->z, w->now)) return;
    for (uint32_t i = 0; i < w->count; i++)
        if (!isfinite(w->now[i])) w->now[i] = NAN;
}

static double value_at(event_search *w, uint32_t which, double t) {
    evaluate(w, t);
    return w->now[which];
}

// The crossing between a and b, to rounding: regula falsi (Illinois) with bisection
// where it stalls. False: a pole.
static bool locate(event_search *w, uint32_t which, double a, double fa, double b, double fb,
                   double *found) {
    const double before = fmax(fabs(fa), fabs(fb));
    double at_a = fabs(fa), at_b = fabs(fb);
    int side = 0;
    *found = b;
    for (int i = 0; i < 200 && fabs(b - a) > 2 * DBL_EPSILON * fmax(fabs(a), fabs(b)); i++) {
        double t = i % 8 == 7 ? a + (b - a) / 2 : (a * fb - b * fa) / (fb - fa);
        if (!(t > fmin(a, b) && t < fmax(a, b))) t = a + (b - a) / 2;
        if (t == a || t == b) break;
        const double ft = value_at(w, which, t);
        *found = t;
        if (ft == 0) return true;
        if (isnan(ft)) return false;
        if ((ft > 0) == (fb > 0)) {
            b = t, fb = ft, at_b = fabs(ft);
            if (side == 1) fa /= 2;
            side = 1;
        } else {
            a = t, fa = ft, at_a = fabs(ft);
            if (side == -1) fb /= 2;
            side = -1;
        }
    }
    *found = at_a < at_b ? a : b;
    return !(fmin(at_a, at_b) > GROWTH * before);
}

static void add(event_search *w, uint32_t which, double t, bool rising) {
    crossing_list *l = w->out;
    array_reserve(l->list, l->count, l->capacity);
    l->list[l->count++] = (crossing){which, t, rising ? 1 : -1};
}

// Event `which` from `from`, where its value was the last known, to `to`
static void compare_ends(event_search *w, uint32_t which, double from, double to) {
    const double before = w->value[which], after = w->now[which];
    if (isnan(after)) return;
    if (after == 0) {
        if (isnan(w->zero_at[which])) w->zero_at[which] = to;
        return;
    }
    if (before != 0 && (before > 0) != (after > 0)) {
        double at = w->zero_at[which];
        if (!isnan(at) || locate(w, which, from, before, to, after, &at))
            add(w, which, at, after > 0);
    }
    w->value[which] = after, w->zero_at[which] = NAN;
}

// --- parts ---------------------------------------------------------------------------------------

static void run_box(event_search *w, double a, double b) {
    const tape *t = w->at.t;
    for (uint32_t i = 0; i < t->state_count; i++)
        w->at.value[i] = curve_values(w->c, i, a, b), w->at.rate[i] = curve_slopes(w->c, i, a, b);
    w->at.value[t->state_count] = (range){w->c->from + a, w->c->from + b};
    w->at.rate[t->state_count] = range_of(1);
    for (uint32_t i = 0; i < t->step_count; i++)
        if (t->step[i].level != TAPE_FIXED) range_machine_step(&w->at, i);
}

typedef enum { QUIET, SINGLE, OPEN } prospect;

// No root, at most one, or who knows
static prospect prospect_of(const event_search *w, uint32_t which) {
    const uint32_t reg = w->at.t->output[which];
    const range v = w->at.value[reg], rate = w->at.rate[reg];
    if (!range_has_zero(v)) return QUIET;
    if (range_size(v) <= NOTHING) return SINGLE;
    return isfinite(range_width(v)) && !range_has_zero(rate) ? SINGLE : OPEN;
}

// Outside its domain, sqrt(x - 1) before x = 1, as far as both ends and the
// middle of a short part tell.
static bool has_no_value(event_search *w, uint32_t which, double from, double to) {
    return isnan(value_at(w, which, from)) && isnan(value_at(w, which, to)) &&
           isnan(value_at(w, which, from + (to - from) / 2));
}

// One event at a time, each with boxes of its own: one that has no value, or too many
// zeros, takes nothing from the others.
static void search(event_search *w, uint32_t which, double a, double b, uint32_t depth) {
    const double middle = a + (b - a) / 2;
    run_box(w, a, b);
    w->boxes++;
    const prospect p = prospect_of(w, which);
    if (p == QUIET && w->value[which] != 0 && isnan(w->zero_at[which])) return;
    if (p == OPEN && depth == DEEP && has_no_value(w, which, w->c->from + a, w->c->from + b))
        return;
    if (w->boxes >= MOST_BOXES) w->exhausted = true;
    if (p == OPEN && depth < DEEPEST && w->boxes < MOST_BOXES &&
        w->c->from + a < w->c->from + middle) {
        search(w, which, a, middle, depth + 1);
        search(w, which, middle, b, depth + 1);
        return;
    }
    evaluate(w, w->c->from + b);
    compare_ends(w, which, w->c->from + a, w->c->from + b);
}

// A zero at the very end of the step is a crossing where the function goes through it.
static void settle_end(event_search *w, double t) {
    bool some = false;
    for (uint32_t i = 0; i < w->count; i++) some = some || w->zero_at[i] == t;
    if (!some) return;
    run_box(w, t - w->c->from, t - w->c->from);
    for (uint32_t i = 0; i < w->count; i++) {
        const range rate = w->at.rate[w->at.t->output[i]];
        if (w->zero_at[i] != t || w->value[i] == 0 || range_has_zero(rate) ||
            (rate.lo > 0) == (w->value[i] > 0))
            continue;
        add(w, i, t, rate.lo > 0);
        w->value[i] = rate.lo > 0 ? DBL_MIN : -DBL_MIN;
    }
}

static int by_time(const void *a, const void *b) {
    const crossing *x = a, *y = b;
    return x->t != y->t ? (x->t > y->t) - (x->t < y->t)
                        : (x->event > y->event) - (x->event < y->event);
}

bool event_search_run(event_search *w, field *f, const curve *c, const dense *inside, double t,
                      double *value, crossing_list *out) {
    w->f = f, w->c = c, w->inside = inside, w->value = value, w->out = out;
    w->exhausted = false, out->count = 0;
    // A zero at the end of the step before: a crossing if the other side is reached from it
    evaluate(w, c->from);
    for (uint32_t i = 0; i < w->count; i++) w->zero_at[i] = w->now[i] == 0 ? c->from : NAN;
    for (uint32_t i = 0; i < w->count; i++) w->boxes = 0, search(w, i, 0, t - c->from, 0);
    settle_end(w, t);
    if (out->count) qsort(out->list, out->count, sizeof *out->list, by_time);
    return !w->exhausted;
}
