// What the templates are made for: quadruple precision.
#include "execute/quad.h"

#define SCALAR quad
#define NAME(x) x##_quad
#define LIBRARY(x) x##f128
