// --- along a step ------------------------------------------------------------------------------------

// The solution of a step as polynomials in the part x of it, z_i = sum_d q[d][i] x^d; what is looked
// for along it, and what is collected. As in sweep/system.h of the program that wrote this.
enum {
    HAMEL_FINAL,
    HAMEL_MAX,
    HAMEL_MIN,
    HAMEL_MEAN,
    HAMEL_FIRST,
    HAMEL_COUNT,
    HAMEL_LOOKS = 4, // places of a step where signs are looked at
    HAMEL_NODES = 5, // of Gauss's rule
    HAMEL_MOST_DEGREE = 30
};

#define HAMEL_SOME(count) ((count) > 0 ? (count) : 1)

typedef struct {
    real collected[HAMEL_SOME(hamel_collected_count)];
    real value[HAMEL_SOME(hamel_event_count)];   // the last that is not 0
    real zero_at[HAMEL_SOME(hamel_event_count)]; // where it was 0 since then; NaN: nowhere
    real slope[HAMEL_SOME(hamel_value_count)];   // dE/dt at the place before
    int stopped;                                 // by this event; -1: none
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

// Where number `which` crosses zero between a and b, to rounding: regula falsi (Illinois) with
// bisection where it stalls
static HAMEL_FAR real hamel_locate(const hamel_curve *w, bool events, int which, real a, real fa,
                                   real b, real fb) {
    enum { ROUNDS = 60, MOST = hamel_event_count > hamel_value_count ? hamel_event_count
                                                                     : hamel_value_count };
    const real close = sizeof(real) == 8 ? R(4.5e-16) : R(2.4e-7);
    real seen[HAMEL_SOME(MOST)];
    int side = 0;
    HAMEL_ROLLED for (int i = 0; i < ROUNDS && fabs(b - a) > close; i++) {
        real x = i % 8 == 7 ? a + (b - a) / 2 : (a * fb - b * fa) / (fb - fa);
        if (!(x > a && x < b)) x = a + (b - a) / 2;
        if (x == a || x == b) break;
        hamel_look(w, events, x, seen);
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

// Crossings between two places, at most one of each event: until which of them the run goes on
static HAMEL_FAR real hamel_follow_events(hamel_watch *see, const hamel_curve *w, real from, real to) {
    real now[HAMEL_SOME(hamel_event_count)], at[HAMEL_SOME(hamel_event_count)];
    int way[HAMEL_SOME(hamel_event_count)];
    real until = to;
    hamel_look(w, true, to, now);
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
                        ? hamel_locate(w, true, e, from, before, to, after)
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

// max and min, of which nothing is left once E had no value
HAMEL_DEVICE void hamel_take_extremes(hamel_watch *see, int value, const real *now) {
    for (int i = 0; i < hamel_collected_count; i++) {
        const int kind = hamel_collected_kind(i), k = hamel_collected_of(i);
        if ((kind != HAMEL_MAX && kind != HAMEL_MIN) || (value >= 0 && k != value)) continue;
        const real best = see->collected[i];
        const bool better = kind == HAMEL_MAX ? now[k] > best : now[k] < best;
        see->collected[i] = isnan(best) || isnan(now[k]) ? R(NAN) : better ? now[k] : best;
    }
}

HAMEL_DEVICE bool hamel_is_extreme(int value) {
    bool is = false;
    for (int i = 0; i < hamel_collected_count; i++)
        is = is || ((hamel_collected_kind(i) == HAMEL_MAX || hamel_collected_kind(i) == HAMEL_MIN) &&
                    hamel_collected_of(i) == value);
    return is;
}

// Where dE/dt changes its sign between two places
static HAMEL_FAR void hamel_follow_extremes(hamel_watch *see, const hamel_curve *w, real from,
                                            real to) {
    real slope[HAMEL_SOME(hamel_value_count)], there[HAMEL_SOME(hamel_value_count)];
    hamel_look(w, false, to, slope);
    for (int k = 0; k < hamel_value_count; k++) {
        const bool through = (see->slope[k] > 0) != (slope[k] > 0) || slope[k] == 0;
        if (hamel_is_extreme(k) && through && see->slope[k] != 0) {
            const real at = slope[k] == 0
                                ? to
                                : hamel_locate(w, false, k, from, see->slope[k], to, slope[k]);
            hamel_look_at_values(w, at, there);
            hamel_take_extremes(see, k, there);
        }
        see->slope[k] = slope[k];
    }
}

// Integrals up to a place, by Gauss's rule
static HAMEL_FAR void hamel_follow_means(hamel_watch *see, const hamel_curve *w, real to) {
    const real node[HAMEL_NODES] = {R(0.04691007703066800360), R(0.23076534494715845448), R(0.5),
                                    R(0.76923465505284154552), R(0.95308992296933199640)},
               weight[HAMEL_NODES] = {R(0.11846344252809454376), R(0.23931433524968323402),
                                      R(0.28444444444444444444), R(0.23931433524968323402),
                                      R(0.11846344252809454376)};
    real there[HAMEL_SOME(hamel_value_count)];
    for (int g = 0; g < HAMEL_NODES; g++) {
        hamel_look_at_values(w, to * node[g], there);
        for (int i = 0; i < hamel_collected_count; i++)
            if (hamel_collected_kind(i) == HAMEL_MEAN)
                see->collected[i] =
                    fma(to * w->h * weight[g], there[hamel_collected_of(i)], see->collected[i]);
    }
}

// All of a step: the part of it that the run takes
static HAMEL_FAR real hamel_follow(hamel_watch *see, const hamel_curve *w) {
    real there[HAMEL_SOME(hamel_value_count)], until = 1;
    for (int look = 1; look <= HAMEL_LOOKS && hamel_event_count > 0 && see->stopped < 0; look++)
        until = hamel_follow_events(see, w, R(look - 1) / HAMEL_LOOKS, R(look) / HAMEL_LOOKS);
    for (int look = 1; look <= HAMEL_LOOKS && hamel_has_extremes; look++)
        hamel_follow_extremes(see, w, until * (look - 1) / HAMEL_LOOKS, until * look / HAMEL_LOOKS);
    if (hamel_has_extremes) {
        hamel_look_at_values(w, until, there);
        hamel_take_extremes(see, -1, there);
    }
    if (hamel_has_means) hamel_follow_means(see, w, until);
    return until;
}

// Before the first step, and after the last
static HAMEL_FAR void hamel_begin(hamel_watch *see, real t, const real *z, const real *p,
                                  const real *c) {
    real value[HAMEL_SOME(hamel_value_count)];
    see->stopped = -1;
    if (hamel_has_extremes) hamel_values(t, z, p, c + hamel_values_at, value);
    for (int i = 0; i < hamel_collected_count; i++) {
        const int kind = hamel_collected_kind(i);
        see->collected[i] = kind == HAMEL_MAX || kind == HAMEL_MIN ? value[hamel_collected_of(i)]
                            : kind == HAMEL_FIRST                  ? R(NAN)
                                                                   : R(0);
    }
    if (hamel_event_count > 0) hamel_events(t, z, p, c + hamel_events_at, see->value);
    for (int e = 0; e < hamel_event_count; e++) {
        see->zero_at[e] = see->value[e] == 0 ? t : R(NAN);
        if (isnan(see->value[e])) see->value[e] = 0;
    }
    if (hamel_has_extremes) hamel_slopes(t, z, p, c + hamel_slopes_at, see->slope);
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

