// Taylor coefficients of columns in double.
#define NAME(x) x
#include "execute/column_series_template.h"
