// Statements when and every: new values of coordinates, velocities, parameters and inputs, where
// something crosses zero upwards or at the ticks of a clock.
//
//   when strikes: alpha - th { th = -th, th' = c*th' }
//   every 0.01 { u = -k*x - d*x' }
//
// All values are worked out from the state before, then taken together. An input that is set here
// is held between: it is a parameter of the run.
#include "parse/statement.h"

#include <string.h>

// resets = "{" [ reference "=" expression { "," reference "=" expression } [ "," ] ] "}"
static void parse_resets(parser *ps, statement *st) {
    const span opened = ps->token.at;
    if (!parser_sees(ps, '{')) {
        parser_unexpected(ps, "an operator or `{`");
        return;
    }
    parser_open(ps);
    while (!ps->failed && ps->token.kind != '}' && ps->token.kind != TOKEN_END) {
        item *it = parse_item(ps, st);
        it->word = "set";
        it->target = parse_reference(ps, "a coordinate, a velocity, a parameter or an input");
        if (it->target && parser_expect(ps, '=', "`=`")) it->value = parse_expression(ps);
        if (!parser_accept(ps, ',')) break;
    }
    if (ps->failed) return;
    if (ps->token.kind != '}') {
        if (ps->token.kind == TOKEN_END) parser_fail(ps, opened, NULL, "this `{` is never closed");
        else parser_unexpected(ps, "an operator, `,` or `}`");
        return;
    }
    ps->brackets--;
    parser_advance(ps);
}

// when = "when" label ":" expression resets
static void parse_when(parser *ps, statement *st) {
    st->name = parse_label(ps, "the name of the reset");
    if (!st->name || !parser_expect(ps, ':', "`:`")) return;
    item *it = parse_item(ps, st);
    it->value = parse_expression(ps);
    if (it->value) parse_resets(ps, st);
}

// every = "every" expression resets
static void parse_every(parser *ps, statement *st) {
    item *it = parse_item(ps, st);
    it->value = parse_expression(ps);
    if (it->value) parse_resets(ps, st);
}

// --- what is set ---------------------------------------------------------------------------------

// A parameter holds the value of an input between two resets.
static expr hold_input(elaborator *el, const entry *e) {
    model *m = el->model;
    given_function *g = &m->givens[e->index];
    for (uint32_t i = 0; i < m->parameters_count; i++)
        if (m->parameters[i].symbol == g->definition) return g->definition; // by another reset
    const expr held =
        expr_symbol(el->pool, arena_format(&el->ctx->arena, "held[%s]", e->name), ROLE_PARAMETER);
    if (!elab_expect_roles(el, g->definition, e->at, 1u << ROLE_PARAMETER,
                           "the value at the start of an input that is held between resets"))
        return EXPR_NONE;
    list_push(m, parameters, ((parameter){.symbol = held, .value = g->definition, .at = e->at}));
    g = &m->givens[e->index];
    return g->definition = held;
}

static expr target_of(elaborator *el, const syntax *node, const binding *b) {
    bool known;
    const entry *e = elab_find(el, SPACE_VALUES, node, b, &known);
    if (!e) {
        if (!known) elab_unknown(el, node);
        return EXPR_NONE;
    }
    if (e->kind == ENTRY_COORD && node->primes <= 1)
        return expr_symbol_of_order(el->pool, e->symbol, node->primes);
    if (e->kind == ENTRY_PARAM && !node->primes) {
        if (el->model->parameters[e->index].value != EXPR_NONE) return e->symbol;
        diag_error(el->ctx, node->at, "give it one: `param NAME = 0`",
                   "parameter `%s` has no value at the start", e->name);
        return EXPR_NONE;
    }
    if (e->kind == ENTRY_INPUT && !node->primes) return hold_input(el, e);
    if (e->kind == ENTRY_QUASI && !node->primes) return e->symbol;
    diag_error(el->ctx, node->at, NULL,
               "expected a coordinate, a velocity, a parameter or an input, found %s%s",
               node->primes ? "a derivative of " : "", scope_noun(e->kind));
    return EXPR_NONE;
}

static void read_resets(elaborator *el, const instance *in, reset *r) {
    const statement *st = in->statement;
    assignment *values = arena_array(&el->ctx->arena, assignment, st->item_count);
    for (const item *it = st->items->next; it && !elab_stopped(el); it = it->next) {
        const expr target = target_of(el, it->target, in->bindings);
        expr v;
        if (!elab_scalar(el, it->value, in->bindings, &v) || target == EXPR_NONE ||
            !elab_expect_order(el, v, it->value->at, 1, "a new value"))
            continue;
        for (uint32_t i = 0; i < r->count; i++)
            if (values[i].symbol == target)
                diag_error(el->ctx, it->target->at, NULL, "`%s` is given two values",
                           expr_symbol_text(el->pool, target));
        values[r->count++] = (assignment){.symbol = target, .value = v, .at = it->target->at};
    }
    r->values = values;
    list_push(el->model, resets, *r);
}

static void read_when(elaborator *el, const instance *in) {
    const statement *st = in->statement;
    const char *name = elab_label(el, st->name, in->bindings, NULL);
    expr e;
    el->with_multipliers = true;
    const bool good = elab_scalar(el, st->items->value, in->bindings, &e);
    el->with_multipliers = false;
    if (!good || !name) return;
    if (!scope_declare(el->scope, el->ctx, SPACE_EVENTS, ENTRY_LABEL, name, st->name->at)) return;
    list_push(el->model, events,
              ((event){.name = name,
                       .value = e,
                       .direction = +1,
                       .at = st->whole,
                       .typed = elab_typed(st->items, in->bindings, 1, 0)}));
    read_resets(el, in,
                &(reset){.name = name,
                         .at = st->whole,
                         .event = el->model->events_count - 1,
                         .period = EXPR_NONE});
}

static void read_every(elaborator *el, const instance *in) {
    expr period;
    if (!elab_constant(el, in->statement->items->value, in->bindings, &period)) return;
    const double seconds = model_constant(el->model, period);
    if (!(seconds > 0)) {
        diag_error(el->ctx, in->statement->items->value->at, "write `every 0.01 { u = E }`",
                   "the time between two ticks is to be a positive number");
        return;
    }
    read_resets(
        el, in,
        &(reset){
            .name = "every", .at = in->statement->whole, .event = UINT32_MAX, .period = period});
}

const statement_rule statement_when = {
    .word = "when",
    .syntax = "when NAME: E { NAME = E, .. }",
    .about = "new values of coordinates, velocities or parameters where E rises through zero",
    .parse = parse_when,
    .read = read_when,
    .fit = dim_fit_reset,
};

const statement_rule statement_every = {
    .word = "every",
    .syntax = "every E { NAME = E, .. }",
    .about = "the same at the ticks of a clock: a sampled controller",
    .parse = parse_every,
    .read = read_every,
    .fit = dim_fit_reset,
};
