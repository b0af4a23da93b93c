// Events: functions that cross 0, resets that happen there, and clocks.
//
// Each function has a side, on which it is taken to be until it has come to the other one by more
// than its rounding (`slack`). So a reset that leaves its own function at 0 is not reached again by
// a last digit.
#include "instance.h"

#include <float.h>

// Functions of events at a state
static void fmu_events_at(const fmu_instance *f, double t, const double *z, double *value) {
    double u[FMU_ROOM(FMU_INPUTS)];
    fmu_inputs_at(f, t, u);
    fmu_events(&f->system, t, z, u, value);
}

// What a host watches: a function that is moved by its slack, away from 0
static double fmu_indicator(const fmu_instance *f, int event, double value) {
    return f->now.positive[event] ? value + f->now.slack[event] : value - f->now.slack[event];
}

// As hosts see it: an indicator that is 0 is on the negative side.
static int fmu_has_crossed(const fmu_instance *f, int event, double value) {
    return (fmu_indicator(f, event, value) > 0) != f->now.positive[event];
}

// How much of the functions is rounding: what they change by with the last digits of t and z
static void fmu_find_rounding(const fmu_instance *f, const double *here, double *rounding) {
    enum { LAST = 16 };
    double z[FMU_ROOM(FMU_STATES)], value[FMU_ROOM(FMU_EVENTS)];
    memcpy(z, f->now.z, sizeof z);
    fmu_events_at(f, f->now.t + LAST * DBL_EPSILON * fabs(f->now.t), z, value);
    for (int e = 0; e < FMU_EVENTS; e++) rounding[e] = fabs(value[e] - here[e]);
    for (int i = 0; i < FMU_STATES; i++) {
        z[i] += LAST * DBL_EPSILON * fabs(z[i]);
        fmu_events_at(f, f->now.t, z, value);
        for (int e = 0; e < FMU_EVENTS; e++) rounding[e] += fabs(value[e] - here[e]);
        z[i] = f->now.z[i];
    }
    for (int e = 0; e < FMU_EVENTS; e++)
        if (!isfinite(rounding[e])) rounding[e] = 0;
}

// Functions a little ahead along the motion: a step that is short beside all times of the run, and
// long beside rounding
static void fmu_look_ahead(fmu_instance *f, double *value) {
    const double h = 0x1p-30 * (1 + fabs(f->now.t)), *rate = fmu_rates(f);
    double z[FMU_ROOM(FMU_STATES)];
    for (int i = 0; i < FMU_STATES; i++) z[i] = f->now.z[i] + h * rate[i];
    fmu_events_at(f, f->now.t + h, z, value);
}

// The side of each function from here on. One that was just reached, and which is still 0 up to
// what it was there, is on the side that it goes to: where it rises it is not reached again before
// it has been negative.
static void fmu_take_sides(fmu_instance *f, const double *reached) {
    double here[FMU_ROOM(FMU_EVENTS)], ahead[FMU_ROOM(FMU_EVENTS)], rounding[FMU_ROOM(FMU_EVENTS)];
    if (!FMU_EVENTS) return;
    fmu_events_at(f, f->now.t, f->now.z, here);
    fmu_find_rounding(f, here, rounding);
    fmu_look_ahead(f, ahead);
    for (int e = 0; e < FMU_EVENTS; e++) {
        const int is_at_0 = fabs(here[e]) <= 4 * fabs(reached[e]) + rounding[e];
        f->now.positive[e] = here[e] > 0;
        f->now.slack[e] = fmax(rounding[e], DBL_MIN);
        if (!is_at_0 || here[e] > 0 || !(ahead[e] > here[e])) continue;
        f->now.positive[e] = 1;
        f->now.slack[e] = fmax(rounding[e], 2 * fabs(here[e]));
    }
}

