// Calls: functions of the model, with their arguments as they were typed, and the functions of the
// language.
#include "typed/evaluator.h"

#include <string.h>

static bool scalar_result(result *out, jet j) {
    out->type = VALUE_SCALAR;
    out->part[0] = j;
    return true;
}

// --- elementary functions ------------------------------------------------------------------------

static bool call_elementary(evaluator *ev, const elementary *f, const syntax *node,
                            const typed_binding *b, const level *l, result *out) {
    jet u, v;
    if (!evaluator_scalar(ev, node->first, b, l, &u)) return false;
    if (f->arity == 1) {
        scalar_result(out, jet_function(&ev->jets, f->kind, &u, &ev->finding));
    } else {
        if (!evaluator_scalar(ev, node->first->next, b, l, &v)) return false;
        scalar_result(out, jet_atan2(&ev->jets, &u, &v, &ev->finding));
    }
    return evaluator_succeeded(ev, node->at);
}

static bool call_sqrt(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                      result *out) {
    jet u;
    if (!evaluator_scalar(ev, node->first, b, l, &u)) return false;
    scalar_result(out, jet_sqrt(&ev->jets, &u, &ev->finding));
    return evaluator_succeeded(ev, node->at);
}

static bool call_extremum(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                          result *out) {
    jet best, next;
    if (!evaluator_scalar(ev, node->first, b, l, &best)) return false;
    for (const syntax *a = node->first->next; a; a = a->next) {
        if (!evaluator_scalar(ev, a, b, l, &next)) return false;
        best = jet_extremum(&ev->jets, &best, &next, strcmp(node->name, "max") == 0, &ev->finding);
        if (!evaluator_succeeded(ev, node->at)) return false;
    }
    return scalar_result(out, best);
}

// --- vectors -------------------------------------------------------------------------------------

static bool call_dot(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                     result *out) {
    jet u[3], v[3];
    if (!evaluator_vector(ev, node->first, b, l, u) ||
        !evaluator_vector(ev, node->first->next, b, l, v))
        return false;
    return scalar_result(out, jet_dot(&ev->jets, u, v));
}

static bool call_cross(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                       result *out) {
    jet u[3], v[3];
    if (!evaluator_vector(ev, node->first, b, l, u) ||
        !evaluator_vector(ev, node->first->next, b, l, v))
        return false;
    out->type = VALUE_VECTOR;
    jet_cross(&ev->jets, u, v, out->part);
    return true;
}

static bool call_norm(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                      result *out) {
    jet u[3];
    if (!evaluator_vector(ev, node->first, b, l, u)) return false;
    const jet square = jet_dot(&ev->jets, u, u);
    scalar_result(out, jet_sqrt(&ev->jets, &square, &ev->finding));
    return evaluator_succeeded(ev, node->at);
}

// --- calculus ------------------------------------------------------------------------------------

static bool call_ddt(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                     result *out) {
    const level *inner = level_in_time(ev, l, 1);
    if (!evaluator_run(ev, node->first, b, inner, out)) return false;
    result_take_derivatives(ev, out, inner, l);
    return true;
}

static bool call_diff(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                      result *out) {
    uint32_t symbol;
    if (!evaluator_resolve_symbol(ev, node->first->next, b, &symbol))
        return evaluator_fail(ev, TYPED_NO_VALUE, node->at,
                              "it is not plain what to differentiate by");
    const level *inner = level_by(ev, l, symbol);
    if (!evaluator_run(ev, node->first, b, inner, out)) return false;
    result_take_derivatives(ev, out, inner, l);
    return true;
}

// --- rotations, points and bodies ----------------------------------------------------------------

