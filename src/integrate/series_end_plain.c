// The end of a step of Taylor's method for any processor.
#include <math.h>

#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#define REST_OF(a, b, p, i) fma((a)[i], (b)[i], -(p)[i])
#define PRODUCT_REST(a, b, p)                                                                      \
    ((four){REST_OF(a, b, p, 0), REST_OF(a, b, p, 1), REST_OF(a, b, p, 2), REST_OF(a, b, p, 3)})
#define SERIES_END series_end_plain
#include "integrate/series_end_template.h"
