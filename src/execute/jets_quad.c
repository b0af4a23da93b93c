// Taylor arithmetic in quadruple precision.
#include "execute/jets.h"

#ifdef HAMEL_QUAD

#include "execute/scalar_quad.h"

#include "execute/jets_template.h"

#endif