// R = cos(phi) 1 + sin(phi) [u] + (1 - cos(phi)) u u^T, u = axis/|axis|
static bool rotation_matrix(evaluator *ev, const jet axis[3], const jet *angle, span at,
                            jet matrix[9]) {
    const jet_context *c = &ev->jets;
    const jet square = jet_dot(c, axis, axis);
    jet u[3] = {axis[0], axis[1], axis[2]};
    if (!square.exact || square.numerator != 1 || square.denominator != 1) {
        const jet length = jet_sqrt(c, &square, &ev->finding);
        if (!evaluator_succeeded(ev, at)) return false;
        const jet scale = jet_inverse(c, &length, &ev->finding);
        if (!evaluator_succeeded(ev, at)) return false;
        for (int i = 0; i < 3; i++) u[i] = jet_mul(c, &scale, &axis[i]);
    }
    const jet cosine = jet_function(c, EXPR_COS, angle, &ev->finding);
    if (!evaluator_succeeded(ev, at)) return false;
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

// rot(x, angle): a bare letter is an axis whatever else has that name.
static bool call_rot(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                     result *out) {
    const syntax *axis = node->first;
    jet u[3], angle;
    const bool letter = axis->kind == SYNTAX_NAME && !axis->indices && !axis->primes &&
                        strlen(axis->name) == 1 && strchr("xyz", axis->name[0]);
    if (letter)
        for (int i = 0; i < 3; i++) u[i] = jet_rational(&ev->jets, axis->name[0] - 'x' == i, 1);
    else if (!evaluator_vector(ev, axis, b, l, u)) return false;
    if (!evaluator_scalar(ev, axis->next, b, l, &angle)) return false;
    out->type = VALUE_ROTATION;
    return rotation_matrix(ev, u, &angle, node->at, out->part);
}

// R = ((a^2 - u.u) 1 + 2 u u^T + 2 a [u])/(a^2 + u.u) of the quaternion (a, u)
static bool call_quat(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                      result *out) {
    const jet_context *c = &ev->jets;
    jet a, u[3];
    if (!evaluator_scalar(ev, node->first, b, l, &a)) return false;
    const syntax *next = node->first->next;
    for (int i = 0; i < 3; i++, next = next->next)
        if (!evaluator_scalar(ev, next, b, l, &u[i])) return false;
    const jet aa = jet_mul(c, &a, &a), uu = jet_dot(c, u, u), two = jet_rational(c, 2, 1),
              square = jet_add(c, &aa, &uu), straight = jet_sub(c, &aa, &uu);
    const jet scale = jet_inverse(c, &square, &ev->finding);
    if (!evaluator_succeeded(ev, node->at)) return false;
    out->type = VALUE_ROTATION;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            jet entry = jet_mul(c, &u[i], &u[j]);
            if (i != j) { // [u]_01 = -u_2, [u]_02 = u_1, [u]_12 = -u_0
                const jet turn = jet_mul(c, &a, &u[3 - i - j]);
                entry = ((j - i + 3) % 3 == 1 ? jet_sub : jet_add)(c, &entry, &turn);
            }
            entry = jet_mul(c, &two, &entry);
            if (i == j) entry = jet_add(c, &entry, &straight);
            out->part[3 * i + j] = jet_mul(c, &scale, &entry);
        }
    return true;
}

// The point or body that is the first argument; NULL: ev->finding says so.
static const entry *first_body(evaluator *ev, const syntax *node, const typed_binding *b) {
    const entry *e = evaluator_find_entry(ev, SPACE_BODIES, node->first, b);
    if (!e) evaluator_fail(ev, TYPED_NO_VALUE, node->at, "there is no such point or body");
    return e;
}

static bool call_place(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                       uint32_t primes, result *out) {
    const entry *e = first_body(ev, node, b);
    out->type = VALUE_VECTOR;
    return e && kinematics_place(ev, e, l, primes, out->part);
}
static bool call_pos(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                     result *out) {
    return call_place(ev, node, b, l, 0, out);
}
static bool call_vel(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                     result *out) {
    return call_place(ev, node, b, l, 1, out);
}
static bool call_acc(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                     result *out) {
    return call_place(ev, node, b, l, 2, out);
}

static bool call_omega(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                       result *out) {
    const entry *e = first_body(ev, node, b);
    out->type = VALUE_VECTOR;
    return e && kinematics_omega(ev, e, l, false, out->part);
}

static bool call_frame(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                       result *out) {
    const entry *e = first_body(ev, node, b);
    out->type = VALUE_ROTATION;
    return e && kinematics_matrix(ev, e, l, out->part);
}

