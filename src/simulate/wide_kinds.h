// One file a precision.
#ifndef HAMEL_SIMULATE_WIDE_KINDS_H
#define HAMEL_SIMULATE_WIDE_KINDS_H

#include "simulate/wide.h"

wide *wide_create_long(const run *r);
wide *wide_create_quad(const run *r);

#endif
