// Points, bodies and rotations: matrices by Rodrigues' formula, angular velocities from R' R^T.
#include "typed/evaluator.h"

#include <string.h>

// --- vectors and matrices ------------------------------------------------------------------------

jet jet_dot(const evaluator *ev, const jet a[3], const jet b[3]) {
    jet sum = jet_mul(&ev->jets, &a[0], &b[0]);
    for (int i = 1; i < 3; i++) {
        const jet term = jet_mul(&ev->jets, &a[i], &b[i]);
        sum = jet_add(&ev->jets, &sum, &term);
    }
    return sum;
}

void jet_cross(const evaluator *ev, const jet a[3], const jet b[3], jet out[3]) {
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const jet plus = jet_mul(&ev->jets, &a[j], &b[k]), minus = jet_mul(&ev->jets, &a[k], &b[j]);
        out[i] = jet_sub(&ev->jets, &plus, &minus);
    }
}

void jet_matrix_times_vector(const evaluator *ev, const jet a[9], const jet v[3], jet out[3]) {
    for (int i = 0; i < 3; i++) out[i] = jet_dot(ev, a + 3 * i, v);
}

void jet_matrix_times_matrix(const evaluator *ev, const jet a[9], const jet b[9], jet out[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const jet column[3] = {b[j], b[3 + j], b[6 + j]};
            out[3 * i + j] = jet_dot(ev, a + 3 * i, column);
        }
}

// R = cos(phi) 1 + sin(phi) [u] + (1 - cos(phi)) u u^T, u = axis/|axis|
static bool rotation_matrix(evaluator *ev, const jet axis[3], const jet *angle, span at,
                            jet matrix[9]) {
    const jet_context *c = &ev->jets;
    const jet square = jet_dot(ev, axis, axis);
    jet u[3] = {axis[0], axis[1], axis[2]};
    if (!square.exact || square.numerator != 1 || square.denominator != 1) {
        const jet length = jet_sqrt(c, &square, &ev->finding);
        if (!evaluator_settled(ev, at)) return false;
        const jet scale = jet_inverse(c, &length, &ev->finding);
        if (!evaluator_settled(ev, at)) return false;
        for (int i = 0; i < 3; i++) u[i] = jet_mul(c, &scale, &axis[i]);
    }
    const jet cosine = jet_function(c, EXPR_COS, angle, &ev->finding);
    if (!evaluator_settled(ev, at)) return false;
    const jet sine = jet_function(c, EXPR_SIN, angle, &ev->finding), one = jet_rational(c, 1, 1);
    const jet rest = jet_sub(c, &one, &cosine);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            jet entry = jet_mul(c, &u[i], &u[j]);
            entry = jet_mul(c, &rest, &entry);
            const jet turn = i == j ? cosine : jet_mul(c, &sine, &u[3 - i - j]);
            // [u]_01 = -u_2, [u]_02 = u_1, [u]_12 = -u_0
            const bool minus = i != j && (j - i + 3) % 3 == 1;
            matrix[3 * i + j] = (minus ? jet_sub : jet_add)(c, &entry, &turn);
        }
    return true;
}

// --- points and bodies ---------------------------------------------------------------------------

const syntax *kinematics_find_clause(const entry *e, const char *word) {
    for (const item *it = e->statement->items; it; it = it->next)
        if (strcmp(it->word, word) == 0) return it->value;
    return NULL;
}

// The value of a clause at a level, remembered.
static bool clause_value(evaluator *ev, const entry *e, const char *word, const level *l,
                         result *out) {
    const syntax *s = kinematics_find_clause(e, word);
    const char *key = (const char *)e + (word[0] == 'r'); // the rotation and the place of one body
    if (evaluator_recall(ev, key, l, out)) return true;
    if (!evaluator_run(ev, s, typed_binding_import(&ev->arena, ev->model->pool, e->bindings), l,
                       out))
        return false;
    evaluator_remember(ev, key, l, out);
    return true;
}

