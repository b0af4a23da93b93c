// Runs that get stuck, runs that would take days, and the clock.
#include "simulate/pace.h"

#include "base/clock.h"

// A run that would take 10^11 more steps at its pace, days of them, does not end.
static bool is_slow(pace *p, const run_record *record, double t, double end) {
    enum { COUNTED = 65536 };
    static const double MOST_PACES = 1e11 / COUNTED;
    if (record->steps % COUNTED) return false;
    const bool slow = (t - p->slow_mark) * MOST_PACES < end - t;
    p->slow_mark = t;
    return slow;
}

// A thousand steps that together are shorter than a hundredth of one earlier step: the solution
// does not go on (it chatters about a state where f jumps, or creeps towards a singularity),
// whatever the machine's smallest step is.
static bool is_stuck(pace *p, const run_record *record, double t) {
    enum { COUNTED = 1000 };
    if (record->steps % COUNTED) return false;
    const bool stuck = record->steps > COUNTED && t - p->stuck_mark < 0.01 * record->largest_step;
    p->stuck_mark = t;
    return stuck;
}

run_status pace_judge(pace *p, const run_record *record, double t, double end) {
    if (is_stuck(p, record, t)) return RUN_UNDERFLOW;
    return is_slow(p, record, t, end) ? RUN_TOO_MANY : RUN_DONE;
}

void pace_pause(pace *p) { p->stuck_mark = p->slow_mark = -INFINITY; }

// --- the clock -----------------------------------------------------------------------------------

void pace_begin(pace *p, double t) {
    const double now = clock_seconds();
    *p = (pace){.stuck_mark = t, .slow_mark = t, .checked = now, .told = now, .stride = 1};
}

// Where steps are fast only some of them look at the clock.
bool pace_is_due(pace *p) {
    static const double EACH = 0.05, OFTEN = 0.005, SELDOM = 0.02;
    enum { MOST_STEPS = 64 };
    if (++p->unchecked < p->stride) return false;
    const double now = clock_seconds(), gap = now - p->checked;
    p->unchecked = 0, p->checked = now;
    if (gap > SELDOM) p->stride = 1;
    else if (gap < OFTEN && p->stride < MOST_STEPS) p->stride *= 2;
    if (now - p->told < EACH) return false;
    p->told = now;
    return true;
}
