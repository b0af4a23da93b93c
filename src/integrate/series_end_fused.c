// The end of a step of Taylor's method with fused products; built for a processor that has them.
#ifdef __AVX2__
#include <immintrin.h>
#define MULTIPLY_ADD(a, b, c) ((four)_mm256_fmadd_pd(a, b, c))
#else
#include <math.h>
#define FUSED(a, b, c, i) fma((a)[i], (b)[i], (c)[i])
#define MULTIPLY_ADD(a, b, c)                                                                      \
    ((four){FUSED(a, b, c, 0), FUSED(a, b, c, 1), FUSED(a, b, c, 2), FUSED(a, b, c, 3)})
#endif
#define PRODUCT_REST(a, b, p) MULTIPLY_ADD(a, b, -(p))
#define SERIES_END series_end_fused
#include "integrate/series_end_template.h"
