// What a contact stands for in each mode, written as statements and read as if they had been typed.
//
// With u the velocity of the body at the place of contact relative to the surface, n the normal and
// T the directions across it:
//
//   free      nothing
//   sliding   constraint floor.n: gap = 0
//             force on ball = -mu*lambda[floor.n]*u/|u|, and its torque about the centre
//   sticking  constraint floor.n: gap = 0
//             constraint floor.t: dot(T, u) = 0 for each T
//
// and the events at which the mode ends: floor.lands (gap), floor.lifts (lambda[floor.n]),
// floor.slips (|R_t|^2 - mu^2 R_n^2), floor.sticks (u).
#include "parse/contact_parts.h"

#include "normal/normal.h"

#include <assert.h>
#include <string.h>

// --- texts that the statement stands for ---------------------------------------------------------

typedef struct {
    elaborator *el;
    arena *arena;
    const instance *in;
    const statement *st;
    contact *c;
    const char *body, *place, *normal,
        *surface;                      // as texts; surface: what moves there, "" or " - V"
    const char *tangent[2], *velocity; // velocity: u
} work;

static parser parser_of(const work *w, const char *text, bool value_only) {
    return parser_of_text(w->el->reader, arena_format(w->arena, "contact %s", w->st->identifier),
                          text, value_only);
}

static bool scalar_of(const work *w, const char *text, expr *out) {
    parser ps = parser_of(w, text, true);
    const syntax *node = parse_expression(&ps);
    return node && !ps.failed && elab_scalar(w->el, node, w->in->bindings, out);
}

static bool vector_of(const work *w, const char *text, vec3 *out) {
    parser ps = parser_of(w, text, true);
    const syntax *node = parse_expression(&ps);
    return node && !ps.failed && elab_vector(w->el, node, w->in->bindings, out);
}

// One statement, as if it stood in the model at the place of the contact
static const statement *statement_of(const work *w, const char *suffix, const char *text) {
    parser ps = parser_of(w, text, false);
    uint32_t count = 0;
    statement *made = parse_statements(&ps, false, &count);
    if (made) made->suffix = suffix;
    return made;
}

// Read at once; its multiplier, EXPR_ZERO where something is wrong or it holds by itself
static expr add_constraint(const work *w, const char *suffix, const char *text) {
    const statement *made = statement_of(w, suffix, text);
    const uint32_t before = w->el->model->constraints_count;
    if (made)
        statement_rules[STATEMENT_CONSTRAINT]->read(w->el, &(instance){made, w->in->bindings});
    if (w->el->model->constraints_count == before) return EXPR_ZERO;
    constraint *added = &w->el->model->constraints[before];
    added->of_contact = true;
    return added->status == CONSTRAINT_ACTIVE ? added->multiplier : EXPR_ZERO;
}

// To be read with the other forces
static void add_force(const work *w, const char *text) {
    elaborator *el = w->el;
    const statement *made = statement_of(w, NULL, text);
    if (!made) return;
    array_reserve(el->instances, el->instance_count, el->instance_capacity);
    el->instances[el->instance_count++] = (instance){made, w->in->bindings};
}

// --- directions ----------------------------------------------------------------------------------

static const char *const axis_text[3] = {"(1, 0, 0)", "(0, 1, 0)", "(0, 0, 1)"};

static bool is_zero(const work *w, expr e) {
    const normal_budget budget = normal_budget_default();
    return e == EXPR_ZERO || normal_simplify(w->el->pool, e, &budget) == EXPR_ZERO;
}

// The normal made a unit vector, unless it is one
static bool find_normal(work *w) {
    contact *c = w->c;
    pool *p = w->el->pool;
    if (!vector_of(w, w->normal, &c->normal)) return false;
    const normal_budget budget = normal_budget_default();
    const expr square = normal_simplify(p, vec3_dot(p, c->normal, c->normal), &budget);
    if (square == EXPR_ZERO) {
        diag_error(w->el->ctx, contact_clause(w->st, "normal")->at, NULL,
                   "the normal of contact `%s` is 0", c->name);
        return false;
    }
    if (square == EXPR_ONE) return true;
    w->normal = arena_format(w->arena, "((%s)/norm(%s))", w->normal, w->normal);
    return vector_of(w, w->normal, &c->normal);
}