// velat(B, p) = centre' + omega x (p - centre)
static bool call_velat(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                       result *out) {
    jet centre[3], velocity[3], omega[3], place[3], arm[3], turning[3];
    const entry *e = first_body(ev, node, b);
    if (!e || !kinematics_place(ev, e, l, 0, centre) || !kinematics_place(ev, e, l, 1, velocity) ||
        !kinematics_omega(ev, e, l, false, omega) ||
        !evaluator_vector(ev, node->first->next, b, l, place))
        return false;
    for (int i = 0; i < 3; i++) arm[i] = jet_sub(&ev->jets, &place[i], &centre[i]);
    jet_cross(&ev->jets, omega, arm, turning);
    out->type = VALUE_VECTOR;
    for (int i = 0; i < 3; i++) out->part[i] = jet_add(&ev->jets, &velocity[i], &turning[i]);
    return true;
}

static bool call_inertia(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                         result *out) {
    const entry *e = first_body(ev, node, b);
    out->type = VALUE_TENSOR;
    return e && kinematics_inertia_in_space(ev, e, l, out->part);
}

// momentum(B, P) = I omega + m (centre - P) x centre'
static bool call_momentum(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                          result *out) {
    const jet_context *c = &ev->jets;
    jet mass, centre[3], velocity[3], about[3], arm[3], moment[3], inertia[9], omega[3], spin[3];
    const entry *e = first_body(ev, node, b);
    if (!e || !kinematics_mass(ev, e, l, &mass) || !kinematics_place(ev, e, l, 0, centre) ||
        !kinematics_place(ev, e, l, 1, velocity) ||
        !evaluator_vector(ev, node->first->next, b, l, about))
        return false;
    for (int i = 0; i < 3; i++) arm[i] = jet_sub(c, &centre[i], &about[i]);
    jet_cross(c, arm, velocity, moment);
    out->type = VALUE_VECTOR;
    for (int i = 0; i < 3; i++) out->part[i] = jet_mul(c, &mass, &moment[i]);
    if (e->kind != ENTRY_BODY) return true;
    if (!kinematics_inertia_in_space(ev, e, l, inertia) ||
        !kinematics_omega(ev, e, l, false, omega))
        return false;
    jet_matrix_times_vector(c, inertia, omega, spin);
    for (int i = 0; i < 3; i++) out->part[i] = jet_add(c, &out->part[i], &spin[i]);
    return true;
}

// --- what has a value only where the state knows it ----------------------------------------------

static bool known_symbol(evaluator *ev, expr symbol, const syntax *node, const level *l,
                         result *out) {
    out->type = VALUE_SCALAR;
    if (symbol == EXPR_NONE)
        return evaluator_fail(ev, TYPED_NO_VALUE, node->at, "it has no value on this route");
    return symbol_jet(ev, expr_symbol_index(ev->model->pool, symbol), 0, l, node->at,
                      &out->part[0]);
}

static bool call_variation(evaluator *ev, const syntax *node, const typed_binding *b,
                           const level *l, result *out) {
    const entry *e = evaluator_find_entry(ev, SPACE_VALUES, node->first, b);
    const bool transposed = node->name[0] == 't'; // not `delta`
    return known_symbol(ev,
                        !e           ? EXPR_NONE
                        : transposed ? e->transposed
                                     : e->variation,
                        node, l, out);
}

// Of a rotation, its inverse; of a coordinate, delta(dx/dt) - d/dt delta(x)
static bool call_transpose(evaluator *ev, const syntax *node, const typed_binding *b,
                           const level *l, result *out) {
    const syntax *of = node->first;
    const entry *named =
        of->kind == SYNTAX_NAME ? scope_find(ev->model->scope, SPACE_VALUES, of->name) : NULL;
    if (named && (named->kind == ENTRY_COORD || named->kind == ENTRY_FAMILY))
        return call_variation(ev, node, b, l, out);
    result r;
    if (!evaluator_run(ev, of, b, l, &r)) return false;
    out->type = VALUE_ROTATION;
    for (int i = 0; i < 9; i++) out->part[i] = r.part[3 * (i % 3) + i / 3];
    return true;
}

