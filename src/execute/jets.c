// Taylor arithmetic in double.
#include "execute/jets.h"

#include "execute/scalar_double.h"

#define LINKAGE
#include "execute/jets_template.h"
