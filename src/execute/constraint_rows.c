// The rows dPhi_nu/dq'_i of the constraints on velocities, as code, where their rank can change.
#include "base/random.h"
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
static bool is_constant(const simulation *sim, const tape *t) {
    enum { STATES = 6 };
    if (constraint_rows_hide(t)) return false;
    const uint32_t k = sim->eq->system->k, n = sim->eq->system->n;
    machine rows;
    machine_init(&rows, t, sim->parameter_value);
    double *z = memory_array(double, t->state_count + (size_t)k * (n + k) + 1), found = 0;
    double *a = z + t->state_count + 1, *gram = a + k * n;
    uint64_t stream = 1;
    bool same = true;
    for (uint32_t state = 0; state < STATES && same; state++) {
        for (uint32_t i = 0; i <= t->state_count; i++) // in [-3, 3); the last is t
            z[i] = 6 * ((double)(random_next(&stream) >> 11) * 0x1p-53) - 3;
        if (!machine_run(&rows, z[t->state_count], z, a)) same = false;
        const double value = gram_determinant(k, n, a, gram);
        if (state && !(fabs(value - found) <= 1e-10 * fabs(found))) same = false;
        found = value;
    }
    machine_free(&rows);
    memory_free(z);
    return same && found > 0;
}

tape *constraint_rows(const simulation *sim) {
    const mechanics *s = sim->eq->system;
    if (!s->k || s->h || sim->eq->auxiliaries_count) return NULL;
    expr *rows = memory_array(expr, (size_t)s->k * s->n);
    ode_expressions(sim->o, s->k * s->n, s->phi_velocity, rows);
    tape *code = tape_create(s->pool, sim->o->size, sim->o->state, sim->m->time,
                             sim->parameter_count, sim->parameter, s->k * s->n, rows);
    memory_free(rows);
    if (!is_constant(sim, code)) return code;
    tape_free(code);
    return NULL;
}
