// --- along a step ------------------------------------------------------------------------------------

// The solution of a step as polynomials in the part x of it, z_i = sum_d q[d][i] x^d; what is looked
// for along it, and what is collected: panel by panel, each of which is halved while it does not tell
// enough. As in sweep/system.h of the program that wrote this.
enum {
    HAMEL_FINAL,
    HAMEL_MAX,
    HAMEL_MIN,
    HAMEL_MEAN,
    HAMEL_FIRST,
    HAMEL_COUNT,
    HAMEL_MOST_DEGREE = 30
};

#define HAMEL_SOME(count) ((count) > 0 ? (count) : 1)

typedef struct {
    real collected[HAMEL_SOME(hamel_collected_count)];
    real value[HAMEL_SOME(hamel_event_count)];   // the last that is not 0
    real zero_at[HAMEL_SOME(hamel_event_count)]; // where it was 0 since then; NaN: nowhere
    real start[HAMEL_SOME(hamel_value_count)];   // E where the step begins
    // of each of what is collected, and of each event: the largest seen, how often panels may still
    // be halved
    real scale[HAMEL_SOME(hamel_collected_count)], event_scale[HAMEL_SOME(hamel_event_count)];
    int splits[HAMEL_SOME(hamel_collected_count)], event_splits[HAMEL_SOME(hamel_event_count)];
    real longest, part; // of panels; of the largest |E|, what does not matter
    int stopped;        // by this event; -1: none
} hamel_watch;

typedef struct {
    const real (*q)[hamel_n];
    int degree;
    real t, h;
    const real *p, *c;
} hamel_curve;

HAMEL_DEVICE void hamel_curve_at(const hamel_curve *w, real x, real *z) {
    for (int i = 0; i < hamel_n; i++) z[i] = w->q[w->degree][i];
    HAMEL_ROLLED for (int d = w->degree - 1; d >= 0; d--)
        for (int i = 0; i < hamel_n; i++) z[i] = fma(z[i], x, w->q[d][i]);
}

// Events, or slopes of what is collected, at a place
static HAMEL_FAR void hamel_look(const hamel_curve *w, bool events, real x, real *out) {
    real z[hamel_n];
    hamel_curve_at(w, x, z);
    if (events) hamel_events(w->t + x * w->h, z, w->p, w->c + hamel_events_at, out);
    else hamel_slopes(w->t + x * w->h, z, w->p, w->c + hamel_slopes_at, out);
}

static HAMEL_FAR void hamel_look_at_values(const hamel_curve *w, real x, real *out) {
    real z[hamel_n];
    hamel_curve_at(w, x, z);
    hamel_values(w->t + x * w->h, z, w->p, w->c + hamel_values_at, out);
}

// Where event `which` crosses zero between a and b, to rounding: regula falsi (Illinois) with
// bisection where it stalls
static HAMEL_FAR real hamel_locate(const hamel_curve *w, int which, real a, real fa, real b, real fb) {
    enum { ROUNDS = 60 };
    const real close = sizeof(real) == 8 ? R(4.5e-16) : R(2.4e-7);
    real seen[HAMEL_SOME(hamel_event_count)];
    int side = 0;
    HAMEL_ROLLED for (int i = 0; i < ROUNDS && fabs(b - a) > close; i++) {
        real x = i % 8 == 7 ? a + (b - a) / 2 : (a * fb - b * fa) / (fb - fa);
        if (!(x > a && x < b)) x = a + (b - a) / 2;
        if (x == a || x == b) break;
        hamel_look(w, true, x, seen);
        const real f = seen[which];
        if (f == 0) return x;
        if ((f > 0) == (fb > 0)) {
            b = x, fb = f;
            if (side == 1) fa /= 2;
            side = 1;
        } else {
            a = x, fa = f;
            if (side == -1) fb /= 2;
            side = -1;
        }
    }
    return fabs(fa) < fabs(fb) ? a : b;
}

// --- panels ------------------------------------------------------------------------------------------

// Parts of the step from 0 to `end`: from + [0, 1] width
typedef struct {
    real end, from, width;
    int depth; // how often it was halved
} hamel_panel;

HAMEL_DEVICE real hamel_place(const hamel_panel *p, real x) { return p->end * (p->from + p->width * x); }

// A little to the right of its middle
HAMEL_DEVICE real hamel_nudged(const hamel_panel *p) {
    const real nudge = sizeof(real) == 8 ? (real)PANEL_NUDGE : R(6e-5);
    return hamel_place(p, R(0.5) + nudge);
}

