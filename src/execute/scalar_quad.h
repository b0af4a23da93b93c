// What the templates are made for: quadruple precision. A template includes one of these first; the
// names in it are the same in all of them.
#include "execute/quad.h"

#define SCALAR quad
#define NAME(x) x##_quad
#define LIBRARY(x) x##f128
