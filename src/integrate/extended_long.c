// Runs in long double.
#include "execute/scalar_long.h"

#include "execute/number_template.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

static const double ROUNDING = 45 * (double)LDBL_EPSILON;

#include "integrate/extended_template.h"

// 18 digits where they name the number, as in 0.05, else the 21 that always do.
static void put_number(long double value, text *out) {
    char digits[48];
    snprintf(digits, sizeof digits, "%.18Lg", value);
    if (strtold(digits, NULL) != value) snprintf(digits, sizeof digits, "%.21Lg", value);
    text_append(out, digits);
}