HAMEL_DEVICE void hamel_halve(hamel_panel *p) { p->width /= 2, p->depth++; }

// The next one, as long as it can be
HAMEL_DEVICE void hamel_pass(hamel_panel *p) {
    p->from += p->width;
    while (p->depth > 0 && fmod(p->from, 2 * p->width) == 0) p->width *= 2, p->depth--;
}

HAMEL_DEVICE bool hamel_is_long(const hamel_watch *see, const hamel_curve *w, const hamel_panel *p) {
    return p->depth < 4 && p->end * p->width * w->h > see->longest;
}

HAMEL_DEVICE bool hamel_may_halve(const hamel_panel *p, int *splits) {
    const int deepest = sizeof(real) == 8 ? (int)PANEL_DEEPEST : 20;
    if (p->depth >= deepest || *splits <= 0) return false;
    --*splits;
    return true;
}

// --- events ------------------------------------------------------------------------------------------

// Crossings between two places, at most one of each event, which has these values at the second:
// until which of them the run goes on
static HAMEL_FAR real hamel_cross(hamel_watch *see, const hamel_curve *w, real from, real to,
                                  const real *now) {
    real at[HAMEL_SOME(hamel_event_count)];
    int way[HAMEL_SOME(hamel_event_count)];
    real until = to;
    for (int e = 0; e < hamel_event_count; e++) {
        const real before = see->value[e], after = now[e];
        way[e] = 0, at[e] = to;
        if (after == 0) {
            if (isnan(see->zero_at[e])) see->zero_at[e] = w->t + to * w->h;
            continue;
        }
        if (isnan(after)) continue;
        if (before != 0 && (before > 0) != (after > 0)) {
            way[e] = after > 0 ? 1 : -1;
            at[e] = isnan(see->zero_at[e])
                        ? hamel_locate(w, e, from, before, to, after)
                        : (real)fmax(R(0), (see->zero_at[e] - w->t) / w->h);
            if (hamel_event_direction(e) * way[e] < 0) way[e] = 0;
            const bool first = see->stopped < 0 || at[e] < until; // of two at one instant as well
            if (way[e] && hamel_event_stops(e) && first) until = at[e], see->stopped = e;
        }
        see->value[e] = after, see->zero_at[e] = NAN;
    }
    for (int i = 0; i < hamel_collected_count; i++) {
        const int kind = hamel_collected_kind(i), e = hamel_collected_of(i);
        if ((kind != HAMEL_FIRST && kind != HAMEL_COUNT) || !way[e] || at[e] > until) continue;
        if (kind == HAMEL_COUNT) see->collected[i] += 1;
        else if (isnan(see->collected[i])) see->collected[i] = w->t + at[e] * w->h;
    }
    return until;
}

// Values at the places of a panel, of events or of what is collected, the first of which is known; and
// every other one of them where the panel is half of the one before
template <bool EVENTS, int COUNT>
HAMEL_DEVICE void hamel_look_along(const hamel_curve *w, const hamel_panel *p, bool halved,
                                   real (*look)[COUNT]) {
    HAMEL_ROLLED for (int j = 1; j <= PANEL_LOOKS; j += halved ? 2 : 1) {
        const real x = hamel_place(p, R(j) / PANEL_LOOKS);
        if (EVENTS) hamel_look(w, true, x, look[j]);
        else hamel_look_at_values(w, x, look[j]);
    }
}
template <int COUNT> HAMEL_DEVICE void hamel_spread_looks(real (*look)[COUNT]) {
    for (int j = PANEL_LOOKS / 2; j > 0; j--)
        for (int i = 0; i < COUNT; i++) look[2 * j][i] = look[j][i];
}

// Is the panel to be halved as an event may cross 0 more often in it than its signs say?
static HAMEL_FAR bool hamel_hides_crossings(hamel_watch *see, const hamel_curve *w, const hamel_panel *p,
                                            const real (*look)[HAMEL_SOME(hamel_event_count)]) {
    real noise[HAMEL_SOME(hamel_event_count)];
    bool known = false, hides = hamel_is_long(see, w, p);
    for (int e = 0; e < hamel_event_count; e++) {
        real value[PANEL_LOOKS + 1];
        for (int j = 0; j <= PANEL_LOOKS; j++) {
            value[j] = look[j][e];
            see->event_scale[e] = panel_larger(panel_size(value[j]), see->event_scale[e]);
        }
        const real little = panel_part(0) * see->event_scale[e];
        if (hides || panel_counts(value, little)) continue;
        if (!known) hamel_look(w, true, hamel_nudged(p), noise);
        known = true;
        const real off = panel_size(noise[e] - value[PANEL_LOOKS / 2]);
        if (!panel_counts(value, little + 32 * off) && hamel_may_halve(p, &see->event_splits[e]))
            hides = true;
    }
    return hides;
}

