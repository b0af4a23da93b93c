// Steps towards periodic orbits, and guesses to begin with.
#include "study/shooting.h"

#include "study/least_squares.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 60, MOST_TRIALS = 12, MOST_SEGMENTS = 8 };
static const double GOOD = 1e-9;      // of the defect, scaled: beyond it nothing was found
static const double GROWTH = 1e3;     // of columns in a segment, at most
static const double ROUNDING = 1e-14; // a defect, scaled, in which steps would only move noise
// keeps steps from following what rounding makes of directions in which nothing changes
static const double LEAST_DAMPING = 1e-14;
static const double COLLAPSED = 0.05; // of the guess: a period that has become so short

// --- the search ----------------------------------------------------------------------------------

static void add_step(const shooting *s, const double *x, double *out) {
    const uint32_t states = s->segments * s->size, given = s->p->period_is_given;
    for (uint32_t i = 0; i < states; i++) out[i] = x[i] + s->step[i];
    out[states] = x[states] + (given ? 0 : s->step[states]);
    for (uint32_t a = 0; a < s->p->moves; a++)
        out[states + 1 + a] = x[states + 1 + a] + s->step[states + !given + a];
    for (uint32_t k = 0; k < s->segments; k++)
        shooting_project(s, s->p->t0 + k * out[states] / s->segments, out + k * s->size);
}

// Damping |F|^2, more where a step does not make |F| smaller. False: no step does.
static bool improve(shooting *s, double *defect) {
    const size_t count = s->segments * s->size + 1 + s->p->moves;
    double damping = fmax(fmin(*defect * *defect, 1), LEAST_DAMPING);
    double *f = memory_array(double, s->rows),
           *j = memory_array(double, (size_t)s->rows * s->columns);
    memcpy(f, s->f, sizeof(double) * s->rows);
    memcpy(j, s->j, sizeof(double) * s->rows * s->columns);
    bool better = false;
    for (int trial = 0; trial < MOST_TRIALS && !better; trial++, damping *= 30) {
        least_squares_step(s->rows, s->columns, j, f, damping, s->step);
        add_step(s, s->x, s->trial);
        const double now = shooting_evaluate(s, s->trial);
        better = now < *defect;
        if (better) *defect = now, memcpy(s->x, s->trial, sizeof(double) * count);
    }
    memory_free(f), memory_free(j);
    return better;
}

static double largest_state(const shooting *s) {
    double most = 1;
    for (uint32_t i = 0; i < s->segments * s->size; i++) most = fmax(most, fabs(s->x[i]));
    return most;
}

// Steps until nothing is left to improve, or several of them together gain little
static void search(shooting *s, double *defect, uint32_t *steps) {
    enum { PATIENCE = 6 };
    static const double LITTLE = 0.5;
    double mark = *defect;
    while (isfinite(*defect) && *steps<MOST_STEPS && * defect> ROUNDING * largest_state(s) &&
           improve(s, defect)) {
        if (++*steps % PATIENCE) continue;
        if (*defect > LITTLE * mark) return;
        mark = *defect;
    }
}

// As many segments as keep the growth of columns in each moderate
static uint32_t segments_for(const orbit_problem *p, const double *z, double period) {
    shooting s;
    shooting_open(&s, p, 1);
    double most = 1;
    const bool reached = shooting_go(&s, z, p->t0, p->t0 + period);
    for (uint32_t i = 0; i < s.size * s.size && reached; i++)
        most = fmax(most, fabs(s.end[s.size + i]));
    shooting_close(&s);
    const double wanted = reached ? ceil(log(most) / log(GROWTH)) : MOST_SEGMENTS;
    return wanted < 1 ? 1 : wanted > MOST_SEGMENTS ? MOST_SEGMENTS : (uint32_t)wanted;
}

// States of the guess at the beginnings of the segments
static bool begin(shooting *s, const double *z, double period) {
    const uint32_t size = s->size;
    memcpy(s->x, z, sizeof(double) * size);
    *shooting_period(s, s->x) = period;
    for (uint32_t k = 1; k < s->segments; k++) {
        const double each = period / s->segments, from = s->p->t0 + (k - 1) * each;
        if (!shooting_go(s, s->x + (k - 1) * size, from, from + each)) return false;
        memcpy(s->x + k * size, s->end, sizeof(double) * size);
    }
    return true;
}

// Is there motion along it at all?
static bool is_at_rest(const shooting *s) {
    double *rate = memory_array(double, s->size + 1), most = 0;
    flow_rate(s->p->w, s->p->t0, s->x, rate);
    for (uint32_t i = 0; i < s->size; i++) most = fmax(most, fabs(rate[i]));
    memory_free(rate);
    return most * *shooting_period(s, (double *)s->x) < 1e-6 * largest_state(s);
}

