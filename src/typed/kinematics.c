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

// --- mass and inertia ----------------------------------------------------------------------------

bool kinematics_mass(evaluator *ev, const entry *e, const level *l, jet *out) {
    return evaluator_scalar(ev, entry_clause(e, "mass"), evaluator_import(ev, e->bindings), l, out);
}

// The inertia matrix from (Ix, Iy, Iz) or (Ix, Iy, Iz, Ixy, Ixz, Iyz)
bool kinematics_inertia(evaluator *ev, const entry *e, const level *l, jet matrix[9]) {
    static const int place[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
    const syntax *node = entry_clause(e, "inertia");
    const typed_binding *around = evaluator_import(ev, e->bindings);
    jet entry[6];
    for (int i = 3; i < 6; i++) entry[i] = jet_rational(&ev->jets, 0, 1);
    if (node->kind == SYNTAX_TUPLE && node->count == 6) {
        int i = 0;
        for (const syntax *c = node->first; c; c = c->next)
            if (!evaluator_scalar(ev, c, around, l, &entry[i++])) return false;
    } else if (!evaluator_vector(ev, node, around, l, entry)) return false;
    for (int i = 0; i < 9; i++) matrix[i] = entry[place[i]];
    return true;
}

// R I R^T
bool kinematics_inertia_in_space(evaluator *ev, const entry *body, const level *l, jet matrix[9]) {
    jet inertia[9], turn[9], back[9], half[9];
    if (!kinematics_inertia(ev, body, l, inertia) || !kinematics_matrix(ev, body, l, turn))
        return false;
    transpose_matrix(turn, back);
    jet_matrix_times_matrix(&ev->jets, inertia, back, half);
    jet_matrix_times_matrix(&ev->jets, turn, half, matrix);
    return true;
}