// All crossings of a step, or until one ends the run: where that is
static HAMEL_FAR real hamel_follow_events(hamel_watch *see, const hamel_curve *w) {
    real look[PANEL_LOOKS + 1][HAMEL_SOME(hamel_event_count)], until = 1;
    bool halved = false;
    hamel_panel p = {1, 0, 1, 0};
    hamel_look(w, true, 0, look[0]);
    for (int e = 0; e < hamel_event_count; e++) see->event_splits[e] += PANEL_SPLITS_A_STEP;
    while (p.from < 1) {
        hamel_look_along<true>(w, &p, halved, look);
        halved = hamel_hides_crossings(see, w, &p, look);
        if (halved) {
            hamel_halve(&p), hamel_spread_looks(look);
            continue;
        }
        for (int j = 0; j < PANEL_LOOKS; j++) {
            const real a = hamel_place(&p, R(j) / PANEL_LOOKS),
                       b = hamel_place(&p, R(j + 1) / PANEL_LOOKS);
            until = hamel_cross(see, w, a, b, look[j + 1]);
            if (see->stopped >= 0) return until;
        }
        for (int e = 0; e < hamel_event_count; e++) look[0][e] = look[PANEL_LOOKS][e];
        hamel_pass(&p);
    }
    return 1;
}

// --- extremes ----------------------------------------------------------------------------------------

HAMEL_DEVICE bool hamel_is_extreme(int i) {
    return hamel_collected_kind(i) == HAMEL_MAX || hamel_collected_kind(i) == HAMEL_MIN;
}

// max and min, of which nothing is left once E had no value
HAMEL_DEVICE void hamel_take_value(hamel_watch *see, int i, real now) {
    const real best = see->collected[i];
    const bool better = hamel_collected_kind(i) == HAMEL_MAX ? now > best : now < best;
    see->collected[i] = isnan(best) || isnan(now) ? R(NAN) : better ? now : best;
}

HAMEL_DEVICE real hamel_slope_at(const hamel_curve *w, int value, real x) {
    real slope[HAMEL_SOME(hamel_value_count)];
    hamel_look(w, false, x, slope);
    return slope[value];
}

// Where dE/dt goes through 0 between two places in the direction of what is looked for, as
// sweep/extremum.h of the program that wrote this has it: half of the digits of the place give all
// of E
static HAMEL_FAR void hamel_refine(hamel_watch *see, const hamel_curve *w, int i, real a, real b) {
    enum { STEPS = 60, SECANTS = 8 };
    const int k = hamel_collected_of(i), sign = hamel_collected_kind(i) == HAMEL_MAX ? 1 : -1;
    real of_a = hamel_slope_at(w, k, a), of_b = hamel_slope_at(w, k, b), found = a;
    if (!(sign * of_a > 0 && sign * of_b <= 0)) return;
    const real close = (sizeof(real) == 8 ? R(1.5e-8) : R(2.4e-4)) * (b - a),
               flat = R(1.2e-4) * panel_larger(panel_size(of_a), panel_size(of_b));
    int side = 0; // the end that was moved last
    HAMEL_ROLLED for (int step = 0; step < STEPS; step++) {
        real next = b - of_b * (b - a) / (of_b - of_a);
        if (step >= SECANTS || !(next > a && next < b)) next = a + (b - a) / 2;
        const real moved = panel_size(next - found), there = hamel_slope_at(w, k, next);
        found = next;
        if ((moved <= close && panel_size(there) <= flat) || !(there != 0)) break;
        const bool right = (there > 0) == (of_b > 0);
        if (right) {
            b = next, of_b = there;
            if (side == 1) of_a /= 2;
            side = 1;
        } else {
            a = next, of_a = there;
            if (side == -1) of_b /= 2;
            side = -1;
        }
    }
    real value[HAMEL_SOME(hamel_value_count)];
    hamel_look_at_values(w, found, value);
    hamel_take_value(see, i, value[k]);
}

