// Where dE/dt goes through 0 between two looks at it, for max(E) and min(E): by the secant of the
// bracket with halved weights (Illinois), the same steps in every engine. E is flat there, so that
// half of the digits of the time give all digits of E; where dE/dt does not become small, at a
// kink, the bracket is halved on.
#ifndef HAMEL_SWEEP_EXTREMUM_H
#define HAMEL_SWEEP_EXTREMUM_H

#include <math.h>

enum { EXTREMUM_STEPS = 60, EXTREMUM_SECANTS = 8 };
static const double EXTREMUM_CLOSE = 0x1p-26; // parts of the bracket
static const double EXTREMUM_FLAT = 0x1p-13;  // of dE/dt at its ends

// of_a and of_b, the slopes at a and b, have opposite signs, or of_b is 0; slope(of, t) is asked
// for in between.
static inline double extremum_find(double (*slope)(void *of, double t), void *of, double a,
                                   double of_a, double b, double of_b) {
    const double close = EXTREMUM_CLOSE * (b - a),
                 flat = EXTREMUM_FLAT * fmax(fabs(of_a), fabs(of_b));
    double found = a;
    int side = 0; // the end that was moved last
    for (int i = 0; i < EXTREMUM_STEPS; i++) {
        double next = b - of_b * (b - a) / (of_b - of_a);
        if (i >= EXTREMUM_SECANTS || !(next > a && next < b)) next = a + (b - a) / 2;
        const double moved = fabs(next - found), there = slope(of, next);
        found = next;
        if ((moved <= close && fabs(there) <= flat) || !(there != 0)) break;
        if (there * of_b > 0) {
            b = next, of_b = there;
            if (side == 1) of_a /= 2;
            side = 1;
        } else {
            a = next, of_a = there;
            if (side == -1) of_b /= 2;
            side = -1;
        }
    }
    return found;
}

#endif
