// Special points between two points of a branch of orbits.
#include "study/orbit_path.h"

#include <math.h>
#include <string.h>

static const double UNDECIDED = 1e-7; // as near to the unit circle rounding decides on which side

// prod (mu_i - at), and how near one of them is
static double product(const floquet *f, double at, double *nearest) {
    double re = 1, im = 0;
    *nearest = INFINITY;
    for (uint32_t i = 0; i < f->count; i++) {
        const double a = f->re[i] - at, b = f->im[i], r = re * a - im * b;
        im = re * b + im * a, re = r;
        *nearest = fmin(*nearest, hypot(a, b));
    }
    return re;
}

// prod over i < j of (mu_i mu_j - 1)
static double pair_product(const floquet *f, double *nearest) {
    double re = 1, im = 0;
    *nearest = INFINITY;
    for (uint32_t i = 0; i < f->count; i++)
        for (uint32_t j = i + 1; j < f->count; j++) {
            const double a = f->re[i] * f->re[j] - f->im[i] * f->im[j] - 1,
                         b = f->re[i] * f->im[j] + f->im[i] * f->re[j], r = re * a - im * b;
            im = re * b + im * a, re = r;
            *nearest = fmin(*nearest, hypot(a, b));
        }
    return re;
}

static double look(const orbit_curve *w, const orbit_point *at, orbit_kind kind, double *nearest) {
    *nearest = INFINITY;
    switch (kind) {
    case ORBIT_FOLD:
        *nearest = fabs(at->tangent[w->columns - 1]);
        return at->tangent[w->columns - 1];
    case ORBIT_BRANCH: return product(&at->floquet, 1, nearest);
    case ORBIT_DOUBLING: return product(&at->floquet, -1, nearest);
    default: return pair_product(&at->floquet, nearest);
    }
}

static double test_of(const orbit_curve *w, const orbit_point *at, orbit_kind kind) {
    double nearest;
    return look(w, at, kind, &nearest);
}

bool orbit_test_changes(const orbit_curve *w, const orbit_point *a, const orbit_point *b,
                        orbit_kind kind) {
    double near_a, near_b;
    const double at_a = look(w, a, kind, &near_a), at_b = look(w, b, kind, &near_b);
    return a->floquet.count == b->floquet.count && fmin(near_a, near_b) > UNDECIDED &&
           (at_a > 0) != (at_b > 0);
}

// A pair on the unit circle, away from the real axis: its angle; 0: there is none
static double angle_of_pair(const floquet *f) {
    static const double ON = 1e-6;
    for (uint32_t i = 0; i < f->count; i++)
        if (f->im[i] > ON && fabs(hypot(f->re[i], f->im[i]) - 1) < ON)
            return atan2(f->im[i], f->re[i]);
    return 0;
}

// The point on the curve in the plane at the part u of the way from a to b. The guess is Hermite's
// cubic: near a branch point Newton's steps hardly correct what it has along the other branch.
static bool point_between(orbit_curve *w, const orbit_point *a, const orbit_point *b, double u,
                          orbit_point *out) {
    const uint32_t n = w->columns;
    double *y = memory_array(double, 3 * (size_t)n), *chord = y + n, *t = chord + n, length = 0;
    for (uint32_t c = 0; c < n; c++) {
        chord[c] = b->y[c] - a->y[c], length += chord[c] * chord[c];
    }
    length = sqrt(length);
    const double begin = u * (1 - u) * (1 - u) * length, end = u * u * (u - 1) * length;
    for (uint32_t c = 0; c < n; c++)
        y[c] =
            a->y[c] + u * u * (3 - 2 * u) * chord[c] + begin * a->tangent[c] + end * b->tangent[c];
    for (uint32_t c = 0; c < n; c++) chord[c] /= length;
    const bool good =
        length > 0 && orbit_curve_correct(w, chord, y) && orbit_curve_tangent(w, chord, t);
    if (good) orbit_curve_point(w, y, t, out);
    memory_free(y);
    return good;
}

// Secants that keep the zero between them; one end that stays twice counts half (Illinois)
bool orbit_locate(orbit_curve *w, const orbit_point *a, const orbit_point *b, orbit_kind kind,
                  orbit_special *out) {
    enum { MOST = 40 };
    static const double ENOUGH = 1e-13;
    double low = 0, high = 1, at_low = test_of(w, a, kind), at_high = test_of(w, b, kind),
           before = 2;
    const double scale = fmax(fabs(at_low), fabs(at_high));
    int side = 0;
    *out = (orbit_special){.kind = kind, .branch = -1};
    for (int round = 0; round < MOST; round++) {
        double u = (low * at_high - high * at_low) / (at_high - at_low);
        if (!(u > low && u < high)) u = (low + high) / 2;
        if (!point_between(w, a, b, u, &out->at)) return false;
        // other multipliers are 1 for a reason there: the system is conservative at this value
        if (out->at.floquet.count != a->floquet.count) break;
        const double here = test_of(w, &out->at, kind);
        if (fabs(u - before) < ENOUGH || fabs(here) < ENOUGH * scale || high - low < ENOUGH) break;
        if ((here > 0) == (at_high > 0)) {
            high = before = u, at_high = here;
            if (side == 1) at_low /= 2;
            side = 1;
        } else {
            low = before = u, at_low = here;
            if (side == -1) at_high /= 2;
            side = -1;
        }
    }
    orbit_curve_range(w, &out->at);
    if (kind == ORBIT_TORUS) out->angle = angle_of_pair(&out->at.floquet);
    return kind != ORBIT_TORUS || out->angle > 0;
}
