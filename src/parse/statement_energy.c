// Statements about energy: kinetic, potential, lagrangian, dissipation, gravity.
#include "parse/statement.h"

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

const statement_rule statement_kinetic = {
    .word = "kinetic",
    .syntax = "kinetic E",
    .about = "adds E to the kinetic energy T(q, q', t)",
    .parse = parse_operand,
    .read = read_energy,
};

const statement_rule statement_potential = {
    .word = "potential",
    .syntax = "potential E",
    .about = "adds E to the potential energy U",
    .parse = parse_operand,
    .read = read_energy,
};

const statement_rule statement_lagrangian = {
    .word = "lagrangian",
    .syntax = "lagrangian E",
    .about = "adds E to the Lagrangian; excludes kinetic and potential",
    .parse = parse_operand,
    .read = read_energy,
};

const statement_rule statement_dissipation = {
    .word = "dissipation",
    .syntax = "dissipation E",
    .about = "a Rayleigh function D: the forces -dD/dq' are added",
    .parse = parse_operand,
    .read = read_energy,
};

const statement_rule statement_gravity = {
    .word = "gravity",
    .syntax = "gravity V",
    .about = "the acceleration of gravity, which acts on all points and bodies",
    .parse = parse_operand,
    .read = read_gravity,
};
