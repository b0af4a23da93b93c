// Explicit Runge-Kutta pairs with dense output: one engine, a table of numbers each
// (codegen/tableau.h). dop853.c and tsit5.c are tables with a descriptor that names
// runge_kutta_integrate() and the attempt of a step that runge_kutta_template.h makes of the table.
#ifndef HAMEL_INTEGRATE_RUNGE_KUTTA_H
#define HAMEL_INTEGRATE_RUNGE_KUTTA_H

#include "integrate/integrator.h"

// integrator.integrate of a method that has a tableau, and its integrator.foresee
run_status runge_kutta_integrate(integration *in);
bool runge_kutta_foresee(const integrator *method, integration *in, forecast *out);

// z + h sum_j weight_j k_j over the first `count` stages, in rows of tableau_row(n) numbers; `out`
// is not z
void runge_kutta_sum(uint32_t n, uint32_t count, const double *z, double h, const double *weight,
                     const double *k, double *out);

#endif