bool place_rate(evaluator *ev, const entry *e, const level *l, uint32_t primes, jet out[3]) {
    const level *inner = l;
    for (uint32_t i = 0; i < primes; i++) inner = level_in_time(ev, inner);
    result place;
    if (!clause_value(ev, e, "at", inner, &place)) return false;
    for (int i = 0; i < 3; i++) {
        out[i] = place.part[i];
        for (const level *k = inner; k != l; k = k->outer)
            out[i] = jet_coefficient(&ev->jets, &out[i], level_bit(k));
    }
    return true;
}

static bool body_matrix(evaluator *ev, const entry *body, const level *l, jet matrix[9]) {
    result r;
    if (kinematics_find_clause(body, "rotation")) {
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
bool kinematics_body_omega(evaluator *ev, const entry *body, const level *l, bool in_body_axes,
                           jet omega[3]) {
    const level *inner = level_in_time(ev, l);
    jet moving[9], matrix[9], rate[9], back[9], spin[9];
    if (!body_matrix(ev, body, inner, moving)) return false;
    for (int i = 0; i < 9; i++) {
        matrix[i] = jet_ground(&moving[i], level_bit(inner));
        rate[i] = jet_coefficient(&ev->jets, &moving[i], level_bit(inner));
    }
    transpose_matrix(matrix, back);
    if (in_body_axes) jet_matrix_times_matrix(ev, back, rate, spin);
    else jet_matrix_times_matrix(ev, rate, back, spin);
    omega[0] = spin[7]; // [omega]_21, _02, _10
    omega[1] = spin[2];
    omega[2] = spin[3];
    return true;
}

// --- calls ---------------------------------------------------------------------------------------

// rot(x, angle): a bare letter is an axis whatever else has that name.
static bool call_rot(evaluator *ev, const syntax *s, const typed_binding *b, const level *l,
                     result *out) {
    const syntax *axis = s->first;
    jet u[3], angle;
    const bool letter = axis->kind == SYNTAX_NAME && !axis->indices && !axis->primes &&
                        strlen(axis->name) == 1 && strchr("xyz", axis->name[0]);
    if (letter)
        for (int i = 0; i < 3; i++) u[i] = jet_rational(&ev->jets, axis->name[0] - 'x' == i, 1);
    else if (!evaluator_vector(ev, axis, b, l, u)) return false;
    if (!evaluator_scalar(ev, axis->next, b, l, &angle)) return false;
    out->type = VALUE_ROTATION;
    return rotation_matrix(ev, u, &angle, s->at, out->part);
}

// velat(B, p) = centre' + omega x (p - centre)
static bool call_velat(evaluator *ev, const entry *e, const syntax *s, const typed_binding *b,
                       const level *l, jet out[3]) {
    jet centre[3], velocity[3], omega[3], place[3], arm[3], turning[3];
    if (!place_rate(ev, e, l, 0, centre) || !place_rate(ev, e, l, 1, velocity) ||
        !kinematics_body_omega(ev, e, l, false, omega) ||
        !evaluator_vector(ev, s->first->next, b, l, place))
        return false;
    for (int i = 0; i < 3; i++) arm[i] = jet_sub(&ev->jets, &place[i], &centre[i]);
    jet_cross(ev, omega, arm, turning);
    for (int i = 0; i < 3; i++) out[i] = jet_add(&ev->jets, &velocity[i], &turning[i]);
    return true;
}

bool evaluator_kinematics(evaluator *ev, const syntax *s, const typed_binding *b, const level *l,
                          result *out) {
    if (strcmp(s->name, "rot") == 0) return call_rot(ev, s, b, l, out);
    const entry *e = evaluator_find_entry(ev, SPACE_BODIES, s->first, b);
    if (!e) return evaluator_fail(ev, TYPED_NO_VALUE, s->at, "there is no such point or body");
    out->type = VALUE_VECTOR;
    switch (s->name[0]) {
    case 'p': return place_rate(ev, e, l, 0, out->part);
    case 'a': return place_rate(ev, e, l, 2, out->part);
    case 'o': return kinematics_body_omega(ev, e, l, false, out->part);
    case 'f': out->type = VALUE_ROTATION; return body_matrix(ev, e, l, out->part);
    default: break;
    }
    return s->name[3] ? call_velat(ev, e, s, b, l, out->part) : place_rate(ev, e, l, 1, out->part);
}
