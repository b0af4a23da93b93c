// The d with least |J d + F|^2 + damping |d|^2: a step of Levenberg and Marquardt, by Householder's
// reflections of [J; sqrt(damping) 1] in long double, so that no condition is squared. One call.
#ifndef HAMEL_STUDY_LEAST_SQUARES_H
#define HAMEL_STUDY_LEAST_SQUARES_H

#include <stdint.h>

// J rows x columns, row by row
void least_squares_step(uint32_t rows, uint32_t columns, const double *j, const double *f,
                        double damping, double *d);

#endif
