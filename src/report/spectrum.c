// Spectra of columns.
//
// With N values x_j at times apart by d, mean m, and Hann's window w_j = (1 - cos(2 pi j/N))/2,
//     X_k = sum_j (x_j - m) w_j exp(-2 pi i j k/N),   amplitude 4 |X_k|/N at frequency k/(N d).
// Of A cos(2 pi f t), f = (k + e)/(N d), the bins near k have |X_(k+i)| = A N/4 |h(i - e)| with
// h(u) = sin(pi u)/(pi u (1 - u^2)). So of a peak and its higher neighbour, on the side s = +-1,
//     r = |X_(k+s)|/|X_k| = (1 + |e|)/(2 - |e|),  e = s (2 r - 1)/(r + 1),  A = 4 |X_k|/(N h(e)).
// (Rife and Vincent 1970.) What another frequency, f' bins away, leaks into it falls as 1/f'^3.
#include "report/spectrum.h"

#include "base/memory.h"
#include "report/fourier.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;
static const double EVEN = 1e-6;      // of the spacing: less is rounding of printed times
static const double CONSTANT = 1e-13; // of the largest value: less is rounding
static const double LOWEST = 1e-3;    // of the highest peak: what is lower is not listed

// --- times ---------------------------------------------------------------------------------------

static bool is_even(const table *rows, uint64_t count) {
    const double first = table_at(rows, 0, 0), last = table_at(rows, count - 1, 0),
                 apart = (last - first) / (double)(count - 1);
    for (uint64_t i = 1; i < count; i++)
        if (fabs(table_at(rows, i, 0) - first - (double)i * apart) > EVEN * apart) return false;
    return true;
}

const char *spectrum_times(const table *rows, arena *a, spectrum_grid *out) {
    uint64_t n = rows->row_count;
    if (n < SPECTRUM_LEAST_ROWS)
        return arena_format(a, "a spectrum needs %d rows, and there are %llu", SPECTRUM_LEAST_ROWS,
                            (unsigned long long)n);
    for (uint64_t i = 0; i < n; i++) {
        if (!isfinite(table_at(rows, i, 0)))
            return arena_format(a, "there is no time in row %llu", (unsigned long long)i + 1);
        const double t = table_at(rows, i, 0);
        const bool jumps = i && t == table_at(rows, i - 1, 0) && table_at(rows, n - 1, 0) > t;
        if (i && !jumps && !(t > table_at(rows, i - 1, 0)))
            return arena_format(a, "the times do not increase in row %llu",
                                (unsigned long long)i + 1);
    }
    if (!isfinite((double)n / (table_at(rows, n - 1, 0) - table_at(rows, 0, 0))))
        return "the times are so close that frequencies have no finite values";
    // the last row of a run may be where an event stopped it
    const bool all = is_even(rows, n);
    if (!all && is_even(rows, n - 1)) n--;
    const double first = table_at(rows, 0, 0), last = table_at(rows, n - 1, 0);
    *out = (spectrum_grid){.count = n,
                           .first = first,
                           .apart = (last - first) / (double)(n - 1),
                           .resampled = !all && n == rows->row_count};
    return NULL;
}

// --- values --------------------------------------------------------------------------------------

// On the straight line from row i to the next
static double between(const table *rows, uint32_t column, uint64_t i, double t) {
    const double from = table_at(rows, i, 0), length = table_at(rows, i + 1, 0) - from,
                 part = length > 0 ? (t - from) / length : 1;
    return (1 - part) * table_at(rows, i, column) + part * table_at(rows, i + 1, column);
}

// The cubic through the four rows around t, of which `i` is the last before it or the first; a line
// beside a jump, where two rows have one time
static double interpolated(const table *rows, uint32_t column, uint64_t i, double t) {
    const uint64_t n = rows->row_count, from = i < 1 ? 0 : i + 3 > n ? n - 4 : i - 1;
    double sum = 0;
    for (uint64_t k = from; k < from + 3; k++)
        if (table_at(rows, k, 0) == table_at(rows, k + 1, 0)) return between(rows, column, i, t);
    for (uint64_t k = from; k < from + 4; k++) {
        double weight = 1;
        for (uint64_t l = from; l < from + 4; l++)
            if (l != k)
                weight *=
                    (t - table_at(rows, l, 0)) / (table_at(rows, k, 0) - table_at(rows, l, 0));
        sum += weight * table_at(rows, k, column);
    }
    return sum;
}

