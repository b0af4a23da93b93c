// Taylor coefficients by interpretation: along the solution of z' = f(z, t), or of functions along a given curve z(t).
#ifndef HAMEL_SIMULATE_JETS_H
#define HAMEL_SIMULATE_JETS_H

#include "codegen/jet_plan.h"

typedef struct jets jets;

// `is_solution`: the outputs of the tape are the rates of its states.
jets *jets_create(const tape *t, bool is_solution, const double *parameter_value);
void jets_free(jets *j);

// Coefficients 0 .. order of the solution through (t, z): out[k * state_count + i]. False where one is not a finite number.
bool jets_of_solution(jets *j, double t, const double *z, uint32_t order, double *out);
// Coefficients of the outputs along the curve with the coefficients curve[k * state_count + i]: out[k * output_count + i].
bool jets_along(jets *j, double t, const double *curve, uint32_t order, double *out);

#endif
