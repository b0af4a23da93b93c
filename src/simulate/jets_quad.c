// Taylor arithmetic in quadruple precision.
#include "simulate/jets.h"

#ifdef HAMEL_QUAD

#include "simulate/scalar_quad.h"

#include "simulate/jets_template.h"

#endif
