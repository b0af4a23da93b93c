// Statements about the system: energies, forces, constraints, quasi-velocities.
#include "normal/normal.h"
#include "parse/elaborate.h"

#include <string.h>

static const char *const letters[] = {"x", "y", "z"};

// --- equations -----------------------------------------------------------------------------------

int elab_equation(elaborator *el, const item *it, const binding *b, expr left[3], expr right[3]) {
    const value l = elab_evaluate(el, it->value, b), r = elab_evaluate(el, it->right, b);
    if (l.type == VALUE_VOID || r.type == VALUE_VOID) return 0;
    if (l.type == VALUE_ROTATION) {
        diag_error(el->ctx, it->value->at, NULL, "expected a scalar or a vector, found a rotation");
        return 0;
    }
    if (l.type != r.type) {
        const char *help =
            r.type == VALUE_SCALAR && r.scalar == EXPR_ZERO ? "write `(0, 0, 0)`" : NULL;
        diag_error(el->ctx, it->right->at, help, "expected %s as on the left, found %s",
                   value_noun(l.type), value_noun(r.type));
        return 0;
    }
    const int count = l.type == VALUE_VECTOR ? 3 : 1;
    for (int i = 0; i < count; i++) {
        left[i] = count == 3 ? l.vector.at[i] : l.scalar;
        right[i] = count == 3 ? r.vector.at[i] : r.scalar;
    }
    return count;
}

typed_form elab_typed(const item *it, const binding *b, int count, int i) {
    return (typed_form){it, b, count == 1 ? -1 : i};
}

const char *elab_component_name(elaborator *el, const char *name, int count, int i) {
    return count == 1 ? name : arena_format(&el->ctx->arena, "%s.%s", name, letters[i]);
}

static span name_span(const statement *s) { return s->name ? s->name->at : s->at; }

// --- constraints ---------------------------------------------------------------------------------

static void add_constraint(elaborator *el, const statement *s, const char *name, expr phi,
                           typed_form typed) {
    if (phi != EXPR_ZERO && expr_order(el->pool, phi) < 0) {
        const span left = s->items->value->at, right = s->items->right->at;
        const span equation = {left.source, left.offset, right.offset + right.length - left.offset};
        diag_error(el->ctx, equation, NULL,
                   expr_is_number(el->pool, phi)
                       ? "constraint `%s` cannot hold: no coordinate is in it"
                       : "no coordinate is in constraint `%s`",
                   name);
        return;
    }
    if (!s->name && scope_find(el->scope, SPACE_CONSTRAINTS, name)) {
        diag_error(el->ctx, s->at, "write `constraint NAME: ...`",
                   "this constraint would be called `%s` after its place, and that name is taken",
                   name);
        return;
    }
    entry *label =
        scope_declare(el->scope, el->ctx, SPACE_CONSTRAINTS, ENTRY_LABEL, name, name_span(s));
    if (!label) return;
    label->index = el->model->constraints_count;
    const char *multiplier = arena_format(&el->ctx->arena, "lambda[%s]", name);
    const constraint c = {.name = label->name,
                          .phi = phi,
                          .stated = EXPR_NONE,
                          .at = s->whole,
                          .status = phi == EXPR_ZERO ? CONSTRAINT_IDENTITY : CONSTRAINT_ACTIVE,
                          .multiplier = expr_symbol(el->pool, multiplier, ROLE_MULTIPLIER),
                          .typed = typed};
    model_push(el->model, constraints, c);
}

