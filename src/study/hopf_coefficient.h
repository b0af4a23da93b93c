// The first Lyapunov coefficient of a Hopf point: does the orbit that leaves it attract?
//
// Of z' = f(z) with f(0) = 0, A = df/dz, A q = i w q, A^T u = -i w u, <u, q> = 1, |q| = 1, and the
// symmetric forms B, C of the second and third derivatives (Kuznetsov, Elements of Applied
// Bifurcation Theory, section 5.4):
//   l1 = 1/(2 w) Re( <u, C(q,q,q*)> - 2 <u, B(q, A^-1 B(q,q*))>
//                    + <u, B(q*, (2 i w - A)^-1 B(q,q))> )
// Coordinates that no rate depends on are left out first; where other neutral directions are left,
// or constraints on positions, it is not computed. One call, at a point that was linearised.
#ifndef HAMEL_STUDY_HOPF_COEFFICIENT_H
#define HAMEL_STUDY_HOPF_COEFFICIENT_H

#include "study/steady_path.h"

// At a point with an imaginary pair of this frequency. False where it cannot be had: `why`.
bool hopf_coefficient(steady_path *a, path_point *at, double frequency, double *l1,
                      const char **why);

#endif
