// Taylor coefficients by interpretation: along the solution of z' = f(z, t), or of functions along
// a given curve z(t). Create one for the tape of the rates, ask for coefficients at (t, z) up to an
// order, free it; taylor steps with them. In double, as the interpreter needs them, and in long
// double; extended_quad.c makes them in quadruple precision from the same template.
#ifndef HAMEL_EXECUTE_JETS_H
#define HAMEL_EXECUTE_JETS_H

#include "codegen/jet_plan.h"

typedef struct jets jets;
typedef struct jets_long jets_long;
typedef struct jets_fused jets_fused; // of what jets with `fused` are made

// `is_solution`: the outputs of the tape are the rates of its states.
// `fused`: sums of products round a * b + c once, as generated code does where processor_fuses().
jets *jets_create(const tape *t, bool is_solution, const double *parameter_value, bool fused);
jets_long *jets_long_create(const tape *t, bool is_solution, const long double *parameter_value);
// In long double with the parameters as doubles have them, beside what is computed in double
jets_long *jets_long_beside(const tape *t, bool is_solution, const double *parameter_value);
jets_fused *jets_fused_create(const tape *t, bool is_solution, const double *parameter_value);
void jets_free(jets *j);
void jets_fused_free(jets_fused *j);
void jets_long_free(jets_long *j);

// Coefficients 0 .. order of the solution through (t, z): out[k * state_count + i]. False where one
// is not a finite number.
bool jets_of_solution(jets *j, double t, const double *z, uint32_t order, double *out);
bool jets_fused_of_solution(jets_fused *j, double t, const double *z, uint32_t order, double *out);
bool jets_long_of_solution(jets_long *j, long double t, const long double *z, uint32_t order,
                           long double *out);
// Coefficients of the outputs along the curve curve[k * state_count + i]: out[k * output_count + i]
bool jets_long_along(jets_long *j, long double t, const long double *curve, uint32_t order,
                     long double *out);

#endif