static bool call_quantity(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                          result *out) {
    (void)b;
    const model *m = ev->model;
    expr symbol = EXPR_NONE;
    for (uint32_t i = 0; i < m->quantities_count && node->first->kind == SYNTAX_TEXT; i++)
        if (strcmp(m->quantities[i].name, node->first->name) == 0) symbol = m->quantities[i].symbol;
    return known_symbol(ev, symbol, node, l, out);
}

// Of a body that rolls the multipliers are components along its tangents and its normal.
static bool turn_to_space(evaluator *ev, const char *component, const level *l, result *force) {
    const result along = *force;
    for (int i = 0; i < 3; i++) {
        const entry *e = scope_find_direction(ev->model->scope, component, i);
        result direction;
        if (!e) return true;
        if (!evaluator_run(ev, e->definition, evaluator_import(ev, e->bindings), l, &direction))
            return false;
        for (int j = 0; j < 3; j++) {
            const jet part = jet_mul(&ev->jets, &along.part[i], &direction.part[j]);
            force->part[j] = i ? jet_add(&ev->jets, &force->part[j], &part) : part;
        }
    }
    return true;
}

// reaction(NAME): the multipliers of the components, 0 where one holds identically
static bool call_reaction(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                          result *out) {
    const model *m = ev->model;
    const constraint *c = NULL;
    out->type = VALUE_VECTOR;
    for (int i = 0; i < 3; i++) {
        c = evaluator_find_constraint(ev, node->first, "xyz"[i], b);
        if (!c) return evaluator_fail(ev, TYPED_NO_VALUE, node->at, "there is no such constraint");
        if (c->status == CONSTRAINT_IDENTITY) out->part[i] = jet_rational(&ev->jets, 0, 1);
        else if (!symbol_jet(ev, expr_symbol_index(m->pool, c->multiplier), 0, l, node->at,
                             &out->part[i]))
            return false;
    }
    return turn_to_space(ev, c->name, l, out);
}

// --- dispatch ------------------------------------------------------------------------------------

static const struct {
    const char *name;
    bool (*call)(evaluator *, const syntax *, const typed_binding *, const level *, result *);
} builtins[] = {
    {"sqrt", call_sqrt},         {"min", call_extremum},      {"max", call_extremum},
    {"ddt", call_ddt},           {"diff", call_diff},         {"dot", call_dot},
    {"cross", call_cross},       {"norm", call_norm},         {"rot", call_rot},
    {"quat", call_quat},         {"pos", call_pos},           {"vel", call_vel},
    {"acc", call_acc},           {"omega", call_omega},       {"frame", call_frame},
    {"velat", call_velat},       {"delta", call_variation},   {"transpose", call_transpose},
    {"quantity", call_quantity}, {"momentum", call_momentum}, {"inertia", call_inertia},
    {"reaction", call_reaction},
};
enum { BUILTINS = sizeof builtins / sizeof *builtins };

bool evaluator_call(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                    result *out) {
    const entry *e = scope_find(ev->model->scope, SPACE_VALUES, node->name);
    // a quasi-velocity omega, and omega(B)
    if (e && !e->arity && e->kind != ENTRY_FAMILY && scope_is_function(node->name)) e = NULL;
    if (e) {
        e = evaluator_find_entry(ev, SPACE_VALUES, node, b);
        if (!e || e->kind != ENTRY_LET || !e->arity)
            return evaluator_fail(ev, TYPED_NO_VALUE, node->at,
                                  "an abstract function has no values");
        return evaluator_run(ev, e->definition,
                             typed_binding_of_call(&ev->arena, ev->model->pool, e, node, b), l,
                             out);
    }
    for (int i = 0; i < BUILTINS; i++)
        if (strcmp(builtins[i].name, node->name) == 0) return builtins[i].call(ev, node, b, l, out);
    const elementary *f = scope_find_elementary(node->name);
    if (f) return call_elementary(ev, f, node, b, l, out);
    return evaluator_fail(ev, TYPED_NO_VALUE, node->at, "this function has no values");
}
