// The rows dPhi_nu/dq'_i of the constraints on velocities, as code, where their rank can change.
#include "execute/elimination.h"
#include "execute/machine.h"
#include "execute/simulation.h"

#include <math.h>

bool constraint_rows_hide(const tape *t) {
    for (uint32_t i = 0; i < t->step_count; i++) switch (t->step[i].operation) {
        case TAPE_ADD:
        case TAPE_SUB:
        case TAPE_MUL:
        case TAPE_NEG:
        case TAPE_SIN:
        case TAPE_COS: break;
        default:
            if (t->step[i].level != TAPE_FIXED) return true;
        }
    return false;
}

// det(A A^T) of k rows of n numbers
static double gram_determinant(uint32_t k, uint32_t n, const double *a, double *gram) {
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < k; j++) {
            gram[i * k + j] = 0;
            for (uint32_t l = 0; l < n; l++) gram[i * k + j] += a[i * n + l] * a[j * n + l];
        }
    return eliminate(k, k, gram).product;
}

// Rows of sums, products, sin and cos whose Gram determinant is the same at a few
// random states have it everywhere.
static bool is_constant(const simulation *s, const tape *t) {
    enum { STATES = 6 };
    if (constraint_rows_hide(t)) return false;
    const uint32_t k = s->eq->system->k, n = s->eq->system->n;
    machine rows;
    machine_init(&rows, t, s->parameter_value);
    double *z = memory_array(double, t->state_count + (size_t)k * (n + k) + 1), found = 0;
    double *a = z + t->state_count + 1, *gram = a + k * n;
    uint64_t seed = 88172645463325252u;
    bool same = true;
    for (uint32_t state = 0; state < STATES && same; state++) {
        for (uint32_t i = 0; i <= t->state_count; i++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17; // Marsaglia
            z[i] = 6 * ((double)(seed >> 11) / 9007199254740992.0) - 3;
        }
        if (!machine_run(&rows, z[t->state_count], z, a)) same = false;
        const double value = gram_determinant(k, n, a, gram);
        if (state && !(fabs(value - found) <= 1e-10 * fabs(found))) same = false;
        found = value;
    }
    machine_free(&rows);
    memory_free(z);
    return same && found > 0;
}

tape *constraint_rows(const simulation *s) {
    const mechanics *w = s->eq->system;
    if (!w->k || w->h || s->eq->auxiliaries_count) return NULL;
    expr *rows = memory_array(expr, (size_t)w->k * w->n);
    ode_expressions(s->o, w->k * w->n, w->phi_velocity, rows);
    tape *code = tape_create(w->pool, s->o->size, s->o->state, s->m->time, s->parameter_count,
                             s->parameter, w->k * w->n, rows);
    memory_free(rows);
    if (!is_constant(s, code)) return code;
    tape_free(code);
    return NULL;
}
