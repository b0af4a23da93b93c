// Statements about the choice of velocities: independent, supplementary, cartesian.
#include "normal/normal.h"
#include "parse/statement.h"

static void add_independent(elaborator *el, const entry *e, span at) {
    model *m = el->model;
    for (uint32_t i = 0; i < m->independent_count; i++) {
        if (m->independent[i] != e->symbol) continue;
        diag_error(el->ctx, at, NULL, "`%s` is named twice in `independent`", e->name);
        return;
    }
    list_push(m, independent, e->symbol);
}

// independent x, q[2], q[1..N]
static void read_independent(elaborator *el, const instance *in) {
    for (const item *it = in->statement->items; it && !elab_stopped(el); it = it->next) {
        const syntax *range = it->target->indices;
        el->model->independent_at = in->statement->whole;
        if (!range || range->kind != SYNTAX_RANGE || range->next) {
            const entry *e = elab_find_coordinate(el, it->target, in->bindings, NULL);
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
            const entry *e = elab_find_coordinate(el, &member, in->bindings, NULL);
            if (e) add_independent(el, e, it->target->at);
        }
    }
}

const statement_rule statement_independent = {
    .word = "independent",
    .syntax = "independent NAME, ..",
    .about = "the coordinates whose velocities are to be independent",
    .parse = parse_names,
    .read = read_independent,
};

// supplementary = "supplementary" expression { "," expression }
static void parse_supplementary(parser *ps, statement *st) {
    do parse_operand(ps, st);
    while (parser_accept(ps, ','));
}

static void read_supplementary(elaborator *el, const instance *in) {
    for (const item *it = in->statement->items; it; it = it->next) {
        expr e;
        if (elab_scalar(el, it->value, in->bindings, &e)) list_push(el->model, supplementary, e);
    }
}

const statement_rule statement_supplementary = {
    .word = "supplementary",
    .syntax = "supplementary E, ..",
    .about = "functions of position that complete W in the A-model",
    .parse = parse_supplementary,
    .read = read_supplementary,
    .fit = dim_fit_operands,
};

// cartesian = "cartesian" equation
static void parse_cartesian(parser *ps, statement *st) { parse_equation(ps, parse_item(ps, st)); }

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
    const uint32_t n = m->coordinates_count;
    const bool linear = expr_order(p, form) == 1 && !expr_depends_on_time(p, form) &&
                        !expr_any_depends_on(p, n, slope, n, velocity);
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
    list_push(m, cartesians, (cartesian_form){form, value, in->statement->whole});
}

const statement_rule statement_cartesian = {
    .word = "cartesian",
    .syntax = "cartesian E = E",
    .about = "a 1-form and its value on the field of the Cartesian approach",
    .parse = parse_cartesian,
    .read = read_cartesian,
    .fit = dim_fit_equation,
};
