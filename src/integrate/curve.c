// The solution over one step as polynomials.
#include "integrate/curve.h"

#include <string.h>

static void reserve(curve *c, size_t size) {
    if (size <= c->capacity) return;
    c->capacity = size;
    memory_grow(c->memory, size);
}

// A bound of z_i'' over the step: |z''| <= sum_k k (k - 1) |c_k| h^(k-2). Found when it is first
// asked for, which for most components is never.
static double bend_of(const curve *c, uint32_t i) {
    if (c->bend[i] >= 0) return c->bend[i];
    const double h = c->length, square = h * h, *a = c->c + i;
    double even = 0, odd = 0; // powers apart, so that neither waits for the other
    uint32_t k = c->order;
    if (k % 2 == 0 && k >= 2) even = (double)k * (k - 1) * fabs(a[(size_t)k * c->n]), k--;
    for (; k >= 3; k -= 2) {
        odd = odd * square + (double)k * (k - 1) * fabs(a[(size_t)k * c->n]);
        even = even * square + (double)(k - 1) * (k - 2) * fabs(a[(size_t)(k - 1) * c->n]);
    }
    return c->bend[i] = even + h * odd;
}

static void forget_bends(curve *c) {
    for (uint32_t i = 0; i < c->n; i++) c->bend[i] = -1;
}

void curve_of_series(curve *c, uint32_t n, uint32_t order, const double *coefficient, double from,
                     double length) {
    reserve(c, n + 1);
    c->n = n, c->order = order, c->from = from, c->length = length, c->c = coefficient,
    c->bend = c->memory;
    c->slack = 0, c->placed = 0;
    forget_bends(c);
}

void curve_keep(curve *c) {
    const size_t n = c->n, size = n * (c->order + 1);
    const double *given = c->c;
    reserve(c, size + n + 1);
    memcpy(c->memory + n, given, sizeof(double) * size);
    c->bend = c->memory, c->c = c->memory + n;
}

static double *begin(curve *c, uint32_t n, uint32_t order, double from, double length) {
    reserve(c, (size_t)n * (order + 2) + order + 2);
    if (c->n != n || c->order != order) c->placed = 0;
    c->n = n, c->order = order, c->from = from, c->length = length;
    c->bend = c->memory, c->c = c->memory + n;
    return c->memory + n;
}

void curve_of_ends(curve *c, uint32_t n, double from, double length, const double *z0,
                   const double *f0, const double *z1, const double *f1) {
    static const double SLACK = 0.25;
    double *a = begin(c, n, 3, from, length);
    for (uint32_t i = 0; i < n; i++) {
        const double gap = (z1[i] - z0[i]) / length;
        a[i] = z0[i], a[n + i] = f0[i];
        a[2 * n + i] = (3 * gap - 2 * f0[i] - f1[i]) / length;
        a[3 * n + i] = (f0[i] + f1[i] - 2 * gap) / (length * length);
    }
    c->slack = SLACK;
    forget_bends(c);
}

// Chebyshev's in [0, 1], found once for curves of the same size
static const double *places(curve *c) {
    const uint32_t order = c->order;
    double *place = c->memory + (size_t)c->n * (order + 2);
    if (c->placed == order && order) return place;
    for (uint32_t k = 0; k <= order; k++) place[k] = (1 - cos(M_PI * k / (order ? order : 1))) / 2;
    c->placed = order;
    return place;
}