// Tick number n of a clock: a multiple of its period, not a sum
static double fmu_tick(const fmu_instance *f, int reset) {
    const fmu_reset *r = &fmu_resets[reset];
    const double n = f->now.ticks[reset];
    return f->now.start + (r->each > 0 ? n / r->each : n * r->period);
}

// The next time at which a clock ticks; infinite where there is none
static double fmu_next_tick(const fmu_instance *f) {
    double next = INFINITY;
    for (int i = 0; i < FMU_RESETS; i++)
        if (fmu_resets[i].event < 0) next = fmin(next, fmu_tick(f, i));
    return next;
}

// Is time t there, up to what is left of a sum of steps?
static int fmu_is_due(double when, double t) { return when <= t + 1e-12 * fabs(t); }

// What happened at one time
typedef struct {
    int changed; // 1: the state; 2: also, or only, parameters
    int stops;
    const char *failure;
} fmu_happening;

static void fmu_apply(fmu_instance *f, int reset, fmu_happening *what) {
    const fmu_reset *r = &fmu_resets[reset];
    double u[FMU_ROOM(FMU_INPUTS)], value[FMU_STATES + FMU_PARAMETERS + 1];
    fmu_inputs_at(f, f->now.t, u);
    fmu_reset_values(reset, &f->system, f->now.t, f->now.z, u, value);
    if (!fmu_are_finite(r->count, value)) {
        what->failure = "a reset has a new value that is no finite number";
        return;
    }
    for (int i = 0; i < r->count; i++)
        if (r->target[i] < FMU_STATES) f->now.z[r->target[i]] = value[i], what->changed |= 1;
        else f->now.p[r->target[i] - FMU_STATES] = value[i], what->changed |= 2;
    if (what->changed & 2) fmu_take_parameters(f);
    fmu_forget(f);
    fmu_say(f, fmi2OK, "t = %.17g: reset %s", f->now.t, r->name);
}

// Sides that changed: counted where the event is one in that direction. Which of them rose?
static void fmu_note_crossings(fmu_instance *f, const double *value, int *rose,
                               fmu_happening *what) {
    for (int e = 0; e < FMU_EVENTS; e++) {
        rose[e] = 0;
        if (!fmu_has_crossed(f, e, value[e])) continue;
        const int way = f->now.positive[e] ? -1 : 1;
        f->now.positive[e] = way > 0;
        rose[e] = way > 0;
        if (fmu_event_list[e].way && fmu_event_list[e].way != way) continue;
        if (f->now.count[e] < INT_MAX) f->now.count[e]++;
        what->stops = what->stops || fmu_event_list[e].stops;
        fmu_say(f, fmi2OK, "t = %.17g: event %s", f->now.t, fmu_event_list[e].name);
    }
}

// All that happens where the motion is: crossings, then resets and clocks in their order
static fmu_happening fmu_update(fmu_instance *f) {
    fmu_happening what = {0, 0, NULL};
    double value[FMU_ROOM(FMU_EVENTS)] = {0}, reached[FMU_ROOM(FMU_EVENTS)] = {0};
    int rose[FMU_ROOM(FMU_EVENTS)] = {0};
    if (FMU_EVENTS) fmu_events_at(f, f->now.t, f->now.z, value);
    fmu_note_crossings(f, value, rose, &what);
    for (int i = 0; i < FMU_RESETS && !what.failure; i++) {
        const int e = fmu_resets[i].event;
        if (e >= 0 ? !rose[e] : !fmu_is_due(fmu_tick(f, i), f->now.t)) continue;
        if (e >= 0) reached[e] = value[e];
        else f->now.ticks[i]++;
        fmu_apply(f, i, &what);
    }
    if (what.changed) fmu_take_sides(f, reached);
    return what;
}

// At the start a function that is 0 and rises counts as one that has risen.
static void fmu_begin_events(fmu_instance *f) {
    const double reached[FMU_ROOM(FMU_EVENTS)] = {0};
    fmu_take_sides(f, reached);
}
