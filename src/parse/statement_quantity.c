// Statements about what is looked at along a motion: event, invariant, observe.
#include "parse/statement.h"

// event = "event" label ":" expression [ "up" | "down" ] [ "stop" ]
static void parse_event(parser *ps, statement *st) {
    st->name = parse_label(ps, "the name of the event");
    if (!parser_expect(ps, ':', "`:`")) return;
    item *it = parse_item(ps, st);
    it->value = parse_expression(ps);
    st->direction = parser_accept_word(ps, "up") ? 1 : parser_accept_word(ps, "down") ? -1 : 0;
    st->flag = parser_accept_word(ps, "stop");
}

// A scalar that is read along the motion, in which multipliers may stand
static bool read_along_motion(elaborator *el, const syntax *node, const binding *b, expr *out) {
    el->with_multipliers = true;
    const bool good = elab_scalar(el, node, b, out);
    el->with_multipliers = false;
    return good && elab_expect_no_rates(el, *out, node->at);
}

static void read_event(elaborator *el, const instance *in) {
    const statement *st = in->statement;
    const char *name = elab_label(el, st->name, in->bindings, NULL);
    expr e;
    if (!read_along_motion(el, st->items->value, in->bindings, &e) || !name) return;
    if (!scope_declare(el->scope, el->ctx, SPACE_EVENTS, ENTRY_LABEL, name, st->name->at)) return;
    list_push(el->model, events,
              (event){name, e, st->direction, st->flag, st->whole,
                      elab_typed(st->items, in->bindings, 1, 0)});
}

const statement_rule statement_event = {
    .word = "event",
    .syntax = "event NAME: E [up | down] [stop]",
    .about = "where E crosses zero, and whether the motion ends there",
    .parse = parse_event,
    .read = read_event,
    .fit = dim_fit_event,
};

// The highest derivative in a state: velocities, or order - 1 of a constraint of higher order. An
// invariant is a function of the state.
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
        if (!(invariant ? elab_scalar : read_along_motion)(el, it->value, in->bindings, &e) ||
            !name)
            continue;
        const bool fast = invariant && expr_order(el->pool, e) > 1;
        if (fast && !elab_expect_order(el, e, it->value->at, state_order(el), "an invariant"))
            continue;
        const space where = invariant ? SPACE_INVARIANTS : SPACE_OBSERVABLES;
        if (!scope_declare(el->scope, el->ctx, where, ENTRY_LABEL, name, it->target->at)) continue;
        const named_expression n = {.name = name,
                                    .value = e,
                                    .at = it->target->at,
                                    .typed = elab_typed(it, in->bindings, 1, 0)};
        if (invariant) list_push(el->model, invariants, n);
        else list_push(el->model, observables, n);
    }
}

const statement_rule statement_invariant = {
    .word = "invariant",
    .syntax = "invariant NAME = E, ..",
    .about = "a function that stays constant along the motion, as the author believes",
    .parse = parse_definitions,
    .read = read_named,
    .fit = dim_fit_named,
};

const statement_rule statement_observe = {
    .word = "observe",
    .syntax = "observe NAME = E, ..",
    .about = "something to print along with a motion",
    .parse = parse_definitions,
    .read = read_named,
    .fit = dim_fit_named,
};
