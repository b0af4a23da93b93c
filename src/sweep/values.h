// How the values of a run follow from its number: whole numbers and a few doubles, in plain C that
// reads nothing but the layout. It is compiled here, and given as text to what computes starts
// elsewhere (a GPU): there HAMEL_VALUES says what stands before each function. Products must not be
// fused with sums, so that the same bits come out everywhere.
#ifndef HAMEL_SWEEP_VALUES_H
#define HAMEL_SWEEP_VALUES_H

#include <math.h>
#include <stdint.h>

#ifndef HAMEL_VALUES
#define HAMEL_VALUES static inline
#endif

enum {
    AXIS_GRID,
    AXIS_LIST, // also rows: `target_count` numbers for each place
    AXIS_UNIFORM,
    AXIS_NORMAL,
};
enum { DRAW_RANDOM, DRAW_SOBOL, DRAW_LATIN };
enum { SOBOL_BITS = 52, PERMUTATION_ROUNDS = 8 };
// what a number of the generator is for
enum { STREAM_VALUE, STREAM_SHIFT, STREAM_PERMUTATION };

typedef struct {
    uint32_t kind, target_count;
    // GRID, LIST: run r has place r / stride % count. Drawn: `offset` counts the drawn quantities
    uint64_t count, stride;
    double first, second; // ends of the grid; of the distribution what it is stated with
    // GRID: the ends are from/scale and to/scale; with whole numbers, where there are such small
    // ones, decimals come out as the nearest doubles
    double from, to, scale;
    uint64_t offset; // LIST: of its numbers
} sweep_axis;

typedef struct {
    uint32_t axis_count, value_count, drawn_count, how;
    uint64_t runs, samples; // samples: runs at one place of all grids; sample r % samples
    uint32_t key[2];        // the seed
    const sweep_axis *axis;
    const double *numbers;      // of lists
    const uint64_t *direction;  // SOBOL: SOBOL_BITS for each drawn quantity,
    const uint64_t *shift;      // .. and one
    const uint32_t *round;      // LATIN: PERMUTATION_ROUNDS for each
    uint32_t half, jitter_bits; // LATIN: 2^(2 half) >= samples; places within a stratum
} sweep_layout;

// --- random numbers from a counter ---------------------------------------------------------------

// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers, as easy as 1, 2, 3; SC11)
HAMEL_VALUES void sweep_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
    uint32_t a = counter[0], b = counter[1], c = counter[2], d = counter[3];
    uint32_t k = key[0], l = key[1];
    for (int round = 0; round < 10; round++) {
        const uint64_t p = (uint64_t)0xD2511F53u * a, q = (uint64_t)0xCD9E8D57u * c;
        a = (uint32_t)(q >> 32) ^ b ^ k;
        c = (uint32_t)(p >> 32) ^ d ^ l;
        b = (uint32_t)q;
        d = (uint32_t)p;
        k += 0x9E3779B9u; // the golden ratio
        l += 0xBB67AE85u; // sqrt(3) - 1
    }
    out[0] = a, out[1] = b, out[2] = c, out[3] = d;
}

// 64 bits, for one sample, one drawn quantity and one purpose
HAMEL_VALUES uint64_t sweep_bits(const sweep_layout *p, uint64_t sample, uint32_t drawn,
                                 uint32_t stream) {
    const uint32_t counter[4] = {(uint32_t)sample, (uint32_t)(sample >> 32), drawn, stream};
    uint32_t out[4];
    sweep_philox(counter, p->key, out);
    return (uint64_t)out[1] << 32 | out[0];
}

// (k + 1/2)/2^52 for k < 2^52, exactly: between 0 and 1, and neither of them
HAMEL_VALUES double sweep_fraction(uint64_t k) { return ((double)k + 0.5) * 0x1p-52; }

// --- points that fill the cube evenly ------------------------------------------------------------