// Is the panel to be halved for the extreme i? If not what is in it is taken.
static HAMEL_FAR bool hamel_extreme_hides(hamel_watch *see, const hamel_curve *w, const hamel_panel *p, int i,
                                          const real (*look)[HAMEL_SOME(hamel_value_count)]) {
    const int k = hamel_collected_of(i), sign = hamel_collected_kind(i) == HAMEL_MAX ? 1 : -1;
    real e[PANEL_LOOKS + 1];
    for (int j = 0; j <= PANEL_LOOKS; j++) {
        e[j] = sign * look[j][k];
        if (j) hamel_take_value(see, i, look[j][k]);
        see->scale[i] = panel_larger(panel_size(e[j]), see->scale[i]);
    }
    if (hamel_is_long(see, w, p)) return true;
    const real best = sign * see->collected[i], little = see->part * see->scale[i];
    unsigned unsure, turns = panel_turns(e, best, little, &unsure);
    if (unsure) {
        real noise[HAMEL_SOME(hamel_value_count)];
        hamel_look_at_values(w, hamel_nudged(p), noise);
        turns = panel_turns(e, best, little + 32 * panel_size(noise[k] - look[PANEL_LOOKS / 2][k]),
                            &unsure);
        if (unsure && hamel_may_halve(p, &see->splits[i])) return true;
    }
    for (int j = 0; j < PANEL_LOOKS; j++)
        if (turns >> j & 1)
            hamel_refine(see, w, i, hamel_place(p, R(j) / PANEL_LOOKS),
                         hamel_place(p, R(j + 1) / PANEL_LOOKS));
    return false;
}

// Of the part of a step that the run takes; each extreme is done up to its `reach`
static HAMEL_FAR void hamel_follow_extremes(hamel_watch *see, const hamel_curve *w, real until) {
    real look[PANEL_LOOKS + 1][HAMEL_SOME(hamel_value_count)], reach[HAMEL_SOME(hamel_collected_count)];
    bool halved = false;
    hamel_panel p = {until, 0, 1, 0};
    for (int k = 0; k < hamel_value_count; k++) look[0][k] = see->start[k];
    for (int i = 0; i < hamel_collected_count; i++)
        reach[i] = 0, see->splits[i] += PANEL_SPLITS_A_STEP;
    while (p.from < 1) {
        hamel_look_along<false>(w, &p, halved, look);
        halved = false;
        for (int i = 0; i < hamel_collected_count; i++) {
            if (!hamel_is_extreme(i) || reach[i] > p.from) continue;
            if (hamel_extreme_hides(see, w, &p, i, look)) halved = true;
            else reach[i] = p.from + p.width;
        }
        if (halved) {
            hamel_halve(&p), hamel_spread_looks(look);
            continue;
        }
        for (int k = 0; k < hamel_value_count; k++) look[0][k] = look[PANEL_LOOKS][k];
        hamel_pass(&p);
    }
}

// --- means -------------------------------------------------------------------------------------------

typedef struct {
    real fine, off, odd, middle; // see sweep/panels.h
} hamel_sum;

// Is the panel to be halved for the mean i?
static HAMEL_FAR bool hamel_mean_hides(hamel_watch *see, const hamel_curve *w, const hamel_panel *p, int i,
                                       const hamel_sum *sum) {
    const real little = see->part * see->scale[i];
    real noise[HAMEL_SOME(hamel_value_count)];
    if (hamel_is_long(see, w, p)) return true;
    if (panel_agrees(sum->off, sum->odd, p->width, little, 0)) return false;
    hamel_look_at_values(w, hamel_nudged(p), noise);
    const real off = panel_size(noise[hamel_collected_of(i)] - sum->middle);
    return !panel_agrees(sum->off, sum->odd, p->width, little, off) &&
           hamel_may_halve(p, &see->splits[i]);
}

