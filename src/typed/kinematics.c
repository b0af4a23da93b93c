// Points and bodies: where they are, how they are turned, how fast they turn.
#include "typed/evaluator.h"

#include <string.h>

// The value of a clause at a level, remembered.
static bool clause_value(evaluator *ev, const entry *e, const char *word, const level *l,
                         result *out) {
    const syntax *node = entry_clause(e, word);
    const char *key = (const char *)e + (word[0] == 'r'); // the rotation and the place of one body
    if (evaluator_recall(ev, key, l, out)) return true;
    if (!evaluator_run(ev, node, evaluator_import(ev, e->bindings), l, out)) return false;
    evaluator_remember(ev, key, l, out);
    return true;
}

bool kinematics_place(evaluator *ev, const entry *e, const level *l, uint32_t primes, jet out[3]) {
    const level *inner = level_in_time(ev, l, primes);
    result place;
    if (!clause_value(ev, e, "at", inner, &place)) return false;
    result_take_derivatives(ev, &place, inner, l);
    memcpy(out, place.part, 3 * sizeof *out);
    return true;
}

bool kinematics_matrix(evaluator *ev, const entry *body, const level *l, jet matrix[9]) {
    result r;
    if (entry_clause(body, "rotation")) {
        if (!clause_value(ev, body, "rotation", l, &r)) return false;
    } else {
        for (int i = 0; i < 9; i++) r.part[i] = jet_rational(&ev->jets, i % 4 == 0, 1);
    }
    memcpy(matrix, r.part, sizeof r.part);
    return true;
}

static void transpose_matrix(const jet a[9], jet out[9]) {
    for (int i = 0; i < 9; i++) out[i] = a[3 * (i % 3) + i / 3];
}

// [omega] = R' R^T in space, R^T R' in the axes of the body.
bool kinematics_omega(evaluator *ev, const entry *body, const level *l, bool in_body_axes,
                      jet omega[3]) {
    const level *inner = level_in_time(ev, l, 1);
    jet moving[9], matrix[9], rate[9], back[9], spin[9];
    if (!kinematics_matrix(ev, body, inner, moving)) return false;
    for (int i = 0; i < 9; i++) {
        matrix[i] = jet_ground(moving[i], level_bit(inner));
        rate[i] = jet_coefficient(&ev->jets, &moving[i], level_bit(inner));
    }
    transpose_matrix(matrix, back);
    if (in_body_axes) jet_matrix_times_matrix(&ev->jets, back, rate, spin);
    else jet_matrix_times_matrix(&ev->jets, rate, back, spin);
    omega[0] = spin[7]; // [omega]_21, _02, _10
    omega[1] = spin[2];
    omega[2] = spin[3];
    return true;
}
