// What the templates are made for: quadruple precision, IEEE binary128, where compiler and C
// library have it (CMake looks, and defines HAMEL_QUAD). One of these headers stands before each
// template; the names in them are the same. Not every compiler sees the declarations of glibc, so
// they stand here again.
#include <stddef.h>

typedef __float128 quad;

quad sqrtf128(quad), sinf128(quad), cosf128(quad), tanf128(quad), asinf128(quad), acosf128(quad),
    atanf128(quad), sinhf128(quad), coshf128(quad), tanhf128(quad), expf128(quad), logf128(quad),
    fabsf128(quad), floorf128(quad), powf128(quad, quad), atan2f128(quad, quad);
int strfromf128(char *digits, size_t size, const char *format, quad value);
quad strtof128(const char *digits, char **end);

#define SCALAR quad
#define NAME(x) x##_quad
#define JETS(verb) jets_quad_##verb
#define LIBRARY(x) x##f128
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
