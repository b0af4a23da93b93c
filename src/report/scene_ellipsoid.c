// The ellipsoid of inertia: how a body looks of which only mass and moments are known.
#include "report/scene_internal.h"

#include "report/symmetric.h"

#include <math.h>

// half axes of discs and rods, in terms of the longest: so that they can be seen
static const double THINNEST = 0.05;

// A solid ellipsoid with half axes a, b, c has Ix = m (b^2 + c^2)/5 and so on; hence
// a^2 = 5 (Iy + Iz - Ix)/(2 m).
bool ellipsoid_of_inertia(double mass, const double inertia[6], double half[3], double axes[3][3]) {
    double moment[3][3] = {{inertia[0], inertia[3], inertia[4]},
                           {inertia[3], inertia[1], inertia[5]},
                           {inertia[4], inertia[5], inertia[2]}};
    symmetric_diagonalise(moment, axes);
    const double sum = moment[0][0] + moment[1][1] + moment[2][2];
    double longest = 0;
    for (int i = 0; i < 3; i++) {
        half[i] = sqrt(fmax(0, 5 * (sum - 2 * moment[i][i]) / (2 * mass)));
        longest = fmax(longest, half[i]);
    }
    for (int i = 0; i < 3; i++) half[i] = fmax(half[i], THINNEST * longest);
    return isfinite(longest) && longest > 0;
}
