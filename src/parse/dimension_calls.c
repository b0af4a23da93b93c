// The dimension of a call: functions of the model, and the functions of the language.
#include "parse/dimension_check.h"

#include <string.h>

typedef enum {
    CALL_PURE,    // sin, exp: of a pure number, a pure number
    CALL_SAME,    // abs, min, max: the dimension of the arguments, which is one
    CALL_ANGLE,   // atan2: the arguments have one dimension, the value is a pure number
    CALL_SIGN,    // sign: a pure number, of anything
    CALL_ROOT,    // sqrt
    CALL_RATE,    // ddt
    CALL_SLOPE,   // diff(E, x)
    CALL_DOT,     // dot(u, v)
    CALL_CROSS,   // cross(u, v)
    CALL_NORM,    // norm(u)
    CALL_ROT,     // rot(axis, angle)
    CALL_QUAT,    // quat(a, b, c, d)
    CALL_PLACE,   // pos(P)
    CALL_SPEED,   // vel(P), velat(B, p)
    CALL_ACC,     // acc(P)
    CALL_OMEGA,   // omega(B)
    CALL_TURN,    // frame(B), transpose(R)
    CALL_SPIN,    // momentum(B, P)
    CALL_TENSOR,  // inertia(B)
    CALL_FORCE,   // reaction(c)
    CALL_VARIED,  // delta(x)
    CALL_UNKNOWN, // quantity(".."), and what is not listed here
} call_kind;

static call_kind kind_of(const char *name) {
    static const struct {
        const char *name;
        call_kind kind;
    } known[] = {{"abs", CALL_SAME},      {"min", CALL_SAME},       {"max", CALL_SAME},
                 {"atan2", CALL_ANGLE},   {"sign", CALL_SIGN},      {"sqrt", CALL_ROOT},
                 {"ddt", CALL_RATE},      {"diff", CALL_SLOPE},     {"dot", CALL_DOT},
                 {"cross", CALL_CROSS},   {"norm", CALL_NORM},      {"rot", CALL_ROT},
                 {"quat", CALL_QUAT},     {"pos", CALL_PLACE},      {"vel", CALL_SPEED},
                 {"velat", CALL_SPEED},   {"acc", CALL_ACC},        {"omega", CALL_OMEGA},
                 {"frame", CALL_TURN},    {"transpose", CALL_TURN}, {"delta", CALL_VARIED},
                 {"momentum", CALL_SPIN}, {"inertia", CALL_TENSOR}, {"reaction", CALL_FORCE}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0) return known[i].kind;
    return scope_find_elementary(name) ? CALL_PURE : CALL_UNKNOWN;
}

// --- functions of the language -------------------------------------------------------------------

// All arguments of one dimension, which is returned
static measure same(dim_check *ck, const syntax *node, const dim_binding *b) {
    const syntax *leading = node->first;
    measure all = dim_walk(ck, leading, b);
    for (const syntax *a = leading->next; a && !ck->failed; a = a->next) {
        const measure q = dim_walk(ck, a, b);
        dim_expect_same(ck, a, q, leading, all, "the arguments of a function");
        if (all.part[0].any) all = q, leading = a;
        all.plain &= q.plain;
    }
    all.is_number = false;
    return all;
}

static measure pure(dim_check *ck, const syntax *node, const dim_binding *b) {
    measure out = dim_scalar(dim_none());
    out.plain = true;
    for (const syntax *a = node->first; a; a = a->next) {
        const measure q = dim_walk(ck, a, b);
        dim_expect(ck, a, q, dim_none(), "the argument of a function");
        out.plain &= q.plain;
    }
    return out;
}

static measure powered(dim_check *ck, measure q, int64_t up, int64_t down) {
    exponent times = 0;
    exponent_make(up, down, &times);
    measure out = dim_scalar(dim_lost());
    if (q.type != VALUE_VOID) out.part[0] = dim_times(&ck->table, dim_none(), q.part[0], times);
    out.plain = q.plain;
    return out;
}