static void read_constraint(elaborator *el, const instance *in, uint32_t ordinal) {
    const statement *s = in->statement;
    const char *name =
        elab_label(el, s->name, in->bindings, arena_format(&el->ctx->arena, "c%u", ordinal));
    expr left[3], right[3];
    const int count = elab_equation(el, s->items, in->bindings, left, right);
    if (!name || !count || el->ctx->exhausted) {
        if (name) names_put(&el->reader->suspects, s->name ? s->name->name : name, 0);
        return;
    }
    if (count == 3) { // the name of the whole: `lambda[contact]` asks which component
        entry *whole =
            scope_declare(el->scope, el->ctx, SPACE_CONSTRAINTS, ENTRY_LABEL, name, name_span(s));
        if (!whole) return;
        whole->index = UINT32_MAX;
    }
    for (int i = 0; i < count; i++)
        add_constraint(el, s, elab_component_name(el, name, count, i),
                       expr_sub(el->pool, left[i], right[i]),
                       elab_typed(s->items, in->bindings, count, i));
}

void elab_constraints(elaborator *el) {
    uint32_t ordinal = 0;
    for (uint32_t i = 0; i < el->instance_count && !elab_stopped(el); i++)
        if (el->instances[i].statement->kind == STATEMENT_CONSTRAINT)
            read_constraint(el, &el->instances[i], ++ordinal);
}

// --- energies ------------------------------------------------------------------------------------

static void read_energy(elaborator *el, const instance *in) {
    const statement *s = in->statement;
    const char *what = s->kind == STATEMENT_LAGRANGIAN  ? "a Lagrangian"
                       : s->kind == STATEMENT_KINETIC   ? "a kinetic energy"
                       : s->kind == STATEMENT_POTENTIAL ? "a potential"
                                                        : "a dissipation function";
    model *m = el->model;
    expr e;
    if (!elab_scalar(el, s->items->value, in->bindings, &e)) return;
    if (!elab_expect_order(el, e, s->items->value->at, 1, what)) return;
    if (s->kind == STATEMENT_LAGRANGIAN) {
        m->lagrangian = m->lagrangian == EXPR_NONE ? e : expr_add(el->pool, m->lagrangian, e);
        m->lagrangian_at = s->whole;
        return;
    }
    expr *total = s->kind == STATEMENT_KINETIC     ? &m->kinetic
                  : s->kind == STATEMENT_POTENTIAL ? &m->potential
                                                   : &m->dissipation;
    *total = expr_add(el->pool, *total, e);
}

static void read_gravity(elaborator *el, const instance *in) {
    model *m = el->model;
    if (m->has_gravity) diag_error(el->ctx, in->statement->at, NULL, "`gravity` is given twice");
    m->has_gravity = true;
    const syntax *value = in->statement->items->value;
    bool good = elab_vector(el, value, in->bindings, &m->gravity);
    for (int i = 0; i < 3 && good; i++)
        good = elab_expect_order(el, m->gravity.at[i], value->at, 0, "gravity");
}

// --- forces --------------------------------------------------------------------------------------

static void read_force(elaborator *el, const instance *in) {
    const statement *s = in->statement;
    const item *it = s->items;
    model *m = el->model;
    if (!s->flag) {
        const entry *e = elab_find_coordinate(el, it->target, in->bindings);
        expr v;
        if (!elab_scalar(el, it->value, in->bindings, &v) || !e) return;
        if (!elab_expect_order(el, v, it->value->at, 1, "a force")) return;
        model_push(m, generalised_forces,
                   (assignment){.symbol = e->symbol, .value = v, .at = s->whole});
        return;
    }
    const entry *e = elab_find_body(el, it->target, in->bindings);
    vec3 v;
    if (!elab_vector(el, it->value, in->bindings, &v) || !e) return;
    for (int i = 0; i < 3; i++)
        if (!elab_expect_order(el, v.at[i], it->value->at, 1,
                               s->kind == STATEMENT_TORQUE ? "a torque" : "a force"))
            return;
    if (s->kind == STATEMENT_TORQUE && e->kind != ENTRY_BODY) {
        diag_error(el->ctx, it->target->at, NULL, "`%s` is a point and takes no torque", e->name);
    } else if (s->kind == STATEMENT_TORQUE) {
        model_push(m, torques, (applied_torque){v, e->index, s->whole});
    } else {
        const vec3 place =
            e->kind == ENTRY_BODY ? m->bodies[e->index].centre : m->points[e->index].position;
        model_push(m, forces, (applied_force){v, place, s->whole});
    }
}

