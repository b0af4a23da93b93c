// What Taylor's method has in common in all precisions. Order and step follow from the tolerance.
#ifndef HAMEL_INTEGRATE_TAYLOR_H
#define HAMEL_INTEGRATE_TAYLOR_H

#include <stdint.h>

typedef struct {
    uint32_t order;
    double reach; // log of the step over the radius of convergence
} taylor_plan;

// Jorba and Zou 2005, 3.1: the order at which a step of e^-2 times the radius of convergence meets
// the tolerance, with the least work where all of it is sums of products
taylor_plan taylor_usual(double tolerance, uint32_t most);

#endif