// u.x*v.x + u.y*v.y + u.z*v.z
static measure dot(dim_check *ck, const syntax *node, const dim_binding *b) {
    const syntax *second = node->first->next;
    const measure u = dim_walk(ck, node->first, b), v = dim_walk(ck, second, b);
    if (u.type != VALUE_VECTOR || v.type != VALUE_VECTOR) return dim_void();
    measure sum = dim_scalar(dim_any());
    for (int i = 0; i < 3; i++) {
        const measure term =
            dim_scalar(dim_times(&ck->table, u.part[i], v.part[i], DIMENSION_WHOLE));
        dim_expect_same(ck, node, term, node, sum, "the terms of `dot`");
        if (sum.part[0].any) sum = term;
    }
    return sum;
}

// (u.y*v.z - u.z*v.y, ..)
static measure cross(dim_check *ck, const syntax *node, const dim_binding *b) {
    const measure u = dim_walk(ck, node->first, b), v = dim_walk(ck, node->first->next, b);
    if (u.type != VALUE_VECTOR || v.type != VALUE_VECTOR) return dim_void();
    measure out = dim_vector(dim_any());
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const dim one = dim_times(&ck->table, u.part[j], v.part[k], DIMENSION_WHOLE),
                  two = dim_times(&ck->table, u.part[k], v.part[j], DIMENSION_WHOLE);
        dim_expect_same(ck, node, dim_scalar(two), node, dim_scalar(one), "the terms of `cross`");
        out.part[i] = one.any ? two : one;
    }
    return out;
}

static measure norm(dim_check *ck, const syntax *node, const dim_binding *b) {
    measure v = dim_walk(ck, node->first, b);
    if (v.type != VALUE_VECTOR) return dim_void();
    dim_expect_uniform(ck, node->first, &v);
    return dim_scalar(v.part[0]);
}

static measure rotation_of(dim_check *ck, const syntax *node, const dim_binding *b) {
    const syntax *axis = node->first, *angle = axis->next;
    const bool letter = axis->kind == SYNTAX_NAME && !axis->indices && !axis->primes &&
                        strlen(axis->name) == 1 && strchr("xyz", axis->name[0]);
    measure u = letter ? dim_void() : dim_walk(ck, axis, b);
    if (u.type == VALUE_VECTOR) dim_expect_uniform(ck, axis, &u);
    dim_expect(ck, angle, dim_walk(ck, angle, b), dim_none(), "an angle");
    return (measure){.type = VALUE_ROTATION};
}

// diff(E, x): E over x
static measure slope(dim_check *ck, const syntax *node, const dim_binding *b) {
    measure f = dim_walk(ck, node->first, b);
    const measure x = dim_walk(ck, node->first->next, b);
    if (f.type == VALUE_VOID || x.type == VALUE_VOID) return dim_void();
    for (int i = 0; i < 3; i++)
        f.part[i] = dim_times(&ck->table, f.part[i], x.part[0], -DIMENSION_WHOLE);
    f.plain = f.is_number = false;
    return f;
}

static measure rate(dim_check *ck, measure f) {
    for (int i = 0; i < 3; i++)
        f.part[i] =
            dim_times(&ck->table, f.part[i], dim_of(dimension_make(0, 0, -1)), DIMENSION_WHOLE);
    f.plain = f.is_number = false;
    return f;
}

// velat(B, p): p is a place
static measure speed(dim_check *ck, const syntax *node, const dim_binding *b) {
    const syntax *place = node->first->next;
    if (place)
        dim_expect(ck, place, dim_walk(ck, place, b), dim_of(dimension_make(1, 0, 0)), "a place");
    return dim_vector(dim_of(dimension_make(1, 0, -1)));
}

// transpose(R); in claims transpose(x), the variation of a velocity
static measure turned(dim_check *ck, const syntax *node, const dim_binding *b) {
    if (strcmp(node->name, "frame") == 0) return (measure){.type = VALUE_ROTATION};
    const measure q = dim_walk(ck, node->first, b);
    return q.type == VALUE_SCALAR ? rate(ck, q) : q;
}

// momentum(B, P): P is a place
static measure spin(dim_check *ck, const syntax *node, const dim_binding *b) {
    const syntax *about = node->first->next;
    dim_expect(ck, about, dim_walk(ck, about, b), dim_of(dimension_make(1, 0, 0)), "a place");
    return dim_vector(dim_of(dimension_make(2, 1, -1)));
}