static void take_values(const table *rows, uint32_t column, const spectrum_grid *g, double *x) {
    for (uint64_t j = 0, i = 0; j < g->count; j++) {
        const double t = g->first + (double)j * g->apart;
        if (!g->resampled) {
            x[j] = table_at(rows, j, column);
            continue;
        }
        while (i + 2 < rows->row_count && table_at(rows, i + 1, 0) <= t) i++;
        x[j] = interpolated(rows, column, i, t);
    }
}

// --- peaks ---------------------------------------------------------------------------------------

static double hann(double u) {
    if (fabs(u) < 1e-9) return 1;
    return sin(PI * u) / (PI * u * (1 - u * u));
}

static spectrum_peak refined(const spectrum *s, uint64_t k) {
    const double *a = s->amplitude;
    const int side = a[k + 1] > a[k - 1] ? 1 : -1;
    const double r = (side > 0 ? a[k + 1] : a[k - 1]) / a[k], away = (2 * r - 1) / (r + 1),
                 e = side * fmax(0, away);
    return (spectrum_peak){s->frequency[1] * ((double)k + e), a[k] / hann(e)};
}

static int by_height(const void *a, const void *b) {
    const double x = ((const spectrum_peak *)a)->amplitude,
                 y = ((const spectrum_peak *)b)->amplitude;
    return (x < y) - (x > y);
}

// Bins 0 and 1 hold what is left of the mean.
static void find_peaks(spectrum *s) {
    double highest = 0;
    struct {
        LIST(spectrum_peak, found);
    } w = {0}; // all of them
    for (uint64_t k = 2; k + 1 < s->count; k++) highest = fmax(highest, s->amplitude[k]);
    for (uint64_t k = 2; k + 1 < s->count; k++)
        if (s->amplitude[k] > s->amplitude[k - 1] && s->amplitude[k] >= s->amplitude[k + 1] &&
            s->amplitude[k] > LOWEST * highest)
            list_push(&w, found, refined(s, k));
    if (w.found_count) qsort(w.found, w.found_count, sizeof *w.found, by_height);
    s->peak_count = w.found_count < SPECTRUM_MOST_PEAKS ? w.found_count : SPECTRUM_MOST_PEAKS;
    for (uint32_t i = 0; i < s->peak_count; i++) s->peak[i] = w.found[i];
    memory_free(w.found);
}

// --- the spectrum --------------------------------------------------------------------------------

// The mean off, the window on. False if nothing is left: the column is constant.
static bool prepare(uint64_t n, double *x, double *mean) {
    double sum = 0, largest = 0, change = 0;
    for (uint64_t j = 0; j < n; j++) sum += x[j] / (double)n, largest = fmax(largest, fabs(x[j]));
    for (uint64_t j = 0; j < n; j++) {
        change = fmax(change, fabs(x[j] - sum));
        x[j] = (x[j] - sum) * (1 - cos(2 * PI * (double)j / (double)n)) / 2;
    }
    *mean = sum;
    return change > CONSTANT * largest;
}

const char *spectrum_of(const table *rows, uint32_t column, const spectrum_grid *grid, arena *a,
                        spectrum *out) {
    const uint64_t n = grid->count;
    for (uint64_t i = 0; i < rows->row_count; i++)
        if (!isfinite(table_at(rows, i, column)))
            return arena_format(a, "it has no value in row %llu", (unsigned long long)i + 1);
    double *re = memory_array(double, n), *im = memory_zeros(double, n);
    *out = (spectrum){.count = n / 2 + 1};
    take_values(rows, column, grid, re);
    const bool varies = prepare(n, re, &out->mean);
    if (varies) fourier_transform(n, re, im);
    out->frequency = arena_array(a, double, out->count);
    out->amplitude = arena_array(a, double, out->count);
    for (uint64_t k = 0; k < out->count; k++)
        out->frequency[k] = (double)k / ((double)n * grid->apart),
        out->amplitude[k] = 4 * hypot(re[k], im[k]) / (double)n;
    memory_free(re), memory_free(im);
    if (!varies) return "it is constant";
    for (uint64_t k = 0; k < out->count; k++)
        if (!isfinite(out->amplitude[k])) return "its values are too large";
    find_peaks(out);
    return NULL;
}
