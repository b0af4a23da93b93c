// Sums with sines and cosines taken out. assembly.c writes velocities of bodies in chains with it,
// where an expanded sum would repeat the turned axes of every body before.
#ifndef HAMEL_EQUATIONS_HORNER_H
#define HAMEL_EQUATIONS_HORNER_H

#include "expr/expr.h"

// A sum of products as f*(..) + rest with f the sine or cosine that most of the products
// hold, and both parts again: the components of a velocity along turned axes are then those
// along the axes before, once for all.
expr horner_take_out_angles(pool *p, expr sum);

#endif
