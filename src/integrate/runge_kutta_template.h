// A Runge-Kutta pair with its numbers written out: included by a file that has them, after
//   STAGES, LAST, C, A, WEIGHT, ERROR    as in struct tableau
//   SECOND_ERROR                         WEAK_ERROR, where there is one
// Numbers that are 0 leave no code behind, the others stand in it as constants, and a sum over the
// stages stays in registers. Sums are taken in the order of the stages. The file includes itself
// twice: without fused products, and with them for a processor that has them.
#ifndef MULTIPLY_ADD
#include "integrate/runge_kutta.h"

#include "base/processor.h"

#include <math.h>

#define MULTIPLY_ADD(a, b, c) ((c) + (a) * (b))
#define NAME(x) x##_plain
#define FUSING
#define INLINE static inline __attribute__((always_inline))
#include "integrate/runge_kutta_template.h"
#undef MULTIPLY_ADD
#undef NAME
#undef FUSING
#undef INLINE

#define MULTIPLY_ADD(a, b, c) __builtin_fma(a, b, c)
#define NAME(x) x##_fused
#ifdef __x86_64__
#define FUSING __attribute__((target("avx2,fma")))
#else
#define FUSING
#endif
#define INLINE FUSING static inline __attribute__((always_inline))
#include "integrate/runge_kutta_template.h"
#undef MULTIPLY_ADD
#undef NAME
#undef FUSING
#undef INLINE

// As integrator.attempt
static double attempt(field *f, double t, const double *z, double h, double tolerance, double *k,
                      double *work, double *z1) {
    return processor_fuses() ? attempt_fused(f, t, z, h, tolerance, k, work, z1)
                             : attempt_plain(f, t, z, h, tolerance, k, work, z1);
}
#else

// sum_j w_j k_j over the first `count` stages for a pair of components, a vector for the compiler
INLINE void NAME(pair_sum)(const double *w, uint32_t count, size_t row, const double *k,
                           double *sum) {
    sum[0] = w[0] * k[0], sum[1] = w[0] * k[1];
#define TERM(j)                                                                                    \
    if (j < count && w[j] != 0)                                                                    \
        sum[0] = MULTIPLY_ADD(w[j], k[j * row], sum[0]),                                           \
        sum[1] = MULTIPLY_ADD(w[j], k[j * row + 1], sum[1]);
    TERM(1)
    TERM(2)
    TERM(3)
    TERM(4)
    TERM(5) TERM(6) TERM(7) TERM(8) TERM(9) TERM(10) TERM(11) TERM(12) TERM(13) TERM(14) TERM(15)
#undef TERM
}

// z + h sum_j w_j k_j
INLINE void NAME(stage_argument)(const double *w, uint32_t count, size_t row, const double *z,
                                 double h, const double *k, double *restrict out) {
    for (size_t i = 0; i < row; i += 2) {
        double sum[2];
        NAME(pair_sum)(w, count, row, k + i, sum);
        out[i] = MULTIPLY_ADD(h, sum[0], z[i]), out[i + 1] = MULTIPLY_ADD(h, sum[1], z[i + 1]);
    }
}

// The size of the error in units of what is allowed, by both errors or the only one:
//   |e|^2 = sum_i (h sum_j error_j k_ij / (tolerance (1 + |z_i|)))^2 / n
INLINE double NAME(error_size)(uint32_t n, const double *z, const double *z1, double h,
                               double tolerance, const double *k) {
    const size_t row = tableau_row(n);
    double strong = 0, weak = 0;
    for (size_t i = 0; i < row; i += 2) {
        double e[2], second[2] = {0};
        NAME(pair_sum)(ERROR, LAST + 1, row, k + i, e);
#ifdef SECOND_ERROR
        NAME(pair_sum)(SECOND_ERROR, LAST + 1, row, k + i, second);
#endif
        for (size_t j = 0; j < 2; j++) {
            const double from = fabs(z[i + j]), to = fabs(z1[i + j]),
                         scale = h / (tolerance * (1 + (to > from ? to : from)));
            e[j] *= scale, second[j] *= scale;
            strong = MULTIPLY_ADD(e[j], e[j], strong),
            weak = MULTIPLY_ADD(second[j], second[j], weak);
        }
    }
    strong /= n;
#ifdef SECOND_ERROR
    weak /= n;
    return strong == 0 ? 0 : strong / sqrt(strong + 0.01 * weak);
#else
    return sqrt(strong);
#endif
}

// emit_pair() writes the same sums as C.
FUSING static double NAME(attempt)(field *f, double t, const double *z, double h, double tolerance,
                                   double *k, double *work, double *z1) {
    const size_t row = tableau_row(f->size);
    bool finite = true;
#define STAGE(s)                                                                                   \
    if (s < LAST) {                                                                                \
        NAME(stage_argument)(A[s], s, row, z, h, k, work);                                         \
        finite &= f->rate(f, t + C[s] * h, work, k + s * row);                                     \
    }
    STAGE(1)
    STAGE(2)
    STAGE(3)
    STAGE(4)
    STAGE(5)
    STAGE(6)
    STAGE(7)
    STAGE(8)
    STAGE(9)
    STAGE(10)
    STAGE(11)
#undef STAGE
    NAME(stage_argument)(WEIGHT, LAST, row, z, h, k, z1);
    if (ERROR[LAST] != 0) finite &= f->rate(f, t + h, z1, k + LAST * row);
    const double size = finite ? NAME(error_size)(f->size, z, z1, h, tolerance, k) : NAN;
    if (ERROR[LAST] != 0 || !(size <= 1)) return size;
    return f->rate(f, t + h, z1, k + LAST * row) ? size : INFINITY;
}
#endif
