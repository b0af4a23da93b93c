// A double from decimal digits. The first 19 digits make a 64-bit integer w; w 10^k is computed to
// 128 bits with bounds below and above, and where both round to the same double that is the answer
// (about 999 of 1000 numbers). The C library, in the C locale, reads the others: ties, subnormal
// numbers, numbers out of range, hexadecimal ones, inf and nan.
#include "base/decimal.h"

#include "base/c_locale.h"
#include "base/decimal_internal.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_DIGITS = 19 };
static const int64_t FAR = INT64_C(1000000000000000); // more digits than a text can have

typedef struct {
    uint64_t digits;  // w
    int64_t exponent; // k
    bool cut;         // there were more digits: the number is between w 10^k and (w + 1) 10^k
} scanned;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void take_digit(scanned *n, int *taken, char c, bool is_fraction) {
    if (*taken < MOST_DIGITS) {
        n->digits = 10 * n->digits + (uint64_t)(c - '0');
        *taken += n->digits > 0; // zeros in front do not count
        n->exponent -= is_fraction;
    } else {
        n->cut = n->cut || c != '0';
        n->exponent += !is_fraction;
    }
}

// "e-12" at *at; an exponent without digits is none.
static int64_t scan_exponent(const char **at) {
    const char *c = *at;
    if (*c != 'e' && *c != 'E') return 0;
    const bool negative = *++c == '-';
    if (*c == '-' || *c == '+') c++;
    if (!is_digit(*c)) return 0;
    int64_t exponent = 0;
    for (; is_digit(*c); c++)
        if (exponent < FAR) exponent = 10 * exponent + (*c - '0');
    *at = c;
    return negative ? -exponent : exponent;
}

// digits [. digits] [e exponent]; NULL if there are no digits
static const char *scan(const char *at, scanned *n) {
    int taken = 0;
    bool any = false;
    for (; is_digit(*at); at++) take_digit(n, &taken, *at, false), any = true;
    if (*at == '.')
        for (at++; is_digit(*at); at++) take_digit(n, &taken, *at, true), any = true;
    if (!any) return NULL;
    n->exponent += scan_exponent(&at);
    return at;
}

static uint128 rounded(uint128 x, int shift) { return (x + ((uint128)1 << (shift - 1))) >> shift; }

static int leading_zeros(uint64_t x) { return __builtin_clzll(x); }

// False where the bounds do not decide, or the double is not a normal one.
static bool convert(const scanned *n, double *out) {
    if (!n->digits) return *out = 0, !n->cut;
    if (n->exponent < LEAST_POWER || n->exponent > MOST_POWER) return false;
    const int k = (int)n->exponent, zeros = leading_zeros(n->digits);
    const uint64_t w = n->digits << zeros;
    const power_of_ten g = decimal_power[k - LEAST_POWER];
    // w g / 2^64 - 2 < 2^-e w 10^k < w g / 2^64 + 2
    const uint128 product = (uint128)g.high * w + (uint64_t)(((uint128)g.low * w) >> 64);
    const int e = power_of_ten_exponent(k) - 127 + 64 - zeros;
    const uint128 lower = product - 2;
    uint128 upper = product + 2;
    if (n->cut) upper += ((uint128)g.high + 1) << zeros; // (w + 1) 10^k; zeros <= 4
    if (upper < lower) return false;
    const int shift = 127 - leading_zeros((uint64_t)(lower >> 64)) - 52; // 53 bits are left
    const uint128 digits = rounded(lower, shift);
    if (digits != rounded(upper, shift)) return false;
    if (e + shift + 52 < -1022 || e + shift + 53 > 1023) return false;
    *out = ldexp((double)digits, e + shift);
    return true;
}

double decimal_read(const char *from, const char **end) {
    const bool negative = *from == '-';
    const char *digits = from + (negative || *from == '+');
    const bool is_hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    scanned n = {0};
    double value;
    *end = is_hexadecimal ? NULL : scan(digits, &n);
    if (*end && convert(&n, &value)) return negative ? -value : value;
    const locale_t before = c_locale_enter();
    value = strtod(from, (char **)end);
    c_locale_leave(before);
    return value;
}
