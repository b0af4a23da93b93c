// Where a motion is stable, as inequalities between its symbols: conditions on the coefficients of
// its characteristic polynomial, each a product of factors whose signs are not known.
//
// c(x) = x^n + .. + c_0 has all roots in the left half plane where c_0, c_2, .. and the minors
// D_(n-1), D_(n-3), .. of Hurwitz's matrix are positive (Lienard and Chipart), and one in the right
// half plane where one of them is negative. An even one, c(x) = P(x^2), has simple imaginary roots
// only where that holds for P(x^2) + x P'(x^2) (Hermite and Biehler).
#ifndef HAMEL_STUDY_EXACT_STABILITY_H
#define HAMEL_STUDY_EXACT_STABILITY_H

#include "model/model.h"

typedef struct {
    const char *refusal; // why there are none; NULL: there are
    bool even;           // marginal where they hold; else stable
    bool never;          // one of them fails whatever the symbols are
    uint32_t count;      // of these that are > 0; none: always
    const expr *positive;
    uint32_t nonzeros; // and of these that are not 0
    const expr *nonzero;
    uint32_t assumed; // parameters taken as positive, as their stated values are
    const expr *assumption;
} exact_stability;

// In the arena of the model. coefficient: c_0 .. c_n, with c_n = 1.
exact_stability exact_stability_create(const model *m, uint32_t degree, const expr *coefficient,
                                       bool even);

#endif
