// Taylor coefficients by interpretation: along the solution of z' = f(z, t), or of functions along
// a given curve z(t). Create one for the tape of the rates, ask for coefficients at (t, z) up to an
// order, free it; taylor steps with them.
#ifndef HAMEL_EXECUTE_JETS_H
#define HAMEL_EXECUTE_JETS_H

#include "codegen/jet_plan.h"
#include "execute/quad.h"

// In double; with _long behind every name in long double, with _quad in quadruple precision.
#define JETS(SCALAR, NAME)                                                                         \
    typedef struct NAME(jets) NAME(jets);                                                          \
    SCALAR NAME(number_of)(expansion e); /* to the precision of the scalar */                      \
    /* `is_solution`: the outputs of the tape are the rates of its states. */                      \
    NAME(jets) *                                                                                   \
        NAME(jets_create)(const tape *t, bool is_solution, const SCALAR *parameter_value);         \
    void NAME(jets_free)(NAME(jets) * j);                                                          \
    /* Coefficients 0 .. order of the solution through (t, z): out[k * state_count + i]. */        \
    /* False where one is not a finite number. */                                                  \
    bool NAME(jets_of_solution)(NAME(jets) * j, SCALAR t, const SCALAR *z, uint32_t order,         \
                                SCALAR *out);                                                      \
    /* Coefficients of the outputs along the curve curve[k * state_count + i]: */                  \
    /* out[k * output_count + i] */                                                                \
    bool NAME(jets_along)(NAME(jets) * j, SCALAR t, const SCALAR *curve, uint32_t order,           \
                          SCALAR *out);

#define JETS_PLAIN(x) x
#define JETS_LONG(x) x##_long
#define JETS_QUAD(x) x##_quad
JETS(double, JETS_PLAIN)
JETS(long double, JETS_LONG)
#ifdef HAMEL_QUAD
JETS(quad, JETS_QUAD)
#endif

// In long double with the parameters as doubles have them, beside what is computed in double
jets_long *jets_create_long_beside(const tape *t, bool is_solution, const double *parameter_value);

#endif
