// Ticks a person would choose.
#include "report/ticks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SLACK = 1e-9; // of a step: an end of the range that is a tick but for rounding
enum { FEWEST_WANTED = 4, PLAIN_DIGITS = 4, SMALLEST_PLAIN = -3, OFFSET_DIGITS = 4 };

double ticks_value(int64_t number, int exponent) {
    return exponent < 0 ? (double)number / pow(10, -exponent) : (double)number * pow(10, exponent);
}

static int reasonable(int wanted) {
    return wanted < FEWEST_WANTED    ? FEWEST_WANTED
           : wanted > TICKS_MOST - 1 ? TICKS_MOST - 1
                                     : wanted;
}

// --- linear --------------------------------------------------------------------------------------

typedef struct {
    int mantissa, exponent;
} step;

static double step_size(step s) { return ticks_value(s.mantissa, s.exponent); }

// The smallest step that is no smaller than `size`.
static step step_above(double size) {
    step s = {1, (int)floor(log10(size))};
    static const int mantissas[] = {1, 2, 5, 10};
    for (int i = 0; i < 4 && step_size(s) < size * (1 - SLACK); i++) s.mantissa = mantissas[i];
    return s.mantissa == 10 ? (step){1, s.exponent + 1} : s;
}

static step step_below(step s) {
    return s.mantissa == 1 ? (step){5, s.exponent - 1}
                           : (step){s.mantissa == 5 ? 2 : 1, s.exponent};
}

static int64_t first_multiple(double low, double size) { return (int64_t)ceil(low / size - SLACK); }
static int64_t last_multiple(double high, double size) {
    return (int64_t)floor(high / size + SLACK);
}

// Steps of 1 are cut in five, of 2 in four, of 5 in five.
static void add_minor(ticks *t, double low, double high) {
    const step s = {t->mantissa == 2 ? 5 : 2, t->exponent - 1};
    const step fine = t->mantissa == 5 ? (step){1, t->exponent} : s;
    const double size = step_size(fine);
    const int64_t per_major = t->mantissa == 2 ? 4 : 5;
    for (int64_t n = first_multiple(low, size); n <= last_multiple(high, size); n++)
        if (n % per_major && t->minor_count < TICKS_MOST_MINOR)
            t->minor[t->minor_count++] = ticks_value(n * fine.mantissa, fine.exponent);
}

static int digits_of(int64_t n) {
    int digits = 1;
    for (n = llabs(n); n >= 10; n /= 10) digits++;
    return digits;
}

static int64_t largest_number(const ticks *t) {
    int64_t largest = 0;
    for (int i = 0; i < t->count; i++)
        if (llabs(t->number[i] - t->offset) > largest) largest = llabs(t->number[i] - t->offset);
    return largest;
}

// The multiple of `round` that is nearest to n.
static int64_t nearest_multiple(int64_t n, int64_t round) {
    return (n + (n < 0 ? -round : round) / 2) / round * round;
}

static bool lies_among(const ticks *t, int64_t n) {
    return n >= t->number[0] && n <= t->number[t->count - 1];
}

// Labels of more than OFFSET_DIGITS digits before those that change count from the roundest number
// among them: the multiple of the highest power of ten, in their middle if there are several.
static void choose_offset(ticks *t) {
    const int64_t spread = t->number[t->count - 1] - t->number[0],
                  middle = t->number[0] + spread / 2, largest = largest_number(t);
    if (digits_of(largest) <= digits_of(spread) + OFFSET_DIGITS) return;
    t->offset = middle;
    for (int64_t round = 1; round <= largest; round *= 10)
        if (lies_among(t, nearest_multiple(middle, round)))
            t->offset = nearest_multiple(middle, round);
}

// 10000 and more, and 0.0001 and less, are written as a few digits times a power of ten that stands
// once, at the end of the axis.
static void choose_shared(ticks *t) {
    const int64_t largest = largest_number(t);
    const int leading = digits_of(largest) - 1 + t->exponent;
    if (largest && (leading >= PLAIN_DIGITS || leading < SMALLEST_PLAIN)) t->shared = leading;
}

