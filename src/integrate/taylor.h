// What Taylor's method has in common in all precisions. Order and step follow from the tolerance.
#ifndef HAMEL_INTEGRATE_TAYLOR_H
#define HAMEL_INTEGRATE_TAYLOR_H

#include "execute/field.h"

struct curve;

typedef struct {
    uint32_t order;
    double reach; // log of the step over the radius of convergence
} taylor_plan;

// Jorba and Zou 2005, 3.1: the order at which a step of e^-2 times the radius of convergence meets
// the tolerance, with the least work where all of it is sums of products
taylor_plan taylor_usual(double tolerance, uint32_t most);
enum { TAYLOR_MOST_ORDER = 30 };

// After so many steps that were longer than one can see at once a run goes by steps of that order.
enum { TAYLOR_MOST_HARD = 4 };
// Do the slopes of a series, the curve, fit the rates at places up to h after its beginning? Asked
// where ranges could not exclude everything.
bool taylor_continues_inside(field *f, const struct curve *path, double h, double tolerance);
// The state at `t` from the coefficients c[k * n + i] at `from`; one number behind them is read
void taylor_values(uint32_t n, uint32_t order, const double *c, double from, double t, double *z);

#endif