// reaction(c) = (lambda[c.x], lambda[c.y], lambda[c.z])
static measure reaction(dim_check *ck, const syntax *node, const dim_binding *b) {
    measure out = dim_vector(dim_lost());
    for (int i = 0; i < 3; i++) {
        syntax component = {.kind = SYNTAX_COMPONENT, .at = node->at, .first = node->first};
        component.name = (const char *[]){"x", "y", "z"}[i];
        syntax lambda = {.kind = SYNTAX_NAME, .at = node->at, .indices = &component};
        lambda.name = "lambda";
        out.part[i] = dim_multiplier(ck, &lambda, b).part[0];
    }
    return out;
}

static measure call_builtin(dim_check *ck, const syntax *node, const dim_binding *b) {
    measure q = dim_void();
    switch (kind_of(node->name)) {
    case CALL_PURE: return pure(ck, node, b);
    case CALL_SAME: return same(ck, node, b);
    case CALL_ANGLE: q = same(ck, node, b); break;
    case CALL_SIGN: q = dim_walk(ck, node->first, b); break;
    case CALL_ROOT: return powered(ck, dim_walk(ck, node->first, b), 1, 2);
    case CALL_RATE: return rate(ck, dim_walk(ck, node->first, b));
    case CALL_SLOPE: return slope(ck, node, b);
    case CALL_DOT: return dot(ck, node, b);
    case CALL_CROSS: return cross(ck, node, b);
    case CALL_NORM: return norm(ck, node, b);
    case CALL_ROT: return rotation_of(ck, node, b);
    case CALL_QUAT: same(ck, node, b); return (measure){.type = VALUE_ROTATION};
    case CALL_PLACE: return dim_vector(dim_of(dimension_make(1, 0, 0)));
    case CALL_SPEED: return speed(ck, node, b);
    case CALL_ACC: return dim_vector(dim_of(dimension_make(1, 0, -2)));
    case CALL_OMEGA: return dim_vector(dim_of(dimension_make(0, 0, -1)));
    case CALL_TURN: return turned(ck, node, b);
    case CALL_SPIN: return spin(ck, node, b);
    case CALL_TENSOR:
        q = dim_scalar(dim_of(dimension_make(2, 1, 0)));
        q.type = VALUE_TENSOR;
        return q;
    case CALL_FORCE: return reaction(ck, node, b);
    case CALL_VARIED: return dim_walk(ck, node->first, b);
    case CALL_UNKNOWN: return dim_void();
    }
    measure out = dim_scalar(dim_none()); // of atan2 and sign
    out.plain = q.plain;
    return out;
}

// --- functions of the model ----------------------------------------------------------------------

// An abstract function: what it takes and gives is the same at every call.
static measure call_abstract(dim_check *ck, entry *e, const syntax *node, const dim_binding *b) {
    measure *known = e->measure; // its value, then its arguments
    if (!known) {
        known = arena_array(ck->table.arena, measure, e->arity + 1);
        for (uint32_t i = 0; i <= e->arity; i++)
            known[i] = dim_scalar(dim_new(&ck->table, e->name));
        e->measure = known;
    }
    uint32_t i = 1;
    for (const syntax *a = node->first; a && !ck->failed; a = a->next, i++)
        dim_expect_same(ck, a, dim_walk(ck, a, b), NULL, known[i], "the argument of a function");
    return known[0];
}

// The definition is walked anew at each call: it may be of lengths here and of angles there.
static measure call_defined(dim_check *ck, const entry *e, const syntax *node,
                            const dim_binding *b) {
    const dim_binding *inner = dim_import(ck, e->bindings);
    const syntax *parameter = e->parameters;
    for (const syntax *a = node->first; a && parameter; a = a->next, parameter = parameter->next) {
        dim_binding *bound = arena_new(ck->table.arena, dim_binding);
        *bound = (dim_binding){parameter->name, dim_walk(ck, a, b), inner};
        inner = bound;
    }
    return dim_walk(ck, e->definition, inner);
}

measure dim_call(dim_check *ck, const syntax *node, const dim_binding *b) {
    entry *e = scope_find(ck->el->scope, SPACE_VALUES, node->name);
    if (e && !e->arity && e->kind != ENTRY_FAMILY && scope_is_function(node->name)) e = NULL;
    if (!e) return call_builtin(ck, node, b);
    if (!e->arity) return dim_void(); // of a family of functions
    return e->kind == ENTRY_FUNCTION ? call_abstract(ck, e, node, b) : call_defined(ck, e, node, b);
}