static const char *judge(const shooting *s, double defect, double guess) {
    if (!(defect < GOOD * largest_state(s)))
        return "steps of Newton's method do not lead to one from this guess";
    if (!s->p->period_is_given && *shooting_period(s, s->x) < COLLAPSED * guess)
        return "the period went to 0: give it with --period, or another state";
    return is_at_rest(s) && !s->p->period_is_given
               ? "the search ended at an equilibrium, or too near to one to tell: `hamel steady` "
                 "finds those"
               : NULL;
}

// The moves that bring z nearest to where the motion from it is after a period
static void fit_moves(const orbit_problem *p, const double *z, double period, double *speed) {
    enum { ROUNDS = 60 };
    const uint32_t moves = p->moves;
    shooting s;
    shooting_open(&s, p, 1);
    const uint32_t size = s.size;
    double *j = memory_array(double, (size_t)size *(moves + 3) + 2 * moves + 1),
           *f = j + size * moves, *target = f + size, *slope = target + size, *step = slope + size,
           *now = step + moves, damping = 1e-3, least = INFINITY;
    const bool reached = moves && shooting_go(&s, z, p->t0, p->t0 + period);
    for (int round = 0; round < ROUNDS && reached; round++) {
        double sum = 0;
        for (uint32_t a = 0; a < moves; a++) now[a] = speed[a] + (round ? step[a] : 0);
        if (!shooting_target(&s, z, now, target)) break;
        for (uint32_t i = 0; i < size; i++) f[i] = target[i] - s.end[i];
        shooting_take_turns_off(&s, f);
        for (uint32_t i = 0; i < size; i++) sum += f[i] * f[i];
        damping = sum < least ? damping / 10 : damping * 10;
        if (sum < least) {
            least = sum;
            memcpy(speed, now, sizeof(double) * moves);
            for (uint32_t a = 0; a < moves; a++) {
                shooting_slope_of_move(&s, z, s.velocity, now, a, slope);
                for (uint32_t i = 0; i < size; i++) j[i * moves + a] = slope[i];
            }
            memcpy(s.f, f, sizeof(double) * size);
        }
        least_squares_step(size, moves, j, s.f, damping, step);
    }
    memory_free(j);
    shooting_close(&s);
}

// The time near `period` at which the motion from z is nearest to z: a guess that is good along the
// motion moves the state least.
static double nearest_return(const orbit_problem *p, const double *z, double period) {
    enum { ROUNDS = 6 };
    shooting s;
    shooting_open(&s, p, 1);
    double *rate = memory_array(double, s.size + 1), t = period;
    for (int round = 0; round < ROUNDS && shooting_go(&s, z, p->t0, p->t0 + t); round++) {
        double along = 0, size = 0;
        if (!flow_rate(p->w, p->t0 + t, s.end, rate)) break;
        for (uint32_t i = 0; i < s.size; i++) s.end[i] -= z[i];
        shooting_take_turns_off(&s, s.end);
        for (uint32_t i = 0; i < s.size; i++)
            along += rate[i] * s.end[i], size += rate[i] * rate[i];
        if (!(size > 0) || !(fabs(along / size) < 0.1 * period)) break;
        t -= along / size;
    }
    memory_free(rate);
    shooting_close(&s);
    return fabs(t - period) < 0.2 * period ? t : period;
}

void orbit_find(const orbit_problem *p, const double *z, double period, orbit *out) {
    arena *a = &p->sim->m->ctx->arena;
    const uint32_t size = p->sim->o->size;
    if (!p->period_is_given && !p->moves) period = nearest_return(p, z, period);
    *out = (orbit){.segments = segments_for(p, z, period)};
    shooting s;
    shooting_open(&s, p, out->segments);
    fit_moves(p, z, period, shooting_speeds(&s, s.x));
    double defect = begin(&s, z, period) ? shooting_evaluate(&s, s.x) : INFINITY;
    search(&s, &defect, &out->iterations);
    if (isfinite(defect)) defect = shooting_evaluate(&s, s.x); // flows and moves of the best
    out->failure = isfinite(defect) ? judge(&s, defect, period)
                                    : "the motion from this guess does not last for a period";
    out->found = !out->failure;
    out->defect = defect, out->period = *shooting_period(&s, s.x);
    out->z = arena_array(a, double, size), out->speed = arena_array(a, double, p->moves + 1);
    out->monodromy = arena_array(a, double, size *size);
    memcpy(out->z, s.x, sizeof(double) * size);
    memcpy(out->speed, shooting_speeds(&s, s.x), sizeof(double) * p->moves);
    if (out->found) shooting_monodromy(&s, out->monodromy);
    shooting_close(&s);
}

// --- the period ----------------------------------------------------------------------------------

