// States onto the constraints, near where they are: after a reset.
#include "simulate/contact_law_parts.h"

#include "base/memory.h"
#include "execute/elimination.h"

#include <math.h>

// dx of least kinetic size with slope dx = -residual and dx_i = 0 for the fixed ones
static double correct(const contact_law *w, uint32_t rows, const double *slope,
                      const double *residual, const bool *fixed, double *x) {
    const uint32_t n = w->n, all = n + rows;
    double *matrix = memory_zeros(double, (size_t)all *(all + 1)), *right = matrix + all * all,
           moved = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++)
            matrix[i * all + j] = fixed[i] ? i == j : w->out[w->m + i * n + j];
        for (uint32_t r = 0; r < rows; r++) {
            if (!fixed[i]) matrix[i * all + n + r] = slope[r * n + i];
            matrix[(n + r) * all + i] = slope[r * n + i];
        }
    }
    for (uint32_t r = 0; r < rows; r++) right[n + r] = -residual[r];
    elimination_solve(all, matrix, 1, right);
    for (uint32_t i = 0; i < n; i++) {
        moved = fmax(moved, fabs(right[i]) / (1 + fabs(x[i])));
        if (!fixed[i]) x[i] += right[i]; // a system without a solution would move them
    }
    memory_free(matrix);
    return moved;
}

bool contact_law_project(contact_law *w, double t, double *q, double *qd, const double *parameter,
                         const bool *fixed_q, const bool *fixed_qd) {
    enum { ROUNDS = 50 };
    static const double STILL = 1e-15, SATISFIED = 1e-11;
    for (int round = 0; round < ROUNDS && w->k; round++) {
        contact_law_evaluate(w, t, q, qd, parameter);
        double moved = 0;
        if (w->positions)
            moved = correct(w, w->positions, w->out + w->held_slope, w->out + w->held, fixed_q, q);
        contact_law_evaluate(w, t, q, qd, parameter);
        moved = fmax(moved, correct(w, w->k, w->out + w->a, w->out + w->phi, fixed_qd, qd));
        if (moved <= STILL) break;
    }
    contact_law_evaluate(w, t, q, qd, parameter);
    double size = 1;
    for (uint32_t i = 0; i < w->n; i++) size = fmax(size, fmax(fabs(q[i]), fabs(qd[i])));
    for (uint32_t i = 0; i < w->k; i++)
        if (!(fabs(w->out[w->phi + i]) <= SATISFIED * size)) return false;
    for (uint32_t i = 0; i < w->positions; i++)
        if (!(fabs(w->out[w->held + i]) <= SATISFIED * size)) return false;
    return true;
}
