// From residues back to rational numbers and rational functions. Values of a parameter are looked
// for in F_p first, where arithmetic is quick, and brought back with these.
#ifndef HAMEL_ANALYSE_RESIDUES_H
#define HAMEL_ANALYSE_RESIDUES_H

#include "expr/expr.h"

#include <flint/nmod_poly.h>

// The fraction a/b with |a|, b <= largest that x stands for; EXPR_NONE if there is none.
expr residues_small_fraction(pool *p, mp_limb_t x, mp_limb_t prime, uint32_t largest);

// top/bottom with these values, of degrees low enough that two of the values are a check; false if
// there is none.
bool residues_rational_function(uint32_t count, const mp_limb_t *x, const mp_limb_t *y,
                                nmod_poly_t top, nmod_poly_t bottom);

// Is f, made monic, the image of a polynomial with small rational coefficients that has no real
// root?
bool residues_lack_real_roots(const nmod_poly_t f);

#endif
