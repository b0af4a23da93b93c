// States onto the constraints, near where they are: after a reset.
#include "simulate/contact_law_parts.h"

#include "base/memory.h"
#include "execute/elimination.h"

#include <math.h>
#include <string.h>

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

// Velocities that satisfy the constraints and have the quasi-velocities that are stated
static double correct_velocities(contact_law *w, const bool *fixed, const double *eta, double *qd) {
    const mechanics *s = w->s;
    const uint32_t n = w->n, most = w->k + (eta ? s->m : 0);
    double *slope = memory_array(double, (size_t)most *(n + 1) + 1), *residual = slope + most * n;
    uint32_t rows = w->k;
    memcpy(slope, w->out + w->a, sizeof(double) * w->k * n);
    memcpy(residual, w->out + w->phi, sizeof(double) * w->k);
    for (uint32_t i = 0; eta && i < s->m; i++) { // Psi_i = eta_i
        if (!isfinite(eta[i])) continue;
        memcpy(slope + rows * n, w->out + w->psi_slope + i * n, sizeof(double) * n);
        residual[rows++] = w->out[w->psi + i] - eta[i];
    }
    const double moved = rows ? correct(w, rows, slope, residual, fixed, qd) : 0;
    memory_free(slope);
    return moved;
}

// What is left of all that is to be 0, the largest
static double largest_residual(const contact_law *w, const double *eta) {
    double most = 0;
    for (uint32_t i = 0; i < w->k; i++) most = fmax(most, fabs(w->out[w->phi + i]));
    for (uint32_t i = 0; i < w->positions; i++) most = fmax(most, fabs(w->out[w->held + i]));
    for (uint32_t i = 0; eta && i < w->s->m; i++)
        if (isfinite(eta[i])) most = fmax(most, fabs(w->out[w->psi + i] - eta[i]));
    return most;
}

bool contact_law_project(contact_law *w, double t, double *q, double *qd, const double *parameter,
                         const bool *fixed_q, const bool *fixed_qd, const double *eta) {
    enum { ROUNDS = 50 };
    static const double STILL = 1e-15, SATISFIED = 1e-11;
    for (int round = 0; round < ROUNDS && (w->k || eta); round++) {
        contact_law_evaluate(w, t, q, qd, parameter);
        double moved = 0;
        if (w->positions)
            moved = correct(w, w->positions, w->out + w->held_slope, w->out + w->held, fixed_q, q);
        contact_law_evaluate(w, t, q, qd, parameter);
        moved = fmax(moved, correct_velocities(w, fixed_qd, eta, qd));
        if (moved <= STILL) break;
    }
    contact_law_evaluate(w, t, q, qd, parameter);
    double size = 1;
    for (uint32_t i = 0; i < w->n; i++) size = fmax(size, fmax(fabs(q[i]), fabs(qd[i])));
    return largest_residual(w, eta) <= SATISFIED * size;
}

void contact_law_change(contact_law *w, uint32_t contact, const double change[3], double *qd) {
    const uint32_t d = 1 + w->s->model->contacts[contact].tangents, first = w->first[contact];
    double g[9], impulse[3] = {change[0], change[1], change[2]}; // G P = change
    for (uint32_t i = 0; i < d; i++)
        for (uint32_t j = 0; j < d; j++)
            g[i * d + j] = w->g[(first + i) * w->directions + first + j];
    elimination_solve(d, g, 1, impulse);
    for (uint32_t j = 0; j < d; j++)
        for (uint32_t i = 0; i < w->n; i++)
            qd[i] += w->response[(first + j) * w->n + i] * impulse[j];
}
