// What Taylor's method has in common in all precisions. Order and step follow from the tolerance.
#ifndef HAMEL_INTEGRATE_TAYLOR_H
#define HAMEL_INTEGRATE_TAYLOR_H

#include <stdint.h>

// Jorba and Zou 2005, 3.1: the order at which a step of e^-2 times the radius of convergence meets
// the tolerance, with the least work
uint32_t taylor_order(double tolerance, uint32_t most);

#endif
