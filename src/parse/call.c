// Calls: functions of the model, and the functions of the language.
#include "parse/elaborate.h"

#include <string.h>

// --- scalars and vectors -------------------------------------------------------------------------

static value call_sqrt(elaborator *el, const syntax *node, const binding *b) {
    expr u;
    if (!elab_scalar(el, node->first, b, &u)) return value_void();
    return value_power(el->ctx, el->pool, u, EXPR_HALF, node->at, node->at);
}

static value extremum(elaborator *el, const syntax *node, const binding *b,
                      expr (*choose)(pool *, expr, expr)) {
    expr best = EXPR_ZERO, next;
    bool good = true;
    for (const syntax *a = node->first; a; a = a->next) {
        good &= elab_scalar(el, a, b, &next);
        best = a == node->first ? next : choose(el->pool, best, next);
    }
    return good ? value_scalar(best) : value_void();
}
static value call_min(elaborator *el, const syntax *node, const binding *b) {
    return extremum(el, node, b, expr_min);
}
static value call_max(elaborator *el, const syntax *node, const binding *b) {
    return extremum(el, node, b, expr_max);
}

static bool two_vectors(elaborator *el, const syntax *node, const binding *b, vec3 *u, vec3 *v) {
    const bool good = elab_vector(el, node->first, b, u);
    return elab_vector(el, node->first->next, b, v) && good;
}

static value call_dot(elaborator *el, const syntax *node, const binding *b) {
    vec3 u, v;
    return two_vectors(el, node, b, &u, &v) ? value_scalar(vec3_dot(el->pool, u, v)) : value_void();
}

static value call_cross(elaborator *el, const syntax *node, const binding *b) {
    vec3 u, v;
    return two_vectors(el, node, b, &u, &v) ? value_vector(vec3_cross(el->pool, u, v))
                                            : value_void();
}

static value call_norm(elaborator *el, const syntax *node, const binding *b) {
    vec3 u;
    return elab_vector(el, node->first, b, &u) ? value_scalar(vec3_norm(el->pool, u))
                                               : value_void();
}

// --- calculus ------------------------------------------------------------------------------------

// Reports if the value depends on a quantity(..), whose derivatives are not known.
static bool holds_quantity(elaborator *el, const syntax *node, value v) {
    const model *m = el->model;
    if (v.type != VALUE_SCALAR && v.type != VALUE_VECTOR) return false;
    for (uint32_t i = 0; i < m->quantities_count; i++) {
        const expr *const parts = v.type == VALUE_VECTOR ? v.vector.at : &v.scalar;
        bool held = false;
        for (int j = 0; j < (v.type == VALUE_VECTOR ? 3 : 1); j++)
            held |= expr_depends_on(el->pool, parts[j], 1, &m->quantities[i].symbol);
        if (!held) continue;
        diag_error(el->ctx, node->at, NULL, "`quantity(\"%s\")` cannot be differentiated",
                   m->quantities[i].name);
        return true;
    }
    return false;
}

static value call_ddt(elaborator *el, const syntax *node, const binding *b) {
    const value f = elab_evaluate(el, node->first, b);
    return holds_quantity(el, node, f) ? value_void()
                                       : value_ddt(el->ctx, el->pool, f, node->first->at);
}

static value call_diff(elaborator *el, const syntax *node, const binding *b) {
    const syntax *by = node->first->next;
    const value f = elab_evaluate(el, node->first, b), x = elab_evaluate(el, by, b);
    if (x.type == VALUE_VOID || f.type == VALUE_VOID || holds_quantity(el, node, f))
        return value_void();
    if (x.type != VALUE_SCALAR || !expr_as_symbol(el->pool, x.scalar)) {
        diag_error(el->ctx, by->at, NULL,
                   "expected a coordinate, a velocity, a parameter or `t` to differentiate by");
        return value_void();
    }
    el->steps += pool_size(el->pool) / 32; // a derivative goes through the whole expression
    if (f.type == VALUE_SCALAR) return value_scalar(expr_partial(el->pool, f.scalar, x.scalar));
    if (!value_expect(el->ctx, f, VALUE_VECTOR, node->first->at)) return value_void();
    vec3 d;
    for (int i = 0; i < 3; i++) d.at[i] = expr_partial(el->pool, f.vector.at[i], x.scalar);
    return value_vector(d);
}

static value call_sum(elaborator *el, const syntax *node, const binding *b) {
    (void)b;
    diag_error(el->ctx, node->at,
               arena_format(&el->ctx->arena, "write `%s(i in 1..N, ...)`", node->name),
               "`%s` needs an index and its range", node->name);
    return value_void();
}

// --- kinematics ----------------------------------------------------------------------------------

