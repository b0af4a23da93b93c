// Definitions, worked out when first asked for: constants, parameters, givens, abbreviations,
// quasi-velocities, points, bodies.
#include "parse/elaborate.h"

#include <stdlib.h>
#include <string.h>

// --- what a value may depend on ------------------------------------------------------------------

bool elab_expect_roles(elaborator *el, expr e, span at, unsigned roles, const char *what) {
    if (el->ctx->exhausted) return false;
    uint32_t count;
    expr *nodes = expr_reachable(el->pool, 1, &e, &count);
    el->steps += count / 16;
    const symbol *wrong = NULL;
    for (uint32_t i = 0; i < count && !wrong; i++) {
        const symbol *s = expr_as_symbol(el->pool, nodes[i]);
        if (s && !(roles & 1u << s->role)) wrong = s;
    }
    memory_free(nodes);
    if (wrong)
        diag_error(el->ctx, at, NULL, "expected %s, found a value that depends on `%s`", what,
                   expr_symbol_text(el->pool, wrong->node));
    return !wrong;
}

bool elab_constant(elaborator *el, const syntax *s, const binding *b, expr *out) {
    return elab_scalar(el, s, b, out) &&
           elab_expect_roles(el, *out, s->at, 1u << ROLE_PARAMETER, "a constant");
}

const char *elab_decimal(elaborator *el, const syntax *s) {
    const bool negative = s->kind == SYNTAX_NEGATE;
    if (negative) s = s->first;
    if (s->kind != SYNTAX_NUMBER || !s->at.source) return NULL;
    const char *typed =
        arena_copy(&el->ctx->arena, s->at.source->bytes + s->at.offset, s->at.length);
    if (!strpbrk(typed, ".eE")) return NULL;
    return negative ? arena_format(&el->ctx->arena, "-%s", typed) : typed;
}

bool elab_expect_order(elaborator *el, expr e, span at, int most, const char *what) {
    if (el->ctx->exhausted) return false;
    if (expr_order(el->pool, e) <= most) return true;
    if (most == 0)
        diag_error(el->ctx, at, NULL, "%s depends on coordinates and time, not on velocities",
                   what);
    else if (most == 1)
        diag_error(el->ctx, at, NULL,
                   "%s may hold coordinates, velocities and time, not accelerations", what);
    else
        diag_error(el->ctx, at, NULL, "%s may hold derivatives of coordinates up to order %d here",
                   what, most);
    return false;
}

static bool expect_static_vector(elaborator *el, const vec3 *v, span at, const char *what) {
    bool good = true;
    for (int i = 0; i < 3 && good; i++) good = elab_expect_order(el, v->at[i], at, 0, what);
    return good;
}

// --- circles -------------------------------------------------------------------------------------

// Has --set replaced what the model says? The definition then lies in another text than the name.
static bool is_overridden(const entry *e) {
    return e->definition && e->definition->at.source != e->at.source;
}

// At the override that closes the circle, if there is one: the model itself has none.
static void report_circle(elaborator *el, const entry *e) {
    enum { SHOWN = 8 };
    const char *path = e->name;
    int shown = 0;
    span at = is_overridden(e) ? e->definition->at : e->at;
    for (const entry *user = el->busy; user; user = user->user) {
        if (shown++ == SHOWN && user != e) path = arena_format(&el->ctx->arena, ".. -> %s", path);
        else if (shown <= SHOWN || user == e)
            path = arena_format(&el->ctx->arena, "%s -> %s", user->name, path);
        if (user == e) break;
        if (is_overridden(user) && !is_overridden(e)) at = user->definition->at;
    }
    diag_error(el->ctx, at, NULL, "`%s` is defined in terms of itself: %s", e->name, path);
}

// --- one kind of entry each ----------------------------------------------------------------------

static value define_constant(elaborator *el, const entry *e) {
    int64_t n;
    if (!e->definition) return value_void(); // an override that could not be read
    el->only_constants = true;
    if (!elab_integer(el, e->definition, e->bindings, "a `const`", &n)) return value_void();
    return value_scalar(expr_int(el->pool, n));
}