// A plane problem: the velocity has no component along an axis that the normal has none along
// either. Then it slides along axis x normal only.
static bool find_plane(work *w, vec3 velocity) {
    contact *c = w->c;
    for (int k = 2; k >= 0; k--) {
        if (!is_zero(w, c->normal.at[k]) || !is_zero(w, velocity.at[k])) continue;
        w->tangent[0] = arena_format(w->arena, "cross(%s, %s)", axis_text[k], w->normal);
        vec3 t;
        if (!vector_of(w, w->tangent[0], &t)) return false;
        for (int i = 0; i < 3; i++) // along the axes x, y, z, not against them
            if (t.at[i] == EXPR_MINUS_ONE)
                w->tangent[0] = arena_format(w->arena, "cross(%s, %s)", w->normal, axis_text[k]);
        c->tangents = 1;
        return true;
    }
    return false;
}

// T1 = axis x normal, T2 = normal x T1, for an axis that is not along the normal: one that the
// normal has no component along, if there is one
static void find_two(work *w) {
    contact *c = w->c;
    int axis = -1, zeros = 0;
    for (int k = 0; k < 3; k++)
        if (is_zero(w, c->normal.at[k])) axis = axis < 0 ? k : axis, zeros++;
    c->tangents = 2;
    if (zeros == 2) { // along an axis: the other two
        const int first = axis, second = is_zero(w, c->normal.at[1]) && first != 1 ? 1 : 2;
        w->tangent[0] = axis_text[first], w->tangent[1] = axis_text[second];
        return;
    }
    const char *t =
        arena_format(w->arena, "cross(%s, %s)", axis_text[axis < 0 ? 0 : axis], w->normal);
    w->tangent[0] = axis < 0 ? arena_format(w->arena, "(%s/norm(%s))", t, t) : t;
    w->tangent[1] = arena_format(w->arena, "cross(%s, %s)", w->normal, w->tangent[0]);
}

static bool find_tangents(work *w, vec3 velocity) {
    contact *c = w->c;
    const item *stated = contact_clause(w->st, "tangent");
    if (stated)
        w->tangent[0] = arena_format(w->arena, "(%s)/norm(%s)", stated->text, stated->text),
        c->tangents = 1;
    else if (!find_plane(w, velocity)) find_two(w);
    bool good = true;
    for (uint32_t i = 0; i < c->tangents && good; i++)
        good = vector_of(w, w->tangent[i], &c->tangent[i]) &&
               scalar_of(w, arena_format(w->arena, "dot(%s, %s)", w->tangent[i], w->velocity),
                         &c->slip[i]);
    return good;
}

// The body, where it touches, and how fast it moves there relative to the surface
static bool find_place(work *w) {
    const item *at = contact_clause(w->st, "at"), *place = contact_clause(w->st, "place"),
               *normal = contact_clause(w->st, "normal"), *moving = contact_clause(w->st, "moving"),
               *against = contact_clause(w->st, "against");
    if (!at) return true;
    if (!normal) {
        diag_error(w->el->ctx, at->at, "add `normal (0, 0, 1)`",
                   "contact `%s` says where it is, and not which way its normal points",
                   w->c->name);
        return false;
    }
    const entry *e = elab_find_body(w->el, at->target, w->in->bindings),
                *other = against ? elab_find_body(w->el, against->target, w->in->bindings) : NULL;
    if (!e || (against && !other)) return false;
    w->body = at->text;
    const bool is_body = e->kind == ENTRY_BODY;
    w->place = place ? arena_format(w->arena, "(%s)", place->text)
                     : arena_format(w->arena, "pos(%s)", w->body);
    w->surface = other && other->kind == ENTRY_BODY
                     ? arena_format(w->arena, " - velat(%s, %s)", against->text, w->place)
                 : other  ? arena_format(w->arena, " - vel(%s)", against->text)
                 : moving ? arena_format(w->arena, " - (%s)", moving->text)
                          : "";
    w->velocity = is_body
                      ? arena_format(w->arena, "(velat(%s, %s)%s)", w->body, w->place, w->surface)
                      : arena_format(w->arena, "(vel(%s)%s)", w->body, w->surface);
    w->normal = arena_format(w->arena, "(%s)", normal->text);
    vec3 u;
    if (!vector_of(w, w->place, &w->c->place) || !vector_of(w, w->velocity, &u) || !find_normal(w))
        return false;
    w->c->has_place = true;
    w->c->normal_speed = vec3_dot(w->el->pool, w->c->normal, u);
    return w->c->static_friction == EXPR_ZERO && w->c->friction == EXPR_ZERO ? true
                                                                             : find_tangents(w, u);
}

