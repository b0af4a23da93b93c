// A step of Taylor's method in double, from the coefficients of the series to its end: four
// components at a time, with fused products where the processor has them. A state is a pair of
// doubles, z and what rounding left out of it, so that many steps are off by the errors of the
// coefficients only, not by those of adding them.
#ifndef HAMEL_INTEGRATE_SERIES_END_H
#define HAMEL_INTEGRATE_SERIES_END_H

#include <stdbool.h>
#include <stdint.h>

enum { SERIES_END_WIDTH = 4 }; // what is read and written beyond the last component, and one more

// Doubles for n components: what is written at a time
static inline uint32_t series_end_room(uint32_t n) {
    return (n + SERIES_END_WIDTH - 1) / SERIES_END_WIDTH * SERIES_END_WIDTH;
}

typedef struct {
    // The largest |c_i| / max(1, |z_i|) of so many components for the coefficients k - 1 and k; c
    // as of a series: c[k * n + i]
    void (*norms)(uint32_t count, uint32_t n, const double *c, uint32_t k, double *before,
                  double *last);
    // The state (z1, low1) and the slope of the polynomial at t + h + h_low, from c_0 + low.
    void (*advance)(uint32_t n, uint32_t order, const double *c, const double *low, double h,
                    double h_low, double *z1, double *low1, double *slope);
    // h |slope_i - f1_i| <= part (1 + |z1_i| + h (|f1_i| + |f0_i|)) for every component
    bool (*continues)(uint32_t n, double h, double part, const double *slope, const double *f0,
                      const double *f1, const double *z1);
} series_end;

extern const series_end series_end_plain, series_end_fused;
const series_end *series_end_here(void); // the one for this processor

#endif