static value define_parameter(elaborator *el, const entry *e) {
    if (!e->definition) return value_scalar(e->symbol);
    el->follow = true;
    expr v;
    if (!elab_constant(el, e->definition, e->bindings, &v)) return value_void();
    parameter *p = &el->model->parameters[e->index];
    p->value = v;
    p->decimal = elab_decimal(el, e->definition);
    return value_scalar(e->symbol);
}

static value define_given(elaborator *el, const entry *e) {
    if (!e->definition) return value_scalar(e->symbol);
    const unsigned roles = 1u << ROLE_PARAMETER | 1u << ROLE_TIME | 1u << ROLE_GIVEN;
    el->follow = true;
    expr v;
    if (!elab_scalar(el, e->definition, e->bindings, &v)) return value_void();
    if (!elab_expect_roles(el, v, e->definition->at, roles, "a function of time"))
        return value_void();
    el->model->givens[e->index].definition = v;
    return value_scalar(e->symbol);
}

static value define_quasi(elaborator *el, const entry *e) {
    expr v;
    if (!elab_scalar(el, e->definition, e->bindings, &v)) return value_void();
    if (!elab_expect_order(el, v, e->definition->at, 1, "a quasi-velocity")) return value_void();
    el->model->quasis[e->index].definition = v;
    return value_scalar(v);
}

static const syntax *clause(const entry *e, const char *word) {
    for (const item *it = e->statement->items; it; it = it->next)
        if (strcmp(it->word, word) == 0) return it->value;
    return NULL;
}

static bool define_place(elaborator *el, const entry *e, expr *mass, vec3 *place) {
    const syntax *heavy = clause(e, "mass"), *at = clause(e, "at");
    bool good = elab_scalar(el, heavy, e->bindings, mass) &&
                elab_expect_order(el, *mass, heavy->at, 0, "a mass");
    good &= elab_vector(el, at, e->bindings, place) &&
            expect_static_vector(el, place, at->at, "a place");
    return good;
}

static bool define_inertia(elaborator *el, const entry *e, expr inertia[6]) {
    const syntax *s = clause(e, "inertia");
    const span at = s->at;
    for (int i = 0; i < 6; i++) inertia[i] = EXPR_ZERO;
    if (s->kind == SYNTAX_TUPLE && s->count == 6) {
        bool good = true;
        int i = 0;
        for (s = s->first; s; s = s->next) good &= elab_scalar(el, s, e->bindings, &inertia[i++]);
        return good;
    }
    if (s->kind == SYNTAX_TUPLE && s->count != 3) {
        diag_error(el->ctx, at, NULL,
                   "expected `(Ix, Iy, Iz)` or `(Ix, Iy, Iz, Ixy, Ixz, Iyz)`, found %u values",
                   s->count);
        return false;
    }
    vec3 v;
    const bool good = elab_vector(el, s, e->bindings, &v);
    for (int i = 0; i < 3; i++) inertia[i] = v.at[i];
    return good;
}

static bool define_rotation(elaborator *el, const entry *e, rotation *r) {
    const syntax *s = clause(e, "rotation");
    *r = rotation_identity();
    if (!s) return true;
    const value v = elab_evaluate(el, s, e->bindings);
    if (!value_expect(el->ctx, v, VALUE_ROTATION, s->at)) return false;
    *r = v.rotation;
    bool good = true;
    for (uint32_t i = 0; i < r->count && good; i++)
        good = elab_expect_order(el, r->factors[i].angle, s->at, 0, "the angle of a rotation") &&
               expect_static_vector(el, &r->factors[i].axis, s->at, "the axis of a rotation");
    return good;
}

static value define_point(elaborator *el, const entry *e) {
    expr mass;
    vec3 place;
    if (!define_place(el, e, &mass, &place)) return value_void();
    mass_point *point = &el->model->points[e->index];
    point->mass = mass;
    point->position = place;
    return value_vector(place);
}

