// Dimensions: exponents of length, mass, time, current and temperature, as fractions; the table of
// units (units.def); and what a dimension is called. Angles are pure numbers. Arithmetic on
// exponents says where it leaves the range in which it is exact; nothing is rounded.
#ifndef HAMEL_MODEL_DIMENSION_H
#define HAMEL_MODEL_DIMENSION_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum {
    BASE_LENGTH,
    BASE_MASS,
    BASE_TIME,
    BASE_CURRENT,
    BASE_TEMPERATURE,
    DIMENSION_BASES
} dimension_base;

// Exponents are whole numbers of 1/DIMENSION_WHOLE, which every number up to 12 divides.
enum { DIMENSION_WHOLE = 27720, DIMENSION_LARGEST = 1000 * DIMENSION_WHOLE };

typedef int32_t exponent;

typedef struct {
    exponent of[DIMENSION_BASES];
} dimension;

dimension dimension_make(int length, int mass, int time); // whole exponents
bool dimension_equal(const dimension *a, const dimension *b);
static inline bool dimension_is_none(const dimension *d) {
    return dimension_equal(d, &(dimension){0});
}

// up/down in units of 1/DIMENSION_WHOLE; false where it is none of them, or too large
bool exponent_make(int64_t up, int64_t down, exponent *out);
bool exponent_times(exponent a, exponent b, exponent *out);
bool exponent_over(exponent a, exponent b, exponent *out); // b != 0
// "2", "-1", "(1/2)"
const char *exponent_text(arena *a, exponent e);

// *d *= other^times; false, with *d as it was, where an exponent cannot be kept
bool dimension_multiply(dimension *d, const dimension *other, exponent times);

const char *dimension_unit(arena *a, const dimension *d);  // "m/s^2"; "1" for a pure number
const char *dimension_words(arena *a, const dimension *d); // "an acceleration [m/s^2]"

// --- the table of units --------------------------------------------------------------------------

typedef struct { // up/down * pi^pi of the SI units with the dimension
    dimension dimension;
    int64_t up, down;
    int pi;
} unit_size;

bool unit_find(const char *name, unit_size *out); // "kg", "mm"; false: there is none
const char *unit_nearest(const char *name);       // NULL if nothing is near

#endif
