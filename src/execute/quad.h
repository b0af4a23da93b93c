// Quadruple precision, IEEE binary128, where compiler and C library have it (CMake looks, and
// defines HAMEL_QUAD). Not every compiler sees the declarations of glibc, so they stand here again.
#ifndef HAMEL_EXECUTE_QUAD_H
#define HAMEL_EXECUTE_QUAD_H

#ifdef HAMEL_QUAD

#include <stddef.h>

typedef __float128 quad;

quad sqrtf128(quad), sinf128(quad), cosf128(quad), tanf128(quad), asinf128(quad), acosf128(quad),
    atanf128(quad), sinhf128(quad), coshf128(quad), tanhf128(quad), expf128(quad), logf128(quad),
    fabsf128(quad), floorf128(quad), powf128(quad, quad), atan2f128(quad, quad);
int strfromf128(char *digits, size_t size, const char *format, quad value);
quad strtof128(const char *digits, char **end);

#endif
#endif
