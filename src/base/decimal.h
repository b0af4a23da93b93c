// Doubles in decimal, the same in every locale. decimal_write() is the one writer of numbers with
// all their digits (CSV, JSON, generated C): the shortest decimal that reads back as the same
// double, the nearest to it where several are as short. decimal_read() is the one reader. Numbers
// cut to a few digits for people go through text_format(): calls are in the C locale (api/call.h).
#ifndef HAMEL_BASE_DECIMAL_H
#define HAMEL_BASE_DECIMAL_H

#include "base/text.h"

#include <stddef.h>

// Without an exponent where 1e-4 <= |value| < 1e16, else as in 1.5e-07 and 1e+20; "inf", "nan".
enum { DECIMAL_SIZE = 32 };
size_t decimal_write(double value, char *to); // ends in NUL, which is not counted

static inline void decimal_append(double value, text *out) {
    char digits[DECIMAL_SIZE];
    const size_t length = decimal_write(value, digits);
    text_append_n(out, digits, length);
}

// As strtod() in the C locale: *end is where the number ends, `from` if there is none.
double decimal_read(const char *from, const char **end);

#endif