// |f(t + T, z) - f(t, z)| at times all over a period and at states around z, since at one of them
// what depends on time may happen to vanish
double orbit_period_error(const orbit_problem *p, const double *z, double period) {
    enum { LOOKS = 32 };
    static const double GOLDEN = 0.61803398874989485, AROUND = 0.1;
    const uint32_t size = p->sim->o->size;
    double *near = memory_array(double, 3 * (size_t)size + 1), *now = near + size,
           *later = now + size, worst = 0;
    for (int k = 0; k < LOOKS; k++) {
        const double t = p->t0 + (k + GOLDEN) * period / LOOKS;
        for (uint32_t i = 0; i < size; i++)
            near[i] = z[i] + AROUND * sin(1 + k * size + i) * (k ? 1 + fabs(z[i]) : 0);
        if (!flow_rate(p->w, t, near, now) || !flow_rate(p->w, t + period, near, later)) continue;
        for (uint32_t i = 0; i < size; i++)
            worst = fmax(worst, fabs(later[i] - now[i]) / (1 + fabs(now[i])));
    }
    memory_free(near);
    return worst;
}

// The length of a step of the motion from z, at most `most`: the shortest run of several steps
static double step_from(const orbit_problem *p, const double *z, const double *columns,
                        double most) {
    enum { STEPS = 3 };
    static const double SHORTEST = 1e-13;
    for (double h = SHORTEST * most; h < most; h *= 2) {
        flow_start(p->w, p->t0, z, columns);
        if (flow_run(p->w, p->t0 + h)) break;
        if (flow_steps(p->w) >= STEPS) return h / (double)flow_steps(p->w);
    }
    return most;
}

double orbit_guess_period(const orbit_problem *p, const double *z, double end, const bool *free,
                          double *seen) {
    enum { LOOKS = 2000, MOST_LOOKS = 40000, LOOKS_A_STEP = 4 };
    // squares of distances, each number over the most that it was away
    static const double CLEARLY = 0.1, CLOSE = 1e-4;
    shooting s;
    shooting_open(&s, p, 1);
    const uint32_t size = s.size;
    double *unit = memory_zeros(double, (size_t)size *s.across + 1),
           *d = memory_zeros(double, 2 * (size_t)size), *widest = d + size, far = 0, before = 0,
           last = 0, best = INFINITY, found = 0;
    const double step = step_from(p, z, unit, end - p->t0),
                 each = fmin((end - p->t0) / LOOKS, step / LOOKS_A_STEP);
    *seen = p->t0;
    flow_start(p->w, p->t0, z, unit);
    for (uint32_t k = 1; k <= MOST_LOOKS && *seen < end; k++) {
        const double t = fmin(p->t0 + each * k, end);
        if (flow_run(p->w, t) || !flow_in_first_chart(p->w, s.end)) break;
        double away = 0;
        *seen = t;
        for (uint32_t i = 0; i < size; i++) d[i] = s.end[i] - z[i];
        shooting_take_turns_off(&s, d);
        for (uint32_t i = 0; i < size; i++) {
            widest[i] = fmax(widest[i], fabs(d[i]));
            const double part = d[i] == 0 || (free && free[i]) ? 0 : d[i] / widest[i];
            away += part * part;
        }
        // a minimum, of the parabola through three looks, after it was far away, that is clearly
        // nearer than those before
        const bool is_least = last < before && last <= away && last < 0.25 * far;
        const double least =
            is_least ? last - (before - away) * (before - away) / (8 * (before - 2 * last + away))
                     : INFINITY;
        if (least < CLEARLY * best) best = fmax(least, 0), found = each * (k - 1);
        if (best < CLOSE * far) break;
        far = fmax(far, away), before = last, last = away;
    }
    memory_free(unit), memory_free(d);
    shooting_close(&s);
    return found;
}

// Is phi_{T/m}(z) = g^{1/m}(z)?
static bool closes_after_part(shooting *s, const orbit *of, uint32_t m, double *speed,
                              double *target) {
    static const double SAME = 1e-7;
    const orbit_problem *p = s->p;
    if (p->period_is_given && !(orbit_period_error(p, of->z, of->period / m) < SAME)) return false;
    for (uint32_t a = 0; a < p->moves; a++) speed[a] = of->speed[a] / m;
    if (!shooting_go(s, of->z, p->t0, p->t0 + of->period / m) ||
        !shooting_target(s, of->z, speed, target))
        return false;
    double most = 0, size = 0;
    for (uint32_t i = 0; i < s->size; i++)
        target[i] -= s->end[i], size = fmax(size, fabs(of->z[i]));
    shooting_take_turns_off(s, target);
    for (uint32_t i = 0; i < s->size; i++) most = fmax(most, fabs(target[i]));
    return most <= SAME * size;
}

uint32_t orbit_times(const orbit_problem *p, const orbit *of) {
    enum { MOST_TIMES = 12 };
    shooting s;
    shooting_open(&s, p, 1);
    double *speed = memory_array(double, p->moves + s.size + 1);
    uint32_t times = MOST_TIMES;
    while (times > 1 && !closes_after_part(&s, of, times, speed, speed + p->moves)) times--;
    memory_free(speed);
    shooting_close(&s);
    return times;
}

void orbit_take_least(const orbit_problem *p, orbit *of) {
    const uint32_t times = orbit_times(p, of);
    orbit once;
    if (times == 1) return;
    orbit_find(p, of->z, of->period / times, &once);
    if (once.found) *of = once;
}
