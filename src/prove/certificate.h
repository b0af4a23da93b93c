// Proofs with no probability in them: the residual as a quotient of polynomials over Q whose
// numerator is zero. `prove --certify` asks for them; where one cannot be had the verdict stays
// what the random points gave.
#ifndef HAMEL_PROVE_CERTIFICATE_H
#define HAMEL_PROVE_CERTIFICATE_H

#include "derive/basis.h"
#include "derive/formalism.h"
#include "normal/normal.h"

typedef struct {
    const equations *eq; // of a projected form with closed velocities
    bool solved;
    const expr *rate;       // eta' in (q, eta, t)
    const expr *multiplier; // lambda in (q, eta, t); NULL if there are none or they are too large
} closed_motion;

// Solve the equations in closed form under the certificate's budget; solved is
// false where that grows too large.
closed_motion closed_motion_create(const equations *eq);

// Is the expression (in q, q', q'', eta, lambda, t) zero along the motion? NORMAL_YES is a proof.
normal_truth certificate_is_zero(const closed_motion *m, expr e);

// Do the other form's equations follow from those of m and the constraints, as identities in (q,
// eta, eta', t)? No equation is solved for that, so it works far beyond the size where
// closed_motion does. NORMAL_YES is a proof.
normal_truth certificate_of_form(const closed_motion *m, const velocity_basis *v,
                                 const equations *other);

#endif