// rot(x, angle): a bare letter is the axis even when a coordinate has that name.
static value call_rot(elaborator *el, const syntax *node, const binding *b) {
    const syntax *axis = node->first;
    vec3 u = vec3_make(EXPR_ZERO, EXPR_ZERO, EXPR_ZERO);
    bool good = true;
    if (axis->kind == SYNTAX_NAME && !axis->indices && !axis->primes && strlen(axis->name) == 1 &&
        strchr("xyz", axis->name[0])) {
        u.at[axis->name[0] - 'x'] = EXPR_ONE;
    } else {
        const value v = elab_evaluate(el, axis, b);
        good = v.type == VALUE_VECTOR;
        if (good) u = v.vector;
        else if (v.type != VALUE_VOID)
            diag_error(el->ctx, axis->at, NULL,
                       "expected an axis: `x`, `y`, `z` or a vector, found %s", value_noun(v.type));
    }
    expr angle;
    if (!elab_scalar(el, axis->next, b, &angle) || !good) return value_void();
    if (vec3_dot(el->pool, u, u) == EXPR_ZERO) {
        if (!el->ctx->exhausted)
            diag_error(el->ctx, axis->at, NULL, "the axis of a rotation must not be zero");
        return value_void();
    }
    return value_rotation(rotation_about(el->pool, u, angle));
}

// quat(a, b, c, d): the rotation of the quaternion a + b i + c j + d k
static value call_quat(elaborator *el, const syntax *node, const binding *b) {
    expr part[4];
    bool good = true, zero = true;
    int i = 0;
    for (const syntax *a = node->first; a; a = a->next, i++) {
        good &= elab_scalar(el, a, b, &part[i]);
        zero = zero && good && part[i] == EXPR_ZERO;
    }
    if (!good) return value_void();
    if (zero) {
        diag_error(el->ctx, node->at, NULL, "the quaternion 0 is no rotation");
        return value_void();
    }
    return value_rotation(
        rotation_of_quaternion(el->pool, part[0], vec3_make(part[1], part[2], part[3])));
}

// --- variations, in claims -----------------------------------------------------------------------

static value varied(elaborator *el, const syntax *node, const binding *b, symbol_role role) {
    if (!el->in_claim) {
        diag_error(el->ctx, node->at, NULL, "`%s(...)` may stand only in `claim`", node->name);
        return value_void();
    }
    entry *e = elab_find_coordinate(el, node->first, b, NULL);
    if (!e) return value_void();
    expr *made = role == ROLE_VARIATION ? &e->variation : &e->transposed;
    if (*made == EXPR_NONE) {
        *made = expr_symbol(el->pool, arena_format(&el->ctx->arena, "%s(%s)", node->name, e->name),
                            role);
        list_push(el->model, variations, (variation){e->symbol, *made});
    }
    return value_scalar(*made);
}
static value call_delta(elaborator *el, const syntax *node, const binding *b) {
    return varied(el, node, b, ROLE_VARIATION);
}
// transpose(R): the inverse of a rotation; in claims transpose(x), of a coordinate, is
// delta(dx/dt) - d/dt delta(x).
static value call_transpose(elaborator *el, const syntax *node, const binding *b) {
    const syntax *of = node->first;
    const entry *named =
        of->kind == SYNTAX_NAME ? scope_find(el->scope, SPACE_VALUES, of->name) : NULL;
    if (named && (named->kind == ENTRY_COORD || named->kind == ENTRY_FAMILY))
        return varied(el, node, b, ROLE_TRANSPOSE);
    const value v = elab_evaluate(el, of, b);
    return value_expect(el->ctx, v, VALUE_ROTATION, of->at)
               ? value_rotation(rotation_inverse(el->pool, v.rotation))
               : value_void();
}

// quantity("det W"): a symbol for what is called so in the form under which the claim is judged.
static value call_quantity(elaborator *el, const syntax *node, const binding *b) {
    (void)b;
    model *m = el->model;
    if (!el->in_claim || node->first->kind != SYNTAX_TEXT) {
        diag_error(el->ctx, node->at, el->in_claim ? "write `quantity(\"det W\")`" : NULL,
                   el->in_claim ? "expected a name in double quotes"
                                : "`quantity(...)` may stand only in `claim`");
        return value_void();
    }
    for (uint32_t i = 0; i < m->quantities_count; i++)
        if (strcmp(m->quantities[i].name, node->first->name) == 0)
            return value_scalar(m->quantities[i].symbol);
    const quantity q = {node->first->name, expr_symbol(el->pool, node->first->name, ROLE_LOCAL)};
    list_push(m, quantities, q);
    return value_scalar(q.symbol);
}

// --- dispatch ------------------------------------------------------------------------------------

typedef struct {
    const char *name;
    uint32_t least, most; // arguments
    value (*call)(elaborator *, const syntax *, const binding *);
} builtin;