static bool find_numbers(work *w) {
    contact *c = w->c;
    const item *friction = contact_clause(w->st, "friction"),
               *kinetic = contact_clause(w->st, "kinetic"),
               *restitution = contact_clause(w->st, "restitution");
    const binding *b = w->in->bindings;
    bool good = !friction || elab_scalar(w->el, friction->value, b, &c->static_friction);
    c->friction = c->static_friction;
    good = good && (!kinetic || elab_scalar(w->el, kinetic->value, b, &c->friction));
    good = good && (!restitution || elab_scalar(w->el, restitution->value, b, &c->restitution));
    if (good && friction && c->static_friction != EXPR_ZERO && !contact_clause(w->st, "at")) {
        diag_error(w->el->ctx, friction->at, "add `at BODY (x, y, z), normal (0, 0, 1)`",
                   "contact `%s` has friction, and does not say where it acts", c->name);
        return false;
    }
    return good;
}

// --- what it is in each mode ---------------------------------------------------------------------

// On a body or point, at the place of contact
static void add_force_at(const work *w, const item *on, const char *force) {
    const entry *e = elab_find_body(w->el, on->target, w->in->bindings);
    add_force(w, arena_format(w->arena, "force on %s = %s\n", on->text, force));
    if (e && e->kind == ENTRY_BODY)
        add_force(w, arena_format(w->arena, "torque on %s = cross(%s - pos(%s), %s)\n", on->text,
                                  w->place, on->text, force));
}

// Friction opposes the slip: F = -mu lambda_n d, d = T or -T along a line, u/|u| otherwise.
static void add_friction(const work *w) {
    contact *c = w->c;
    pool *p = w->el->pool;
    if (!c->tangents) return;
    const item *kinetic = contact_clause(w->st, "kinetic"),
               *friction = contact_clause(w->st, "friction");
    const char *along =
        c->tangents == 1
            ? arena_format(w->arena, "%s%s", c->mode == MODE_SLIDING_BACK ? "-" : "", w->tangent[0])
            : arena_format(w->arena,
                           "(dot(%s, %s)*%s + dot(%s, %s)*%s)/sqrt(dot(%s, %s)^2 + dot(%s, %s)^2)",
                           w->tangent[0], w->velocity, w->tangent[0], w->tangent[1], w->velocity,
                           w->tangent[1], w->tangent[0], w->velocity, w->tangent[1], w->velocity);
    const char *force =
        arena_format(w->arena, "-(%s)*lambda[%s.n]*(%s)", (kinetic ? kinetic : friction)->text,
                     w->st->identifier, along);
    const item *against = contact_clause(w->st, "against");
    add_force_at(w, contact_clause(w->st, "at"), force);
    if (against) add_force_at(w, against, arena_format(w->arena, "-(%s)", force));
    const expr limit = expr_neg(p, expr_mul(p, c->friction, c->normal_force)); // -mu lambda_n
    if (c->tangents == 1)
        c->tangent_force[0] = c->mode == MODE_SLIDING_BACK ? expr_neg(p, limit) : limit;
    const expr speed = expr_sqrt(p, expr_dot(p, 2, c->slip, c->slip));
    for (uint32_t i = 0; i < 2 && c->tangents == 2; i++)
        c->tangent_force[i] = expr_mul(p, limit, expr_div(p, c->slip[i], speed));
}

