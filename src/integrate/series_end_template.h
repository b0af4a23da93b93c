// The end of a step four components at a time. Included with
//   MULTIPLY_ADD(a, b, c)   a * b + c for vectors
//   PRODUCT_REST(a, b, p)   what rounding left out of p = a * b
//   SERIES_END              the name of the table
// What is read beyond the last component belongs to something else: nobody looks at the result.
#include "integrate/series_end.h"

#include <string.h>

typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t four_bits __attribute__((vector_size(32), aligned(8), may_alias));

#define AT(p) (*(const four *)(p))
#define PUT(p, value) (*(four *)(p) = (value))
#define ALL(x) ((four){x, x, x, x})
#define SIZE(x) ((four)((four_bits)(x)&INT64_MAX))
#define LARGER(a, b) CHOICE((a) > (b), a, b)
#define CHOICE(which, a, b)                                                                        \
    ((four)(((four_bits)(which) & (four_bits)(a)) | (~(four_bits)(which) & (four_bits)(b))))

// Lanes below `count`, from 1 on
static const int64_t LANES[2 * SERIES_END_WIDTH] = {-1, -1, -1, -1, 0, 0, 0, 0};
#define BELOW(count)                                                                               \
    (*(const four_bits *)(LANES + SERIES_END_WIDTH -                                               \
                          ((count) < SERIES_END_WIDTH ? (count) : SERIES_END_WIDTH)))

static double largest(const double *v) {
    const double a = v[0] > v[1] ? v[0] : v[1], b = v[2] > v[3] ? v[2] : v[3];
    return a > b ? a : b;
}

static void norms(uint32_t count, uint32_t n, const double *c, uint32_t k, double *before,
                  double *last) {
    const double *c1 = c + (size_t)k * n, *c0 = c1 - n;
    four most0 = ALL(0), most1 = ALL(0);
    double lanes[SERIES_END_WIDTH];
    for (uint32_t i = 0; i < count; i += SERIES_END_WIDTH) {
        const four z = SIZE(AT(c + i)), scale = LARGER(z, ALL(1)),
                   a = (four)((four_bits)(SIZE(AT(c0 + i)) / scale) & BELOW(count - i)),
                   b = (four)((four_bits)(SIZE(AT(c1 + i)) / scale) & BELOW(count - i));
        most0 = LARGER(a, most0), most1 = LARGER(b, most1);
    }
    PUT(lanes, most0), *before = largest(lanes);
    PUT(lanes, most1), *last = largest(lanes);
}

// Of four series from c_2 on: q = c_2 + c_3 s + .. and its derivative, even and odd powers apart,
// q = e(s^2) + s o(s^2), q' = o + 2 s (e' + s o'), so that neither waits for the other. With it
//   z = z_0 + h (c_1 + s q)   in pairs of doubles: what each sum and product leaves out is kept
//   z' = c_1 + 2 s q + s^2 q'
static void advance(uint32_t n, uint32_t order, const double *c, const double *low, double h,
                    double h_low, double *z1, double *low1, double *slope) {
    const four s = ALL(h), s_low = ALL(h_low), square = s * s;
    for (uint32_t i = 0; i < n; i += SERIES_END_WIDTH) {
        const double *from = c + (size_t)2 * n + i, *at = c + (size_t)order * n + i;
        four even = ALL(0), odd = ALL(0), even_slope = ALL(0), odd_slope = ALL(0);
        if (order >= 2 && order % 2 == 0) even = AT(at), at -= n;
        for (; at > from; at -= 2 * (size_t)n) {
            odd_slope = MULTIPLY_ADD(odd_slope, square, odd);
            odd = MULTIPLY_ADD(odd, square, AT(at));
            even_slope = MULTIPLY_ADD(even_slope, square, even);
            even = MULTIPLY_ADD(even, square, AT(at - n));
        }
        const four z = AT(c + i), c1 = AT(c + n + i), q = MULTIPLY_ADD(s, odd, even),
                   dq = MULTIPLY_ADD(s + s, MULTIPLY_ADD(s, odd_slope, even_slope), odd),
                   rest = s * q;
        // c_1 + s q = mean + mean_low, h of it = way + way_low, and z + way = end + end_low
        const four mean = c1 + rest, part = mean - c1,
                   mean_low = (c1 - (mean - part)) + (rest - part), way = s * mean,
                   way_low = MULTIPLY_ADD(s_low, mean,
                                          MULTIPLY_ADD(s, mean_low, PRODUCT_REST(s, mean, way)));
        const four end = z + way, step = end - z, end_low = (z - (end - step)) + (way - step),
                   beyond = end_low + (AT(low + i) + way_low), sum = end + beyond;
        PUT(z1 + i, sum);
        PUT(low1 + i, beyond - (sum - end));
        PUT(slope + i, MULTIPLY_ADD(s, MULTIPLY_ADD(s, dq, q), mean));
    }
}

static bool continues(uint32_t n, double h, double part, const double *slope, const double *f0,
                      const double *f1, const double *z1) {
    four_bits good = {-1, -1, -1, -1};
    const four step = ALL(h);
    for (uint32_t i = 0; i < n; i += SERIES_END_WIDTH) {
        const four f = AT(f1 + i), gap = step * SIZE(AT(slope + i) - f),
                   size = ALL(1) + SIZE(AT(z1 + i)) + step * (SIZE(f) + SIZE(AT(f0 + i)));
        good &= (four_bits)(gap <= ALL(part) * size) | ~BELOW(n - i);
    }
    return (good[0] & good[1] & good[2] & good[3]) != 0;
}

const series_end SERIES_END = {norms, advance, continues};