static int64_t count_of(step s, double low, double high) {
    return last_multiple(high, step_size(s)) - first_multiple(low, step_size(s)) + 1;
}

// Of the step that gives too few ticks and the one that gives too many, the one that misses by
// less.
static step choose_step(double low, double high, int wanted) {
    const step s = step_above((high - low) / wanted), finer = step_below(s);
    const int64_t few = count_of(s, low, high), many = count_of(finer, low, high);
    return many <= TICKS_MOST && many - wanted < wanted - few ? finer : s;
}

ticks ticks_linear(double low, double high, int wanted) {
    ticks t = {0};
    const step s = choose_step(low, high, reasonable(wanted));
    t.mantissa = s.mantissa, t.exponent = s.exponent;
    const double size = step_size(s);
    for (int64_t n = first_multiple(low, size);
         n <= last_multiple(high, size) && t.count < TICKS_MOST; n++) {
        t.number[t.count] = n * s.mantissa;
        t.value[t.count] = ticks_value(t.number[t.count], s.exponent);
        t.count++;
    }
    choose_offset(&t);
    choose_shared(&t);
    add_minor(&t, low, high);
    return t;
}

// --- logarithmic ---------------------------------------------------------------------------------

// Every decade, or every second, fifth, tenth .. of them, two at least.
static int64_t stride_of(int decades, int wanted) {
    if (decades <= wanted) return 1;
    const step s = step_above((double)decades / wanted);
    return (int64_t)step_size(decades < 2 * step_size(s) ? step_below(s) : s);
}

static void add_power(ticks *t, int power, bool labelled) {
    if (labelled && t->count < TICKS_MOST)
        t->number[t->count] = power, t->value[t->count++] = ticks_value(1, power);
    else if (t->minor_count < TICKS_MOST_MINOR) t->minor[t->minor_count++] = ticks_value(1, power);
}

// Between neighbouring decades, 2, 3 .. 9 times the lower.
ticks ticks_log(double low, double high, int wanted) {
    ticks t = {.log = true};
    const int first = (int)ceil(log10(low) - SLACK), last = (int)floor(log10(high) + SLACK);
    const int64_t stride = stride_of(last - first, reasonable(wanted));
    for (int p = first; p <= last; p++) {
        add_power(&t, p, p % stride == 0);
        for (int k = 2; stride == 1 && p < last && k < 10; k++)
            t.minor[t.minor_count++] = ticks_value(k, p);
    }
    return t;
}

// --- labels --------------------------------------------------------------------------------------

// number * 10^exponent in digits, -exponent of them behind the point.
static void write_decimal(int64_t number, int exponent, text *out) {
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRId64, (int64_t)llabs(number));
    const int count = (int)strlen(digits), decimals = exponent < 0 ? -exponent : 0;
    if (number < 0) text_char(out, '-');
    if (count > decimals) text_append_n(out, digits, (size_t)(count - decimals));
    else text_char(out, '0');
    if (number) text_repeat(out, '0', exponent > 0 ? (size_t)exponent : 0);
    if (!decimals) return;
    text_char(out, '.');
    if (count < decimals) text_repeat(out, '0', (size_t)(decimals - count));
    text_append(out, digits + (count > decimals ? count - decimals : 0));
}

void ticks_label(const ticks *t, int i, text *out) {
    if (t->log) text_format(out, "1e%" PRId64, t->number[i]);
    else write_decimal(t->number[i] - t->offset, t->exponent - t->shared, out);
}

void ticks_offset(const ticks *t, text *out) {
    int64_t number = t->offset;
    int exponent = t->exponent;
    if (!number) return;
    while (number % 10 == 0 && exponent < 0) number /= 10, exponent++;
    const int leading = digits_of(number) - 1 + exponent;
    const bool plain =
        leading >= SMALLEST_PLAIN - OFFSET_DIGITS && leading < PLAIN_DIGITS + OFFSET_DIGITS;
    while (!plain && number % 10 == 0) number /= 10, exponent++;
    write_decimal(number, plain ? exponent : exponent - leading, out);
    if (!plain) text_format(out, "e%d", leading);
}
