// Taylor coefficients of columns with fused products; built for a processor that has them.
#define NAME(x) x##_fused
#include "execute/column_series_template.h"
