// Where dE/dt goes through 0 between two looks at it, for max(E) and min(E): by the secant of the
// bracket with halved weights (Illinois), the same steps in every engine. E is flat there, so that
// half of the digits of the time give all digits of E.
#ifndef HAMEL_SWEEP_EXTREMUM_H
#define HAMEL_SWEEP_EXTREMUM_H

#include <math.h>

enum { EXTREMUM_STEPS = 40 };
static const double EXTREMUM_CLOSE = 0x1p-26; // parts of the step

// of_a and of_b, the slopes at a and b, have opposite signs, or of_b is 0; slope(of, t) is asked
// for in between.
static inline double extremum_find(double (*slope)(void *of, double t), void *of, double a,
                                   double of_a, double b, double of_b, double step) {
    double found = a;
    int side = 0; // the end that was moved last
    for (int i = 0; i < EXTREMUM_STEPS; i++) {
        double next = b - of_b * (b - a) / (of_b - of_a);
        if (!(next > a && next < b)) next = a + (b - a) / 2;
        const double moved = fabs(next - found), there = slope(of, next);
        found = next;
        if (moved <= EXTREMUM_CLOSE * step || !(there != 0)) break;
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
