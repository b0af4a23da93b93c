// Statements force and torque.
#include "normal/normal.h"
#include "parse/statement.h"

#include <string.h>

// force  = "force" reference "=" expression | "force" "on" label "=" expression
// torque = "torque" "on" label "=" expression
static void parse_force(parser *ps, statement *st) {
    item *it = parse_item(ps, st);
    const syntax *first =
        parse_reference(ps, st->kind == STATEMENT_FORCE ? "a coordinate or `on`" : "`on`");
    if (!first) return;
    const bool is_on = strcmp(first->name, "on") == 0 && !first->indices && !first->primes;
    st->flag = is_on && parser_sees(ps, TOKEN_NAME);
    if (st->kind == STATEMENT_TORQUE && !st->flag) {
        if (is_on) parser_unexpected(ps, "the name of a body");
        else
            parser_fail(ps, first->at, "write `torque on B = (0, 0, M)`",
                        "expected `on`, found `%s`", first->name);
        return;
    }
    it->target = st->flag ? parse_label(ps, "the name of a point or body") : first;
    if (parser_expect(ps, '=', "`=`")) it->value = parse_expression(ps);
}

// --- reactions in forces -------------------------------------------------------------------------

// e = e(0) + sum_nu lambda_nu c_nu with c free of all multipliers: by its structure, or else by
// normal form.
static bool is_affine(pool *p, expr e, uint32_t count, const expr *lambda) {
    if (expr_degree(p, e, count, lambda, NULL) <= 1) return true;
    const normal_budget budget = normal_budget_default();
    expr *slope = memory_array(expr, count),
         rest = expr_sub(p, e, expr_at_zero(p, e, count, lambda));
    expr_gradient(p, e, count, lambda, slope);
    for (uint32_t i = 0; i < count; i++)
        rest = expr_sub_product(p, rest, lambda[i], expr_at_zero(p, slope[i], count, lambda));
    memory_free(slope);
    return normal_is_zero(p, rest, &budget) == NORMAL_YES;
}

// Multipliers are found with the accelerations, from linear equations: a force that is not affine
// in them is reported.
static bool expect_affine(elaborator *el, expr e, span at, const char *what) {
    const model *m = el->model;
    const uint32_t all = m->constraints_count;
    uint32_t count = 0;
    expr *lambda = memory_array(expr, all + 1);
    bool *occurs = memory_array(bool, all + 1);
    for (uint32_t i = 0; i < all; i++) lambda[i] = m->constraints[i].multiplier;
    if (all) expr_occurrences(el->pool, 1, &e, all, lambda, occurs);
    for (uint32_t i = 0; i < all; i++)
        if (occurs[i]) lambda[count++] = lambda[i];
    memory_free(occurs);
    const bool good = !count || is_affine(el->pool, e, count, lambda);
    if (!good)
        diag_error(el->ctx, at,
                   "write it for the sign that holds, as mu*lambda[c]*sign(x'), and let an `event` "
                   "tell where lambda[c] changes its sign",
                   "%s must be linear in the multipliers, and this is not linear in `%s`", what,
                   expr_symbol_text(el->pool, lambda[0]));
    memory_free(lambda);
    return good;
}

static bool expect_force(elaborator *el, expr e, span at, const char *what) {
    return elab_expect_order(el, e, at, 1, what) && elab_expect_no_rates(el, e, at) &&
           expect_affine(el, e, at, what);
}

// --- the statements ------------------------------------------------------------------------------

static void read_generalised_force(elaborator *el, const instance *in) {
    const item *it = in->statement->items;
    const entry *e =
        elab_find_coordinate(el, it->target, in->bindings,
                             "a force acts on a coordinate, `force x = E`, or at a point or "
                             "body, `force on P = (Fx, Fy, Fz)`");
    expr v;
    el->with_multipliers = true;
    const bool read = elab_scalar(el, it->value, in->bindings, &v);
    el->with_multipliers = false;
    if (!read || !e || !expect_force(el, v, it->value->at, "a force")) return;
    list_push(el->model, generalised_forces,
              (assignment){.symbol = e->symbol, .value = v, .at = in->statement->whole});
}

static void read_force(elaborator *el, const instance *in) {
    const statement *st = in->statement;
    const item *it = st->items;
    model *m = el->model;
    if (!st->flag) {
        read_generalised_force(el, in);
        return;
    }
    const entry *e = elab_find_body(el, it->target, in->bindings);
    vec3 v;
    el->with_multipliers = true;
    const bool read = elab_vector(el, it->value, in->bindings, &v);
    el->with_multipliers = false;
    if (!read || !e) return;
    for (int i = 0; i < 3; i++)
        if (!expect_force(el, v.at[i], it->value->at,
                          st->kind == STATEMENT_TORQUE ? "a torque" : "a force"))
            return;
    if (st->kind == STATEMENT_TORQUE && e->kind != ENTRY_BODY) {
        diag_error(el->ctx, it->target->at, NULL, "`%s` is a point and takes no torque", e->name);
    } else if (st->kind == STATEMENT_TORQUE) {
        list_push(m, torques, (applied_torque){v, e->index, st->whole});
    } else {
        const vec3 place =
            e->kind == ENTRY_BODY ? m->bodies[e->index].centre : m->points[e->index].position;
        list_push(m, forces, (applied_force){v, place, st->whole});
    }
}

const statement_rule statement_force = {
    .word = "force",
    .syntax = "force NAME = E | force on NAME = V",
    .about = "a force on a coordinate, or at a point or the centre of a body",
    .parse = parse_force,
    .read = read_force,
    .fit = dim_fit_force,
};

const statement_rule statement_torque = {
    .word = "torque",
    .syntax = "torque on NAME = V",
    .about = "a moment on a body",
    .parse = parse_force,
    .read = read_force,
    .fit = dim_fit_torque,
};