// Newton's divided differences at Chebyshev's places, multiplied out in powers of s.
void curve_of_dense(curve *c, uint32_t n, uint32_t order, const dense *inside, double from,
                    double length) {
    double *a = begin(c, n, order, from, length);
    const double *place = places(c);
    for (uint32_t k = 0; k <= order; k++)
        inside->at(inside, from + place[k] * length, a + (size_t)k * n);
    for (uint32_t j = 1; j <= order; j++)
        for (uint32_t k = order; k >= j; k--)
            for (uint32_t i = 0; i < n; i++)
                a[(size_t)k * n + i] =
                    (a[(size_t)k * n + i] - a[(size_t)(k - 1) * n + i]) / (place[k] - place[k - j]);
    for (uint32_t j = order; j-- > 0;) // (..(a_p (x - x_(p-1)) + a_(p-1)) ..)
        for (uint32_t k = j; k < order; k++)
            for (uint32_t i = 0; i < n; i++)
                a[(size_t)k * n + i] -= place[j] * a[(size_t)(k + 1) * n + i];
    double scale = 1;
    for (uint32_t k = 0; k <= order; k++, scale /= length)
        for (uint32_t i = 0; i < n; i++) a[(size_t)k * n + i] *= scale;
    c->slack = 0;
    forget_bends(c);
}

void curve_free(curve *c) { memory_free(c->memory); }

// Even and odd powers apart, z = e(s^2) + s o(s^2), z' = o + 2 s (e' + s o')
static void value_and_slope(const curve *c, uint32_t i, double s, double *value, double *slope) {
    const double square = s * s, *a = c->c + i;
    double even = 0, odd = 0, even_slope = 0, odd_slope = 0;
    uint32_t k = c->order;
    if (k % 2 == 0) even = a[(size_t)k * c->n];
    for (k = (k + 1) / 2; k-- > 0;) { // powers 2 k + 1 and 2 k
        odd_slope = odd_slope * square + odd, odd = odd * square + a[(size_t)(2 * k + 1) * c->n];
        even_slope = even_slope * square + even, even = even * square + a[(size_t)(2 * k) * c->n];
    }
    *value = even + s * odd;
    *slope = odd + 2 * s * (even_slope + s * odd_slope);
}

// z(m + u) = z(m) + z'(m) u + z'' u^2/2
range curve_values(const curve *c, uint32_t i, double a, double b) {
    const double radius = (b - a) / 2;
    double z, slope;
    value_and_slope(c, i, a + radius, &z, &slope);
    const double bent = bend_of(c, i) * radius * radius / 2;
    return range_around(z, fabs(slope) * radius + (1 + 4 * c->slack) * bent + 1e-15 * fabs(z));
}

// z_0 + c_1 s for 0 <= s <= b, and |c_2| b^2 + |c_3| b^3 + .. to both sides; every third power
// apart, so that none waits for another
range curve_reach(const curve *c, uint32_t i, double b) {
    const size_t n = c->n;
    const double square = b * b, third = b * square, *a = c->c + i, first = a[0],
                 way = c->order ? a[n] * b : 0;
    double x = 0, y = 0, z = 0; // of the powers 2, 5, .., of 3, 6, .. and of 4, 7, ..
    uint32_t k = c->order < 2 ? 1 : c->order;
    for (; k % 3 != 1; k--) // one or two powers beyond the last three
        if (k % 3 == 0) y = fabs(a[k * n]);
        else x = fabs(a[k * n]);
    for (a += k * n; k > 1; k -= 3, a -= 3 * n) {
        z = z * third + fabs(a[0]);
        y = y * third + fabs(*(a - n));
        x = x * third + fabs(*(a - 2 * n));
    }
    const double bent =
        (1 + 4 * c->slack) * square * (x + b * y + square * z) + 1e-15 * (fabs(first) + fabs(way));
    return (range){first + (way < 0 ? way : 0) - bent, first + (way > 0 ? way : 0) + bent};
}

range curve_slopes(const curve *c, uint32_t i, double a, double b) {
    const double radius = (b - a) / 2;
    double z, slope;
    value_and_slope(c, i, a + radius, &z, &slope);
    return range_around(slope, (1 + 4 * c->slack) * bend_of(c, i) * radius + 1e-15 * fabs(slope));
}

void curve_at(const curve *c, uint32_t count, double s, double *z, double *slope) {
    for (uint32_t i = 0; i < count; i++) {
        double d;
        value_and_slope(c, i, s, &z[i], &d);
        if (slope) slope[i] = d;
    }
}
