// The statement `input`: an open signal. In equations it is a function of time that nobody knows,
// in runs it is 0 or what the model states, an expression in t and the state.
#include "model/state.h"
#include "parse/statement.h"

static void enter_input(elaborator *el, entry *e) {
    e->symbol = expr_symbol(el->pool, e->name, ROLE_GIVEN);
    e->index = el->model->givens_count;
    list_push(el->model, givens,
              (given_function){
                  .symbol = e->symbol, .definition = EXPR_ZERO, .at = e->at, .is_input = true});
}

static value define_input(elaborator *el, const entry *e) {
    if (!e->definition) return value_scalar(e->symbol);
    const unsigned roles =
        1u << ROLE_PARAMETER | 1u << ROLE_TIME | 1u << ROLE_GIVEN | 1u << ROLE_COORDINATE;
    el->follow = true;
    expr v;
    if (!elab_scalar(el, e->definition, e->bindings, &v)) return value_void();
    if (!elab_expect_roles(el, v, e->definition->at, roles, "an input") ||
        !elab_expect_order(el, v, e->definition->at, 1, "an input"))
        return value_void();
    elab_set_given(el, e->index, v);
    return value_scalar(e->symbol);
}

const statement_rule statement_input = {
    .word = "input",
    .syntax = "input NAME [= E | from \"file\" column NAME [linear]], ..",
    .about = "an open signal, such as a motor's torque: 0, E of t and the state, or data, in runs",
    .parse = parse_signals,
    .declares = ENTRY_INPUT,
    .enter = enter_input,
    .define = define_input,
};

// --- where inputs may stand ----------------------------------------------------------------------

static bool uses(elaborator *el, expr e, expr input) {
    return e != EXPR_NONE && expr_depends_on(el->pool, e, 1, &input);
}

static bool vector_uses(elaborator *el, const vec3 *v, expr input) {
    return uses(el, v->at[0], input) || uses(el, v->at[1], input) || uses(el, v->at[2], input);
}

// An input and its derivatives u', u'' .. as far as there are any
static expr next_derivative(elaborator *el, expr input) {
    const uint32_t next = pool_symbol(el->pool, expr_symbol_index(el->pool, input))->next;
    return next == EXPR_NONE ? EXPR_NONE : pool_symbol(el->pool, next)->node;
}

static void refuse(elaborator *el, span at, const char *what, expr input) {
    diag_error(el->ctx, at,
               "it may stand in forces and torques; or let it depend on t and parameters only",
               "%s the input `%s`, which depends on the state: its time derivative would bring "
               "accelerations in",
               what, expr_symbol_name(el->pool, input));
}

// The input follows the state: where would its rate be asked for?
static void check_input(elaborator *el, const given_function *g) {
    const model *m = el->model;
    const expr u = g->symbol;
    for (uint32_t i = 0; i < m->constraints_count; i++)
        if (uses(el, m->constraints[i].phi, u))
            refuse(el, m->constraints[i].at, "this constraint holds", u);
    for (uint32_t i = 0; i < m->quasis_count; i++)
        if (uses(el, m->quasis[i].definition, u))
            refuse(el, m->quasis[i].at, "this quasi-velocity holds", u);
    const expr energy[] = {m->kinetic, m->potential, m->lagrangian};
    bool in_energy = false;
    for (size_t i = 0; i < sizeof energy / sizeof *energy; i++)
        in_energy = in_energy || uses(el, energy[i], u);
    if (in_energy) refuse(el, g->at, "an energy holds", u);
    for (expr rate = next_derivative(el, u); rate != EXPR_NONE; rate = next_derivative(el, rate)) {
        for (uint32_t i = 0; i < m->generalised_forces_count; i++)
            if (uses(el, m->generalised_forces[i].value, rate))
                refuse(el, m->generalised_forces[i].at, "this force holds a derivative of", u);
        for (uint32_t i = 0; i < m->forces_count; i++)
            if (vector_uses(el, &m->forces[i].force, rate))
                refuse(el, m->forces[i].at, "this force holds a derivative of", u);
        for (uint32_t i = 0; i < m->torques_count; i++)
            if (vector_uses(el, &m->torques[i].torque, rate))
                refuse(el, m->torques[i].at, "this torque holds a derivative of", u);
    }
}

// Itself, or by way of another input
static bool follows_state(elaborator *el, expr definition) {
    model_concrete(el->model, false, 1, &definition, &definition);
    return expr_order(el->pool, definition) >= 0;
}

void elab_check_inputs(elaborator *el) {
    const model *m = el->model;
    for (uint32_t i = 0; i < m->givens_count; i++) {
        const given_function *g = &m->givens[i];
        for (uint32_t j = 0; j < m->givens_count && !g->is_input; j++)
            if (m->givens[j].is_input && uses(el, g->definition, m->givens[j].symbol))
                diag_error(el->ctx, g->at, "make it an `input` too",
                           "the given `%s` depends on the input `%s`",
                           expr_symbol_name(el->pool, g->symbol),
                           expr_symbol_name(el->pool, m->givens[j].symbol));
        if (g->is_input && follows_state(el, g->definition)) check_input(el, g);
    }
}
