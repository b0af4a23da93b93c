// Statements about energy: kinetic, potential, lagrangian, dissipation, gravity.
#include "parse/statement.h"

// *total += E, where E depends on coordinates, velocities and time; a total of EXPR_NONE is empty.
static void add_energy(elaborator *el, const instance *in, const char *what, expr *total) {
    const syntax *node = in->statement->items->value;
    expr e;
    if (!elab_scalar(el, node, in->bindings, &e) || !elab_expect_order(el, e, node->at, 1, what))
        return;
    *total = *total == EXPR_NONE ? e : expr_add(el->pool, *total, e);
}

static void read_kinetic(elaborator *el, const instance *in) {
    add_energy(el, in, "a kinetic energy", &el->model->kinetic);
}

const statement_rule statement_kinetic = {
    .word = "kinetic",
    .syntax = "kinetic E",
    .about = "adds E to the kinetic energy T(q, q', t)",
    .parse = parse_operand,
    .read = read_kinetic,
    .fit = dim_fit_energy,
};

static void read_potential(elaborator *el, const instance *in) {
    add_energy(el, in, "a potential", &el->model->potential);
}

const statement_rule statement_potential = {
    .word = "potential",
    .syntax = "potential E",
    .about = "adds E to the potential energy U",
    .parse = parse_operand,
    .read = read_potential,
    .fit = dim_fit_energy,
};

static void read_lagrangian(elaborator *el, const instance *in) {
    add_energy(el, in, "a Lagrangian", &el->model->lagrangian);
    if (el->model->lagrangian != EXPR_NONE) el->model->lagrangian_at = in->statement->whole;
}

const statement_rule statement_lagrangian = {
    .word = "lagrangian",
    .syntax = "lagrangian E",
    .about = "adds E to the Lagrangian; excludes kinetic and potential",
    .parse = parse_operand,
    .read = read_lagrangian,
    .fit = dim_fit_energy,
};

static void read_dissipation(elaborator *el, const instance *in) {
    add_energy(el, in, "a dissipation function", &el->model->dissipation);
}

const statement_rule statement_dissipation = {
    .word = "dissipation",
    .syntax = "dissipation E",
    .about = "a Rayleigh function D: the forces -dD/dq' are added",
    .parse = parse_operand,
    .read = read_dissipation,
    .fit = dim_fit_power,
};

static void read_gravity(elaborator *el, const instance *in) {
    model *m = el->model;
    if (m->has_gravity) diag_error(el->ctx, in->statement->at, NULL, "`gravity` is given twice");
    m->has_gravity = true;
    const syntax *value = in->statement->items->value;
    bool good = elab_vector(el, value, in->bindings, &m->gravity);
    for (int i = 0; i < 3 && good; i++)
        good = elab_expect_order(el, m->gravity.at[i], value->at, 0, "gravity");
}

const statement_rule statement_gravity = {
    .word = "gravity",
    .syntax = "gravity V",
    .about = "the acceleration of gravity, which acts on all points and bodies",
    .parse = parse_operand,
    .read = read_gravity,
    .fit = dim_fit_gravity,
};