// --- coordinates ---------------------------------------------------------------------------------

static void add_independent(elaborator *el, const entry *e, span at) {
    model *m = el->model;
    for (uint32_t i = 0; i < m->independent_count; i++) {
        if (m->independent[i] != e->symbol) continue;
        diag_error(el->ctx, at, NULL, "`%s` is named twice in `independent`", e->name);
        return;
    }
    model_push(m, independent, e->symbol);
}

// independent x, q[2], q[1..N]
static void read_independent(elaborator *el, const instance *in) {
    for (const item *it = in->statement->items; it && !elab_stopped(el); it = it->next) {
        const syntax *range = it->target->indices;
        el->model->independent_at = in->statement->whole;
        if (!range || range->kind != SYNTAX_RANGE || range->next) {
            const entry *e = elab_find_coordinate(el, it->target, in->bindings);
            if (e) add_independent(el, e, it->target->at);
            continue;
        }
        int64_t low, high;
        if (!elab_range(el, range->first, range->first->next, in->bindings, &low, &high)) continue;
        for (int64_t i = low; i <= high && !elab_stopped(el); i++) {
            syntax number = {
                .kind = SYNTAX_NUMBER, .at = range->at, .number = expr_int(el->pool, i)};
            syntax member = *it->target;
            member.indices = &number;
            const entry *e = elab_find_coordinate(el, &member, in->bindings);
            if (e) add_independent(el, e, it->target->at);
        }
    }
}

static void read_supplementary(elaborator *el, const instance *in) {
    for (const item *it = in->statement->items; it; it = it->next) {
        expr e;
        if (elab_scalar(el, it->value, in->bindings, &e)) model_push(el->model, supplementary, e);
    }
}

// cartesian FORM = E, with FORM linear and homogeneous in the velocities
static void read_cartesian(elaborator *el, const instance *in) {
    const item *it = in->statement->items;
    model *m = el->model;
    pool *p = el->pool;
    const normal_budget budget = normal_budget_default();
    expr form, value;
    const bool good = elab_scalar(el, it->value, in->bindings, &form);
    if (!elab_scalar(el, it->right, in->bindings, &value) || !good || el->ctx->exhausted) return;
    expr *velocity = arena_array(&el->ctx->arena, expr, m->coordinates_count),
         *slope = arena_array(&el->ctx->arena, expr, m->coordinates_count);
    for (uint32_t i = 0; i < m->coordinates_count; i++)
        velocity[i] = expr_symbol_of_order(p, m->coordinates[i], 1);
    expr_gradient(p, form, m->coordinates_count, velocity, slope);
    bool linear = expr_order(p, form) == 1 && !expr_depends_on_time(p, form);
    for (uint32_t i = 0; i < m->coordinates_count && linear; i++)
        linear = !expr_depends_on(p, slope[i], m->coordinates_count, velocity);
    const expr rest = expr_sub(p, form, expr_dot(p, m->coordinates_count, slope, velocity));
    if (!linear || normal_is_zero(p, rest, &budget) != NORMAL_YES) {
        diag_error(el->ctx, it->value->at,
                   "write it as `cartesian a*x' + b*y' = E` with coefficients of the coordinates",
                   "the left side must be a 1-form: linear and homogeneous in the velocities, free "
                   "of time");
        return;
    }
    if (expr_order(p, value) > 0) {
        diag_error(el->ctx, it->right->at, NULL,
                   "the value of a 1-form is a function of the coordinates, not of velocities");
        return;
    }
    if (!elab_expect_roles(el, value, it->right->at, 1u << ROLE_PARAMETER | 1u << ROLE_COORDINATE,
                           "a function of the coordinates"))
        return;
    model_push(m, cartesians, (cartesian_form){form, value, in->statement->whole});
}

