// Ticks a person would choose: multiples of 1, 2 or 5 times a power of ten (Heckbert, "Nice numbers
// for graph labels", 1990), or powers of ten. They are kept as whole numbers, so that labels are
// exact; labels that would all read the same are counted from an offset.
#ifndef HAMEL_REPORT_TICKS_H
#define HAMEL_REPORT_TICKS_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum { TICKS_LEAST = 2, TICKS_MOST = 10, TICKS_MOST_MINOR = 400 };

typedef struct {
    bool log;
    int count; // with a label
    double value[TICKS_MOST];
    // linear: value = number * 10^exponent, exactly; log: value = 10^number
    int64_t number[TICKS_MOST];
    int mantissa, exponent; // linear: the step is mantissa * 10^exponent, mantissa 1, 2 or 5
    int shared;             // linear: labels are in units of 10^shared
    int64_t offset;         // linear: and count from offset * 10^exponent
    int minor_count;
    double minor[TICKS_MOST_MINOR]; // without a label
} ticks;

// Ticks inside low..high (low < high), about `wanted` of them. On a logarithmic axis 0 < low, and
// at least two powers of ten lie inside.
ticks ticks_linear(double low, double high, int wanted);
ticks ticks_log(double low, double high, int wanted);

void ticks_label(const ticks *t, int i, text *out); // "-0.5", "1e-3"
void ticks_offset(const ticks *t, text *out);       // what labels count from: "0.60125"; "" for 0
// number * 10^exponent, rounded once where 10^|exponent| is exact
double ticks_value(int64_t number, int exponent);

#endif
