// Taylor arithmetic in double with fused products; built for a processor that has them.
#include "execute/jets.h"

#include "execute/scalar_fused.h"

#define LINKAGE
#include "execute/jets_template.h"