static void add_mode(const work *w) {
    contact *c = w->c;
    if (c->mode == MODE_FREE) return;
    c->normal_force =
        add_constraint(w, "n",
                       arena_format(w->arena, "constraint %s: %s = 0\n", w->st->identifier,
                                    contact_clause(w->st, "gap")->text));
    if (c->mode == MODE_RESTING) return; // the others keep it from sliding
    if (c->mode != MODE_STICKING) {
        add_friction(w);
        return;
    }
    static const char *const suffix[] = {"t", "t1", "t2"};
    assert(c->tangents <= 2);
    for (uint32_t i = 0; i < c->tangents; i++)
        c->tangent_force[i] =
            add_constraint(w, suffix[c->tangents == 1 ? 0 : 1 + i],
                           arena_format(w->arena, "constraint %s: dot(%s, %s) = 0\n",
                                        w->st->identifier, w->tangent[i], w->velocity));
}

// --- where a mode ends ---------------------------------------------------------------------------

static uint32_t add_event(elaborator *el, const contact *c, const char *what, expr value,
                          int direction) {
    model *m = el->model;
    list_push(m, events,
              ((event){.name = arena_format(&el->ctx->arena, "%s.%s", c->name, what),
                       .value = value,
                       .direction = direction,
                       .at = c->at}));
    return m->events_count - 1;
}

static expr sum_of_squares(pool *p, uint32_t count, const expr *e) {
    return count == 1 ? expr_square(p, e[0]) : expr_dot(p, count, e, e);
}

// |R_t|^2 - (mu R_n)^2, where those that rest with it hold their share: mu R_n of all of them.
// What stands at its limit, or has no friction, is inside of it by a hair, so that the first step
// beyond is one across 0: by 4 eps of the limit, and by 1e-13 R_n.
static expr slip_margin(elaborator *el, const contact *c) {
    const model *m = el->model;
    pool *p = el->pool;
    const expr hair = expr_rational(p, 1, (int64_t)1 << 49),
               least = expr_mul(p, expr_rational(p, 1, 10000000000000), c->normal_force);
    expr limit = expr_mul(p, c->static_friction, c->normal_force);
    for (uint32_t i = 0; i < m->contacts_count; i++) {
        const contact *other = &m->contacts[i];
        if (other->mode != MODE_RESTING ||
            (other->rests_with && strcmp(other->rests_with, c->name) != 0))
            continue;
        limit = expr_add_product(p, limit, other->static_friction, other->normal_force);
    }
    const expr squares[] = {
        sum_of_squares(p, c->tangents, c->tangent_force),
        expr_neg(p, expr_mul(p, expr_add(p, EXPR_ONE, hair), expr_square(p, limit))),
        expr_neg(p, expr_square(p, least))};
    return expr_sum(p, 3, squares);
}

void contact_add_ends(elaborator *el, contact *c) {
    pool *p = el->pool;
    c->lands = c->lifts = c->slips = c->sticks = UINT32_MAX;
    if (c->mode == MODE_FREE) {
        c->lands = add_event(el, c, "lands", c->gap, -1);
        return;
    }
    c->lifts = add_event(el, c, "lifts", c->normal_force, -1);
    if (!c->tangents || c->mode == MODE_RESTING) return;
    if (c->mode == MODE_STICKING) c->slips = add_event(el, c, "slips", slip_margin(el, c), +1);
    else if (c->tangents == 1)
        c->sticks = add_event(el, c, "sticks", c->slip[0], c->mode == MODE_SLIDING ? -1 : +1);
    else
        c->sticks =
            add_event(el, c, "sticks", expr_sub(p, sum_of_squares(p, 2, c->slip), c->still), -1);
}

// A parameter of the run: the slip, squared, at which sliding in two directions is at its end
static void add_still(work *w) {
    w->c->still =
        expr_symbol(w->el->pool, arena_format(w->arena, "still[%s]", w->c->name), ROLE_PARAMETER);
    list_push(w->el->model, parameters,
              ((parameter){.symbol = w->c->still, .value = EXPR_ZERO, .at = w->st->at}));
}

bool contact_expand(elaborator *el, const instance *in, contact *c) {
    work w = {.el = el, .arena = &el->ctx->arena, .in = in, .st = in->statement, .c = c};
    if (!find_numbers(&w) || !find_place(&w)) return false;
    if (c->tangents == 2) add_still(&w);
    add_mode(&w);
    return true;
}