// Sobol's sequence in the order of Gray's code: the directions of the bits of gray(i), added
// modulo 2 (Antonov and Saleev), and a shift of all points
HAMEL_VALUES uint64_t sweep_sobol(const uint64_t *direction, uint64_t shift, uint64_t i) {
    uint64_t x = shift;
    for (uint64_t gray = i ^ (i >> 1); gray; gray >>= 1, direction++)
        if (gray & 1) x ^= *direction;
    return x;
}

// The finaliser of MurmurHash3
HAMEL_VALUES uint32_t sweep_mix(uint32_t h) {
    h ^= h >> 16;
    h *= 0x85EBCA6Bu;
    h ^= h >> 13;
    h *= 0xC2B2AE35u;
    return h ^ (h >> 16);
}

// A permutation of 0 .. n-1: a Feistel network permutes 2 half bits, and is taken again until it
// ends below n, which follows the cycle of x to its next number there
HAMEL_VALUES uint64_t sweep_permute(uint64_t x, uint64_t n, uint32_t half, const uint32_t *round) {
    const uint64_t mask = ((uint64_t)1 << half) - 1;
    do {
        uint64_t left = x >> half, right = x & mask;
        for (int i = 0; i < PERMUTATION_ROUNDS; i++) {
            const uint64_t next = left ^ (sweep_mix((uint32_t)right ^ round[i]) & mask);
            left = right, right = next;
        }
        x = left << half | right;
    } while (x >= n);
    return x;
}

// Sample i of a Latin hypercube of n: one in each of n strata of the same width
HAMEL_VALUES double sweep_latin(const sweep_layout *p, uint64_t i, uint32_t drawn) {
    const uint64_t stratum =
        sweep_permute(i, p->samples, p->half, p->round + (uint64_t)drawn * PERMUTATION_ROUNDS);
    const uint64_t within = sweep_bits(p, i, drawn, STREAM_VALUE) >> (64 - p->jitter_bits);
    const double part = ((double)within + 0.5) / (double)((uint64_t)1 << p->jitter_bits);
    return ((double)stratum + part) / (double)p->samples;
}

HAMEL_VALUES double sweep_unit(const sweep_layout *p, uint64_t sample, uint32_t drawn) {
    if (p->how == DRAW_SOBOL)
        return sweep_fraction(
            sweep_sobol(p->direction + (uint64_t)drawn * SOBOL_BITS, p->shift[drawn], sample));
    if (p->how == DRAW_LATIN) return sweep_latin(p, sample, drawn);
    return sweep_fraction(sweep_bits(p, sample, drawn, STREAM_VALUE) >> 12);
}

// --- the normal distribution ---------------------------------------------------------------------

// log(x), 0 < x < 1: x = m 2^e, log m = 2 artanh((m - 1)/(m + 1)) by its series; of basic
// operations alone, which are the same on every machine
HAMEL_VALUES double sweep_log(double x) {
    int e;
    double m = frexp(x, &e);
    if (m < 0.70710678118654752) m *= 2, e--;
    const double s = (m - 1) / (m + 1), z = s * s; // |s| < 0.1716
    double sum = 0;
    for (int k = 23; k > 0; k -= 2) sum = sum * z + 1.0 / k;
    // log 2 in two parts, the first with trailing zeros: e times it is exact
    return e * 0x1.62e42feep-1 + (e * 0x1.a39ef35793c76p-33 + 2 * s * sum);
}

HAMEL_VALUES double sweep_polynomial(const double *c, double r) {
    double sum = c[0];
    for (int i = 1; i < 8; i++) sum = sum * r + c[i];
    return sum;
}