static const builtin builtins[] = {
    {"sqrt", 1, 1, call_sqrt},
    {"min", 2, UINT32_MAX, call_min},
    {"max", 2, UINT32_MAX, call_max},
    {"ddt", 1, 1, call_ddt},
    {"diff", 2, 2, call_diff},
    {"sum", 0, UINT32_MAX, call_sum},
    {"dot", 2, 2, call_dot},
    {"cross", 2, 2, call_cross},
    {"prod", 0, UINT32_MAX, call_sum},
    {"norm", 1, 1, call_norm},
    {"rot", 2, 2, call_rot},
    {"quat", 4, 4, call_quat},
    {"pos", 1, 1, elab_call_pos},
    {"vel", 1, 1, elab_call_vel},
    {"acc", 1, 1, elab_call_acc},
    {"omega", 1, 1, elab_call_omega},
    {"frame", 1, 1, elab_call_frame},
    {"velat", 2, 2, elab_call_velat},
    {"delta", 1, 1, call_delta},
    {"transpose", 1, 1, call_transpose},
    {"quantity", 1, 1, call_quantity},
    {"momentum", 2, 2, elab_call_momentum},
    {"inertia", 1, 1, elab_call_inertia},
    {"reaction", 1, 1, elab_reaction},
};

enum { BUILTINS = sizeof builtins / sizeof *builtins };

static bool expect_arguments(elaborator *el, const syntax *node, uint32_t least, uint32_t most) {
    if (node->count >= least && node->count <= most) return true;
    diag_error(el->ctx, node->at, NULL, "`%s` takes %s%u argument%s, found %u", node->name,
               least == most ? "" : "at least ", least, least == 1 ? "" : "s", node->count);
    return false;
}

static bool read_arguments(elaborator *el, const syntax *node, const binding *b, expr *arguments) {
    bool good = true;
    for (const syntax *a = node->first; a; a = a->next) good &= elab_scalar(el, a, b, arguments++);
    return good;
}

static value call_builtin(elaborator *el, const syntax *node, const binding *b) {
    for (int i = 0; i < BUILTINS; i++)
        if (strcmp(builtins[i].name, node->name) == 0)
            return expect_arguments(el, node, builtins[i].least, builtins[i].most)
                       ? builtins[i].call(el, node, b)
                       : value_void();
    const elementary *f = scope_find_elementary(node->name);
    if (!f) {
        elab_unknown(el, node);
        return value_void();
    }
    expr arguments[2];
    if (!expect_arguments(el, node, f->arity, f->arity) || !read_arguments(el, node, b, arguments))
        return value_void();
    return value_function(el->ctx, el->pool, f->kind, arguments, node->at);
}

static value call_abstract(elaborator *el, const entry *e, const syntax *node, const binding *b) {
    expr *arguments = arena_array(&el->ctx->arena, expr, e->arity);
    if (!read_arguments(el, node, b, arguments)) return value_void();
    return value_scalar(expr_apply(el->pool, e->index, e->arity, arguments));
}

// The definition with the arguments in place of the parameters.
static value call_defined(elaborator *el, entry *e, const syntax *node, const binding *b) {
    const binding *inner = e->bindings;
    const syntax *parameter = e->parameters;
    bool good = true;
    for (const syntax *a = node->first; a; a = a->next, parameter = parameter->next) {
        const value v = elab_evaluate(el, a, b);
        good &= v.type != VALUE_VOID;
        inner = elab_bind(el, parameter->name, v, inner);
    }
    if (!good || !elab_define(el, e)) return value_void(); // define only looks for circles here
    e->state = ENTRY_BUSY;
    e->user = el->busy;
    el->busy = e;
    const value v = elab_evaluate(el, e->definition, inner);
    el->busy = e->user;
    e->state = ENTRY_FRESH;
    return v;
}

static void report_no_function(elaborator *el, const entry *e, const syntax *node) {
    const bool of_time =
        node->count == 1 && node->first->kind == SYNTAX_NAME && strcmp(node->first->name, "t") == 0;
    const bool moves = e->kind == ENTRY_COORD || e->kind == ENTRY_GIVEN || e->kind == ENTRY_INPUT ||
                       e->kind == ENTRY_QUASI;
    arena *a = &el->ctx->arena;
    const char *help =
        of_time && moves ? arena_format(a, "it is a function of time already: write `%s`", e->name)
                         : arena_format(a, "write `%s*(...)` for a product", e->name);
    diag_error(el->ctx, node->at, help, "`%s` is %s, not a function", e->name, scope_noun(e->kind));
}

value elab_call(elaborator *el, const syntax *node, const binding *b) {
    entry *e = scope_find(el->scope, SPACE_VALUES, node->name);
    // quasi omega, and omega(B)
    if (e && !e->arity && e->kind != ENTRY_FAMILY && scope_is_function(node->name)) e = NULL;
    if (!e) return call_builtin(el, node, b);
    bool known;
    e = elab_find(el, SPACE_VALUES, node, b, &known);
    if (!e) return value_void();
    if (!e->arity) {
        report_no_function(el, e, node);
        return value_void();
    }
    e->called = true;
    if (!expect_arguments(el, node, e->arity, e->arity)) return value_void();
    return e->kind == ENTRY_FUNCTION ? call_abstract(el, e, node, b) : call_defined(el, e, node, b);
}
