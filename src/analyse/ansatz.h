// Functions of which an integral may be a linear combination. integrals.h looks for coefficients by
// linear algebra; the functions are monomials in what stands in the constraints, stage by stage.
#ifndef HAMEL_ANALYSE_ANSATZ_H
#define HAMEL_ANALYSE_ANSATZ_H

#include "analyse/directions.h"

enum { ANSATZ_STAGES = 4, MOST_COLUMNS = 160 };

// What the functions are made of.
typedef struct {
    expr value;
    uint32_t highest; // power in a monomial; 1 for the cosine of a pair, since cos^2 = 1 - sin^2
} atom;

typedef struct {
    const directions *d;
    // moving symbols and functions of them that appear in the fields: monomials are made of these
    atom *polynomial;
    uint32_t polynomials;
    // Functions that enter linearly only: coordinates that appear in no coefficient, and T(q)*q_i
    // for each term T dq_i of a form, which makes f = sum of T q_i out of a closed homogeneous form
    expr *linear;
    uint32_t linears;
    // 1/b, log(b), atan for denominators b, exp(-u) for exp(u): at most one in a function
    expr *rare;
    uint32_t rares;
} ansatz;

ansatz ansatz_create(const directions *d, uint32_t forms, const expr *form);

// The functions of a stage: monomials of degree stage + 1 or less, simplest first. Returns how
// many; 0 if there are too many monomials.
uint32_t ansatz_columns(const ansatz *a, uint32_t stage, expr *column);

#endif
