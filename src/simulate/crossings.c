// Real roots of polynomials on an interval by Bernstein coefficients: their sign changes bound the number of roots, and
// halving separates them (Lane and Riesenfeld 1981).
#include "simulate/crossings.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 24 }; // roots closer than 2^-24 of the step count as one that touches

static void add(crossings *x, double t) {
    array_reserve(x->time, x->count, x->capacity);
    x->time[x->count++] = t;
}

static uint32_t sign_changes(uint32_t order, const double *b) {
    uint32_t changes = 0;
    double last = 0;
    for (uint32_t i = 0; i <= order; i++) {
        if (b[i] == 0) continue;
        if (last != 0 && (last > 0) != (b[i] > 0)) changes++;
        last = b[i];
    }
    return changes;
}

// b_i = sum_{k <= i} binom(i, k) / binom(p, k) a_k for the polynomial sum a_k x^k on [0, 1]
static void to_bernstein(uint32_t order, double *a) {
    double scale = 1; // 1 / binom(p, k)
    for (uint32_t k = 0; k <= order; k++) {
        a[k] *= scale;
        scale *= (k + 1.0) / (order - k);
    }
    for (uint32_t k = 1; k <= order; k++)
        for (uint32_t i = order; i >= k; i--) a[i] += a[i - 1];
}

// Halves of de Casteljau: b becomes the left one.
static void halve(uint32_t order, double *b, double *right) {
    for (uint32_t k = 0; k <= order; k++) {
        right[order - k] = b[order];
        for (uint32_t i = order; i > k; i--) b[i] = (b[i - 1] + b[i]) / 2;
    }
}

// `b` has room for one polynomial for each level below.
static void isolate(crossings *x, uint32_t order, double *b, double from, double to, int depth) {
    if (sign_changes(order, b) < 2 || depth == DEEPEST) return;
    double *right = b + order + 1;
    const double middle = from + (to - from) / 2;
    if (!(middle > from && middle < to)) return;
    halve(order, b, right);
    double *left = right + order + 1;
    memcpy(left, b, sizeof(double) * (order + 1));
    isolate(x, order, left, from, middle, depth + 1);
    add(x, middle);
    memcpy(left, right, sizeof(double) * (order + 1));
    isolate(x, order, left, middle, to, depth + 1);
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void crossings_find(crossings *x, uint32_t functions, uint32_t order, const double *c, double from, double to) {
    x->count = 0;
    double *b = memory_resize(NULL, sizeof(double) * (order + 1) * (2 * DEEPEST + 4));
    for (uint32_t i = 0; i < functions; i++) {
        double scale = 1;
        for (uint32_t k = 0; k <= order; k++, scale *= to - from) b[k] = c[k * functions + i] * scale;
        to_bernstein(order, b);
        isolate(x, order, b, from, to, 0);
    }
    free(b);
    if (x->count) qsort(x->time, x->count, sizeof(double), ascending);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < x->count; i++)
        if (!kept || x->time[i] > x->time[kept - 1]) x->time[kept++] = x->time[i];
    x->count = kept;
}

void crossings_free(crossings *x) { free(x->time); }
