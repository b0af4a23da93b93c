// The shortest decimal of a double, by Schubfach (R. Giulietti, The Schubfach way to render
// doubles, 2020). The doubles next to v leave it the interval of all numbers that round to v. There
// is one power of ten 10^k that has at least two multiples in it while 10^(k+1) has at most one:
// the answer is that one, or else the multiple of 10^k nearest to v.
#include "base/decimal.h"

#include "base/decimal_internal.h"

#include <math.h>
#include <string.h>

const power_of_ten decimal_power[MOST_POWER - LEAST_POWER + 1] = {
#define X(high, low) {high, low},
#include "base/powers_of_ten.def"
#undef X
};

// digits 10^exponent
typedef struct {
    uint64_t digits;
    int exponent;
} decimal;

enum { FRACTION_BITS = 52, BIAS = 1075 }; // v = c 2^q with integers c, q = exponent - BIAS

// floor(x g / 2^128), with its last bit set where that is no integer: enough to compare and round.
static uint64_t round_to_odd(power_of_ten g, uint64_t x) {
    const uint128 low = (uint128)g.low * x;
    const uint128 sum = (uint128)g.high * x + (uint64_t)(low >> 64);
    return (uint64_t)(sum >> 64) | ((uint64_t)sum > 1);
}

// c 2^q where `closer` says that the double below is only half as far away as the one above.
static decimal shortest(uint64_t c, int q, bool closer) {
    const bool open = c % 2; // a bound rounds to the even neighbour
    const int k = (q * 1262611 - (closer ? 524031 : 0)) >> 22; // floor(log10 2^q), of 3/4 2^q
    const int h = q + power_of_ten_exponent(-k) + 1;
    const power_of_ten g = decimal_power[-k - LEAST_POWER];
    // 4 v 10^-k, and 4 times the bounds: v and half way to the doubles below and above it
    const uint64_t lower = round_to_odd(g, (4 * c - 2 + closer) << h) + open;
    const uint64_t middle = round_to_odd(g, (4 * c) << h);
    const uint64_t upper = round_to_odd(g, (4 * c + 2) << h) - open;
    const uint64_t s = middle / 4;
    if (s >= 10) { // the multiples of 10^(k+1) below and above v
        const uint64_t tens = s / 10;
        const bool below = lower <= 40 * tens, above = 40 * tens + 40 <= upper;
        if (below != above) return (decimal){tens + above, k + 1};
    }
    const bool below = lower <= 4 * s, above = 4 * s + 4 <= upper; // of 10^k
    if (below != above) return (decimal){s + above, k};
    const uint64_t half = 4 * s + 2;
    return (decimal){s + (middle > half || (middle == half && s % 2)), k};
}

static decimal without_zeros(decimal d) {
    while (d.digits && d.digits % 100000000 == 0) d.digits /= 100000000, d.exponent += 8;
    while (d.digits && d.digits % 10 == 0) d.digits /= 10, d.exponent++;
    return d;
}

// The shortest of a finite double, its sign left out.
static decimal shortest_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t fraction = bits & ((UINT64_C(1) << FRACTION_BITS) - 1);
    const int exponent = (int)(bits >> FRACTION_BITS & 0x7ff);
    if (!exponent && !fraction) return (decimal){0, 0};
    if (!exponent) return without_zeros(shortest(fraction, 1 - BIAS, false)); // subnormal
    const uint64_t c = fraction | UINT64_C(1) << FRACTION_BITS;
    const int q = exponent - BIAS;
    if (q <= 0 && q >= -FRACTION_BITS && !(c & ((UINT64_C(1) << -q) - 1)))
        return without_zeros((decimal){c >> -q, 0}); // an integer below 2^53
    return without_zeros(shortest(c, q, !fraction && exponent > 1));
}

// --- as text -------------------------------------------------------------------------------------

enum { MOST_DIGITS = 17 };

static char *put_string(char *to, const char *string) {
    const size_t length = strlen(string);
    memcpy(to, string, length);
    return to + length;
}

// The digits of a number from the first to the last, two at a time; how many there are.
static int put_digits(uint64_t number, char *to) {
    static const char pair[] = "0001020304050607080910111213141516171819"
                               "2021222324252627282930313233343536373839"
                               "4041424344454647484950515253545556575859"
                               "6061626364656667686970717273747576777879"
                               "8081828384858687888990919293949596979899";
    char digits[MOST_DIGITS + 3], *at = digits + sizeof digits;
    for (; number >= 100; number /= 100) at -= 2, memcpy(at, pair + number % 100 * 2, 2);
    if (number >= 10) at -= 2, memcpy(at, pair + number * 2, 2);
    else *--at = (char)('0' + number);
    const int count = (int)(digits + sizeof digits - at);
    memcpy(to, at, (size_t)count);
    return count;
}

// d.ddd e+XX; the exponent has two digits or more
static char *put_scientific(const char *digits, int count, int exponent, char *to) {
    *to++ = digits[0];
    if (count > 1) *to++ = '.', memcpy(to, digits + 1, (size_t)count - 1), to += count - 1;
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    if (exponent < 0) exponent = -exponent;
    if (exponent < 10) *to++ = '0';
    return to + put_digits((uint64_t)exponent, to);
}

// `before` digits stand before the point.
static char *put_fixed(const char *digits, int count, int before, char *to) {
    if (before <= 0) { // 0.00ddd
        to = put_string(to, "0.");
        memset(to, '0', (size_t)-before), to += -before;
        memcpy(to, digits, (size_t)count);
        return to + count;
    }
    const int whole = before < count ? before : count;
    memcpy(to, digits, (size_t)whole), to += whole;
    memset(to, '0', (size_t)(before - whole)), to += before - whole;
    if (count == whole) return to;
    *to++ = '.';
    memcpy(to, digits + whole, (size_t)(count - whole));
    return to + count - whole;
}

size_t decimal_write(double value, char *to) {
    char *at = to, digits[MOST_DIGITS + 3];
    if (signbit(value)) *at++ = '-';
    if (!isfinite(value)) {
        at = put_string(at, isnan(value) ? "nan" : "inf");
    } else {
        const decimal d = shortest_of(value);
        const int count = put_digits(d.digits, digits), before = count + d.exponent;
        at = before < -3 || before > 16 ? put_scientific(digits, count, before - 1, at)
                                        : put_fixed(digits, count, before, at);
    }
    *at = '\0';
    return (size_t)(at - to);
}