static value define_body(elaborator *el, const entry *e) {
    rigid_body body = el->model->bodies[e->index];
    bool good = define_place(el, e, &body.mass, &body.centre);
    bool inert = define_inertia(el, e, body.inertia);
    for (int i = 0; i < 6 && inert; i++)
        inert = elab_expect_order(el, body.inertia[i], clause(e, "inertia")->at, 0,
                                  "a moment of inertia");
    good &= inert;
    good &= define_rotation(el, e, &body.orientation);
    if (!good) return value_void();
    el->model->bodies[e->index] = body;
    return value_vector(body.centre);
}

static value define_entry(elaborator *el, const entry *e) {
    switch (e->kind) {
    case ENTRY_CONST: return define_constant(el, e);
    case ENTRY_PARAM: return define_parameter(el, e);
    case ENTRY_GIVEN: return define_given(el, e);
    case ENTRY_LET: return elab_evaluate(el, e->definition, e->bindings);
    case ENTRY_QUASI: return define_quasi(el, e);
    case ENTRY_POINT: return define_point(el, e);
    case ENTRY_BODY: return define_body(el, e);
    case ENTRY_COORD:
    case ENTRY_FUNCTION:
    case ENTRY_LABEL:
    case ENTRY_FAMILY: break;
    }
    return value_scalar(EXPR_ZERO);
}

bool elab_define(elaborator *el, entry *e) {
    if (e->state == ENTRY_DONE) return e->value.type != VALUE_VOID;
    if (e->state == ENTRY_BUSY) {
        report_circle(el, e);
        return false;
    }
    if (e->arity) return true; // a function is worked out at each call
    const bool only_constants = el->only_constants, follow = el->follow, in_claim = el->in_claim;
    el->only_constants = el->follow = el->in_claim = false;
    e->state = ENTRY_BUSY;
    e->user = el->busy;
    el->busy = e;
    e->value = define_entry(el, e);
    el->busy = e->user;
    e->state = ENTRY_DONE;
    el->only_constants = only_constants, el->follow = follow, el->in_claim = in_claim;
    return e->value.type != VALUE_VOID;
}

// --- functions nobody calls ----------------------------------------------------------------------

// Only their names can be checked: what the arguments are is not known.
static void check_names(elaborator *el, const syntax *s, const binding *b) {
    if (elab_stopped(el)) return;
    const bool named = s->kind == SYNTAX_NAME || s->kind == SYNTAX_CALL;
    if (named && !elab_is_bound(b, s->name) && !scope_find(el->scope, SPACE_VALUES, s->name) &&
        !names_get(&el->scope->builtins, s->name) &&
        !scope_find(el->scope, SPACE_BODIES, s->name) && strcmp(s->name, "lambda") != 0)
        elab_unknown(el, s);
    const binding inner = {s->name, value_void(), b};
    const bool over = s->kind == SYNTAX_SUM_OVER || s->kind == SYNTAX_PRODUCT_OVER;
    // its first argument may be an axis
    const bool letter = s->kind == SYNTAX_CALL && strcmp(s->name, "rot") == 0;
    const bool multiplier = s->kind == SYNTAX_NAME && strcmp(s->name, "lambda") == 0;
    for (const syntax *i = multiplier ? NULL : s->indices; i; i = i->next) check_names(el, i, b);
    for (const syntax *i = letter && s->first ? s->first->next : s->first; i; i = i->next)
        check_names(el, i, over ? &inner : b);
}

void elab_define_all(elaborator *el) {
    for (uint32_t i = 0; i < el->scope->count && !elab_stopped(el); i++) {
        entry *e = el->scope->entries[i];
        if (e->kind != ENTRY_COORD && e->kind != ENTRY_LABEL && e->kind != ENTRY_FAMILY)
            elab_define(el, e);
    }
    for (uint32_t i = 0; i < el->scope->count && !elab_stopped(el); i++) {
        const entry *e = el->scope->entries[i];
        if (e->kind != ENTRY_LET || !e->arity || e->called) continue;
        const binding *b = e->bindings;
        for (const syntax *name = e->parameters; name; name = name->next)
            b = elab_bind(el, name->name, value_void(), b);
        check_names(el, e->definition, b);
    }
}
