// A Runge-Kutta pair with its numbers written out: included by a file that has them, after
//   STAGES, LAST, C, A, WEIGHT, ERROR    as in struct tableau
//   SECOND_ERROR                         WEAK_ERROR, where there is one
// Numbers that are 0 leave no code behind, the others stand in it as constants, and a sum over the
// stages stays in registers. Sums are taken in the order of the stages.
#include "integrate/runge_kutta.h"

#define INLINE static inline __attribute__((always_inline))

// sum_j w_j k_j over the first `count` stages for a pair of components, a vector for the compiler
INLINE void pair_sum(const double *w, uint32_t count, size_t row, const double *k, double *sum) {
    sum[0] = w[0] * k[0], sum[1] = w[0] * k[1];
#define TERM(j)                                                                                    \
    if (j < count && w[j] != 0) sum[0] += w[j] * k[j * row], sum[1] += w[j] * k[j * row + 1];
    TERM(1)
    TERM(2)
    TERM(3)
    TERM(4)
    TERM(5) TERM(6) TERM(7) TERM(8) TERM(9) TERM(10) TERM(11) TERM(12) TERM(13) TERM(14) TERM(15)
#undef TERM
}

// z + h sum_j w_j k_j
INLINE void stage_argument(const double *w, uint32_t count, size_t row, const double *z, double h,
                           const double *k, double *restrict out) {
    for (size_t i = 0; i < row; i += 2) {
        double sum[2];
        pair_sum(w, count, row, k + i, sum);
        out[i] = z[i] + h * sum[0], out[i + 1] = z[i + 1] + h * sum[1];
    }
}

static bool make_stages(field *f, double t, const double *z, double h, double *k, double *work) {
    const size_t row = runge_kutta_row(f->size);
#define STAGE(s)                                                                                   \
    if (s < LAST) {                                                                                \
        stage_argument(A[s], s, row, z, h, k, work);                                               \
        if (!f->rate(f, t + C[s] * h, work, k + s * row)) return false;                            \
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
    return true;
}

static void find_solution(uint32_t n, const double *z, double h, const double *k, double *z1) {
    stage_argument(WEIGHT, LAST, runge_kutta_row(n), z, h, k, z1);
}

// h sum_j error_j k_j, and the same of the second error
static void find_errors(uint32_t n, double h, const double *k, double *restrict strong,
                        double *restrict weak) {
    const size_t row = runge_kutta_row(n);
    for (size_t i = 0; i < row; i += 2) {
        double e[2];
        pair_sum(ERROR, LAST + 1, row, k + i, e);
        strong[i] = h * e[0], strong[i + 1] = h * e[1];
#ifdef SECOND_ERROR
        pair_sum(SECOND_ERROR, LAST + 1, row, k + i, e);
        weak[i] = h * e[0], weak[i + 1] = h * e[1];
#else
        (void)weak;
#endif
    }
}
#undef INLINE
