// Runs in quadruple precision.
#include "integrate/extended.h"

#ifdef HAMEL_QUAD

#include "execute/scalar_quad.h"

#define LINKAGE static
#define JETS_ALONG
typedef struct jets_quad jets_quad;
#include "execute/jets_template.h"

static const double ROUNDING = 45 * 0x1p-112;

#include "integrate/extended_template.h"

// 33 digits where they name the number, as in 0.05, else the 36 that always do.
static void put_number(quad value, text *out) {
    char digits[64];
    strfromf128(digits, sizeof digits, "%.33g", value);
    if (strtof128(digits, NULL) != value) strfromf128(digits, sizeof digits, "%.36g", value);
    text_append(out, digits);
}

#else

extended *extended_create_quad(const integration *in) {
    (void)in;
    return NULL;
}

#endif