// --- invariants, observables, events -------------------------------------------------------------

// An invariant is a function of the state: coordinates and velocities, and what
// constraints of higher order add to them.
static int state_order(const elaborator *el) {
    int most = 1;
    for (uint32_t i = 0; i < el->model->constraints_count; i++) {
        const int order = expr_order(el->pool, el->model->constraints[i].phi);
        if (order - 1 > most) most = order - 1;
    }
    return most;
}

static void read_named(elaborator *el, const instance *in) {
    const bool invariant = in->statement->kind == STATEMENT_INVARIANT;
    for (const item *it = in->statement->items; it && !elab_stopped(el); it = it->next) {
        const char *name = elab_label(el, it->target, in->bindings, NULL);
        expr e;
        if (!elab_scalar(el, it->value, in->bindings, &e) || !name) continue;
        const bool fast = invariant && expr_order(el->pool, e) > 1;
        if (fast && !elab_expect_order(el, e, it->value->at, state_order(el), "an invariant"))
            continue;
        const space where = invariant ? SPACE_INVARIANTS : SPACE_OBSERVABLES;
        if (!scope_declare(el->scope, el->ctx, where, ENTRY_LABEL, name, it->target->at)) continue;
        const named_expression n = {name, e, it->target->at, elab_typed(it, in->bindings, 1, 0)};
        if (invariant) model_push(el->model, invariants, n);
        else model_push(el->model, observables, n);
    }
}

static void read_event(elaborator *el, const instance *in) {
    const statement *s = in->statement;
    const char *name = elab_label(el, s->name, in->bindings, NULL);
    expr e;
    if (!elab_scalar(el, s->items->value, in->bindings, &e) || !name) return;
    if (!scope_declare(el->scope, el->ctx, SPACE_EVENTS, ENTRY_LABEL, name, s->name->at)) return;
    model_push(el->model, events,
               (event){name, e, s->direction, s->flag, s->whole,
                       elab_typed(s->items, in->bindings, 1, 0)});
}

static void read_system(elaborator *el, const instance *in) {
    const statement *s = in->statement;
    // an included model keeps its name to itself
    if (s->at.source != el->main && el->has_system) return;
    if (s->at.source == el->main && el->named_by_main)
        diag_error(el->ctx, s->at, NULL, "`system` is given twice");
    el->has_system = true;
    el->named_by_main |= s->at.source == el->main;
    el->model->name = s->items->word;
    el->model->title = s->items->text;
}

// --- dispatch ------------------------------------------------------------------------------------

void elab_statement(elaborator *el, const instance *in) {
    switch (in->statement->kind) {
    case STATEMENT_SYSTEM: read_system(el, in); break;
    case STATEMENT_KINETIC:
    case STATEMENT_POTENTIAL:
    case STATEMENT_LAGRANGIAN:
    case STATEMENT_DISSIPATION: read_energy(el, in); break;
    case STATEMENT_GRAVITY: read_gravity(el, in); break;
    case STATEMENT_FORCE:
    case STATEMENT_TORQUE: read_force(el, in); break;
    case STATEMENT_INDEPENDENT: read_independent(el, in); break;
    case STATEMENT_SUPPLEMENTARY: read_supplementary(el, in); break;
    case STATEMENT_CARTESIAN: read_cartesian(el, in); break;
    case STATEMENT_INITIAL: elab_initial(el, in); break;
    case STATEMENT_SIMULATE: elab_simulate(el, in); break;
    case STATEMENT_EVENT: read_event(el, in); break;
    case STATEMENT_INVARIANT:
    case STATEMENT_OBSERVE: read_named(el, in); break;
    case STATEMENT_CLAIM: elab_claim(el, in); break;
    case STATEMENT_DRAW: elab_draw(el, in); break;
    default: break; // declarations, and the constraints, were read before
    }
}