static HAMEL_FAR void hamel_follow_means(hamel_watch *see, const hamel_curve *w, real until) {
    hamel_sum sum[HAMEL_SOME(hamel_collected_count)];
    real reach[HAMEL_SOME(hamel_collected_count)], first[HAMEL_SOME(hamel_value_count)],
        there[HAMEL_SOME(hamel_value_count)];
    hamel_panel p = {until, 0, 1, 0};
    for (int k = 0; k < hamel_value_count; k++) first[k] = see->start[k];
    for (int i = 0; i < hamel_collected_count; i++) {
        reach[i] = 0;
        if (!hamel_has_extremes) see->splits[i] += PANEL_SPLITS_A_STEP;
    }
    while (p.from < 1) {
        for (int i = 0; i < hamel_collected_count; i++) sum[i] = hamel_sum{0, 0, 0, 0};
        HAMEL_ROLLED for (int j = 0; j < PANEL_NODES; j++) {
            if (j) hamel_look_at_values(w, hamel_place(&p, panel_node[j]), there);
            for (int i = 0; i < hamel_collected_count; i++) {
                if (hamel_collected_kind(i) != HAMEL_MEAN || reach[i] > p.from) continue;
                const real e = j ? there[hamel_collected_of(i)] : first[hamel_collected_of(i)];
                sum[i].fine = fma(panel_fine[j], e, sum[i].fine);
                sum[i].off = fma(panel_fine[j] - panel_coarse[j], e, sum[i].off);
                sum[i].odd = fma(panel_odd[j], e, sum[i].odd);
                if (j == PANEL_NODES / 2) sum[i].middle = e;
                see->scale[i] = panel_larger(panel_size(e), see->scale[i]);
            }
        }
        bool halved = false;
        for (int i = 0; i < hamel_collected_count; i++) {
            if (hamel_collected_kind(i) != HAMEL_MEAN || reach[i] > p.from) continue;
            if (hamel_mean_hides(see, w, &p, i, &sum[i])) {
                halved = true;
                continue;
            }
            see->collected[i] = fma(until * p.width * w->h, sum[i].fine, see->collected[i]);
            reach[i] = p.from + p.width;
        }
        if (halved) {
            hamel_halve(&p);
            continue;
        }
        for (int k = 0; k < hamel_value_count; k++) first[k] = there[k];
        hamel_pass(&p);
    }
}

// --- a step ------------------------------------------------------------------------------------------

// All of a step: the part of it that the run takes
static HAMEL_FAR real hamel_follow(hamel_watch *see, const hamel_curve *w) {
    real until = 1;
    if (hamel_event_count > 0) until = hamel_follow_events(see, w);
    if (hamel_has_extremes) hamel_follow_extremes(see, w, until);
    if (hamel_has_means) hamel_follow_means(see, w, until);
    if (hamel_has_extremes || hamel_has_means) hamel_look_at_values(w, until, see->start);
    return until;
}

// Before the first step, and after the last
static HAMEL_FAR void hamel_begin(hamel_watch *see, real t, real end, double tolerance, const real *z,
                                  const real *p, const real *c) {
    real *value = see->start;
    see->stopped = -1;
    see->longest = (end - t) / PANELS_OF_RUN, see->part = panel_part((real)tolerance);
    if (hamel_has_extremes || hamel_has_means) hamel_values(t, z, p, c + hamel_values_at, value);
    for (int i = 0; i < hamel_collected_count; i++) {
        const int kind = hamel_collected_kind(i);
        see->collected[i] = kind == HAMEL_MAX || kind == HAMEL_MIN ? value[hamel_collected_of(i)]
                            : kind == HAMEL_FIRST                  ? R(NAN)
                                                                   : R(0);
        see->scale[i] = 0, see->splits[i] = PANEL_SPLITS;
    }
    if (hamel_event_count > 0) hamel_events(t, z, p, c + hamel_events_at, see->value);
    for (int e = 0; e < hamel_event_count; e++) {
        see->zero_at[e] = see->value[e] == 0 ? t : R(NAN);
        if (isnan(see->value[e])) see->value[e] = 0;
        see->event_scale[e] = 0, see->event_splits[e] = PANEL_SPLITS;
    }
}

// Of a run that failed there are only first crossings.
static HAMEL_FAR void hamel_conclude(hamel_watch *see, real t0, real t, const real *z, const real *p,
                                     const real *c, bool failed) {
    real value[HAMEL_SOME(hamel_value_count)];
    hamel_values(t, z, p, c + hamel_values_at, value);
    for (int i = 0; i < hamel_collected_count; i++) {
        const int kind = hamel_collected_kind(i);
        if (kind == HAMEL_FINAL) see->collected[i] = value[hamel_collected_of(i)];
        if (kind == HAMEL_MEAN) see->collected[i] = t > t0 ? see->collected[i] / (t - t0) : R(NAN);
        if (failed && kind != HAMEL_FIRST) see->collected[i] = R(NAN);
    }
}

