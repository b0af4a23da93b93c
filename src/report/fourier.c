// The discrete Fourier transform.
#include "report/fourier.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>

static const double PI = 3.14159265358979323846;

typedef struct {
    double re, im;
} complex_number;

static complex_number times(complex_number a, complex_number b) {
    return (complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// exp(-2 pi i k/n)
static complex_number root(uint64_t k, uint64_t n) {
    const double angle = -2 * PI * ((double)k / (double)n);
    return (complex_number){cos(angle), sin(angle)};
}

// --- powers of two (Cooley and Tukey 1965) -------------------------------------------------------

static void reorder(uint64_t n, complex_number *x) {
    for (uint64_t i = 1, j = 0; i < n; i++) {
        uint64_t bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) {
            const complex_number held = x[i];
            x[i] = x[j], x[j] = held;
        }
    }
}

// `unit` holds the n/2 first powers of exp(-2 pi i/n).
static void transform_power_of_two(uint64_t n, complex_number *x, const complex_number *unit) {
    reorder(n, x);
    for (uint64_t size = 2; size <= n; size *= 2)
        for (uint64_t begin = 0; begin < n; begin += size)
            for (uint64_t k = 0; k < size / 2; k++) {
                complex_number *low = &x[begin + k], *high = low + size / 2;
                const complex_number turned = times(*high, unit[k * (n / size)]);
                *high = (complex_number){low->re - turned.re, low->im - turned.im};
                *low = (complex_number){low->re + turned.re, low->im + turned.im};
            }
}

// --- any length (Bluestein 1970) -----------------------------------------------------------------
//
// j k = (j^2 + k^2 - (k - j)^2)/2, so with w_j = exp(-pi i j^2/n)
//     X_k = w_k sum_j (x_j w_j) conj(w_(k - j)),
// a convolution, done by transforms of a length m >= 2 n - 1 that is a power of two.

static complex_number *units_of(uint64_t m) {
    complex_number *unit = memory_array(complex_number, m / 2 + 1);
    for (uint64_t k = 0; k < m / 2; k++) unit[k] = root(k, m);
    return unit;
}

// j^2 modulo 2 n, without squares that do not fit
static uint64_t square_modulo(uint64_t j, uint64_t n) {
    return (uint64_t)((unsigned __int128)j * j % (2 * n));
}

void fourier_transform(uint64_t n, double *re, double *im) {
    uint64_t m = 1;
    if (n < 2) return;
    while (m < 2 * n - 1) m *= 2;
    complex_number *unit = units_of(m), *w = memory_array(complex_number, n),
                   *a = memory_zeros(complex_number, m), *b = memory_zeros(complex_number, m);
    for (uint64_t j = 0; j < n; j++) {
        w[j] = root(square_modulo(j, n), 2 * n);
        a[j] = times((complex_number){re[j], im[j]}, w[j]);
        b[j] = (complex_number){w[j].re, -w[j].im};
        if (j) b[m - j] = b[j];
    }
    transform_power_of_two(m, a, unit), transform_power_of_two(m, b, unit);
    // the inverse: conj(transform(conj(x)))/m
    for (uint64_t k = 0; k < m; k++) a[k] = times(a[k], b[k]), a[k].im = -a[k].im;
    transform_power_of_two(m, a, unit);
    for (uint64_t k = 0; k < n; k++) {
        const complex_number x =
            times((complex_number){a[k].re / (double)m, -a[k].im / (double)m}, w[k]);
        re[k] = x.re, im[k] = x.im;
    }
    memory_free(unit), memory_free(w), memory_free(a), memory_free(b);
}
