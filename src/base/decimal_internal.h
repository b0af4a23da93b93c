// Powers of ten with 128 bits, for the writer and the reader of decimals. Neither needs more than
// one product of 64 by 128 bits; the table is made by tools/powers-of-ten.
#ifndef HAMEL_BASE_DECIMAL_INTERNAL_H
#define HAMEL_BASE_DECIMAL_INTERNAL_H

#include <stdint.h>

__extension__ typedef unsigned __int128 uint128;

enum { LEAST_POWER = -342, MOST_POWER = 324 };

// (g - 1) 2^(power_of_ten_exponent(k) - 127) < 10^k <= g 2^(power_of_ten_exponent(k) - 127),
// g = high 2^64 + low
typedef struct {
    uint64_t high, low;
} power_of_ten;

extern const power_of_ten decimal_power[MOST_POWER - LEAST_POWER + 1]; // entry k - LEAST_POWER

// floor(log2 10^k), for |k| <= 1233; log2 10 = 1741647 / 2^19 to that accuracy
static inline int power_of_ten_exponent(int k) { return (k * 1741647) >> 19; }

#endif