// The quantile of the normal distribution (Wichura, Algorithm AS 241, Applied Statistics 37, 1988:
// to 1e-16)
HAMEL_VALUES double sweep_normal(double u) {
    const double a[] = {2.50908092873012267270e+3, 3.34305755835881281050e+4,
                        6.72657709270087008530e+4, 4.59219539315498714570e+4,
                        1.37316937655094611250e+4, 1.97159095030655144270e+3,
                        1.33141667891784377450e+2, 3.38713287279636660800e+0},
                 b[] = {5.22649527885285456100e+3, 2.87290857357219426740e+4,
                        3.93078958000927106100e+4, 2.12137943015865958670e+4,
                        5.39419602142475110770e+3, 6.87187007492057908300e+2,
                        4.23133307016009112520e+1, 1.0},
                 c[] = {7.74545014278341407640e-4, 2.27238449892691845833e-2,
                        2.41780725177450611770e-1, 1.27045825245236838258e+0,
                        3.64784832476320460504e+0, 5.76949722146069140550e+0,
                        4.63033784615654529590e+0, 1.42343711074968357734e+0},
                 d[] = {1.05075007164441684324e-9, 5.47593808499534494600e-4,
                        1.51986665636164571966e-2, 1.48103976427480074590e-1,
                        6.89767334985100004550e-1, 1.67638483018380384940e+0,
                        2.05319162663775882187e+0, 1.0},
                 f[] = {2.01033439929228813265e-7, 2.71155556874348757815e-5,
                        1.24266094738807843860e-3, 2.65321895265761230930e-2,
                        2.96560571828504891230e-1, 1.78482653991729133580e+0,
                        5.46378491116411436990e+0, 6.65790464350110377720e+0},
                 g[] = {2.04426310338993978564e-15, 1.42151175831644588870e-7,
                        1.84631831751005468180e-5,  7.86869131145613259100e-4,
                        1.48753612908506148525e-2,  1.36929880922735805310e-1,
                        5.99832206555887937690e-1,  1.0};
    const double q = u - 0.5;
    if (fabs(q) <= 0.425) {
        const double r = 0.180625 - q * q;
        return q * sweep_polynomial(a, r) / sweep_polynomial(b, r);
    }
    const double r = sqrt(-sweep_log(q < 0 ? u : 1 - u));
    const double x = r <= 5 ? sweep_polynomial(c, r - 1.6) / sweep_polynomial(d, r - 1.6)
                            : sweep_polynomial(f, r - 5) / sweep_polynomial(g, r - 5);
    return q < 0 ? -x : x;
}

// --- a run ---------------------------------------------------------------------------------------

// Place i of 0 .. n: the ends are those that were stated
HAMEL_VALUES double sweep_grid(const sweep_axis *axis, uint64_t i, uint64_t n) {
    if (i == 0) return axis->first;
    if (i == n) return axis->second;
    const double sum = axis->from * (double)(n - i) + axis->to * (double)i;
    if (fabs(sum) <= 0x1p1000) return sum / (axis->scale * (double)n);
    const double part = (double)i / (double)n; // the sum is too large, or no number at all
    return axis->first * (1 - part) + axis->second * part;
}

HAMEL_VALUES void sweep_values(const sweep_layout *p, uint64_t run, double *values) {
    for (uint32_t i = 0; i < p->axis_count; i++) {
        const sweep_axis *axis = &p->axis[i];
        if (axis->kind == AXIS_GRID || axis->kind == AXIS_LIST) {
            const uint64_t at = run / axis->stride % axis->count;
            if (axis->kind == AXIS_GRID) *values = sweep_grid(axis, at, axis->count - 1);
            for (uint32_t k = 0; k < axis->target_count && axis->kind == AXIS_LIST; k++)
                values[k] = p->numbers[axis->offset + at * axis->target_count + k];
        } else {
            const double u = sweep_unit(p, run % p->samples, (uint32_t)axis->offset);
            *values = axis->kind == AXIS_UNIFORM ? axis->first + (axis->second - axis->first) * u
                                                 : axis->first + axis->second * sweep_normal(u);
        }
        values += axis->target_count;
    }
}

#endif
