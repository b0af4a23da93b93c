// A number with all its digits, as the scalar of a template. Included after a scalar_*.h.
#include "expr/expansion.h"

static SCALAR number_of(expansion e) {
    SCALAR sum = 0;
    for (int i = EXPANSION_PARTS - 1; i >= 0; i--) sum += e.part[i];
    return sum;
}
