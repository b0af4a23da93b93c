// Statements at a state: claims, invariants, constraints, solutions.
#include "typed/evaluator.h"

#include <string.h>

static bool component_of(evaluator *ev, const result *r, int component, span at, jet *out) {
    const bool vector = r->type == VALUE_VECTOR && component >= 0;
    if (!vector && r->type != VALUE_SCALAR)
        return evaluator_fail(ev, TYPED_NO_VALUE, at, "a scalar was expected");
    *out = r->part[vector ? component : 0];
    return true;
}

// One side of what was typed, at a level.
static bool side_value(evaluator *ev, const typed_form *form, const syntax *side, const level *l,
                       jet *out) {
    if (!side) return evaluator_fail(ev, TYPED_NO_VALUE, (span){0}, "nothing was typed here");
    const typed_binding *around = evaluator_import(ev, form->bindings);
    result r;
    return evaluator_run(ev, side, around, l, &r) &&
           component_of(ev, &r, form->component, side->at, out);
}

static bool is_typed(const typed_form *form) { return form->item && form->item->value; }

static const typed_finding not_typed = {TYPED_NO_VALUE, {0}, "nothing was typed here"};

typed_finding typed_claim(const claim *c, state *x, arb_t left, arb_t right) {
    if (c->kind != CLAIM_EQUATION || !is_typed(&c->typed)) return not_typed;
    evaluator ev;
    evaluator_init(&ev, x);
    jet l, r;
    if (side_value(&ev, &c->typed, c->typed.item->value, &ev.ground, &l) &&
        side_value(&ev, &c->typed, c->typed.item->right, &ev.ground, &r)) {
        arb_set(left, l.part);
        arb_set(right, r.part);
    }
    evaluator_free(&ev);
    return ev.finding;
}

typed_finding typed_value(const typed_form *form, state *x, arb_t value, arb_t rate) {
    if (!is_typed(form)) return not_typed;
    evaluator ev;
    evaluator_init(&ev, x);
    jet j;
    if (side_value(&ev, form, form->item->value, &ev.ground, &j)) {
        arb_set(value, j.part);
        const level *moving = level_in_time(&ev, &ev.ground, 1);
        if (rate && side_value(&ev, form, form->item->value, moving, &j)) {
            j = jet_coefficient(&ev.jets, &j, level_bit(moving));
            arb_set(rate, j.part);
        }
    }
    evaluator_free(&ev);
    return ev.finding;
}

typed_finding typed_constraint(const constraint *c, state *x, arb_t phi) {
    if (!is_typed(&c->typed)) return not_typed;
    evaluator ev;
    evaluator_init(&ev, x);
    jet l, r;
    if (side_value(&ev, &c->typed, c->typed.item->value, &ev.ground, &l) &&
        side_value(&ev, &c->typed, c->typed.item->right, &ev.ground, &r))
        arb_sub(phi, l.part, r.part, x->precision);
    evaluator_free(&ev);
    return ev.finding;
}

// --- solutions -----------------------------------------------------------------------------------

// The functions of a solution stand in the statement behind its first item, in the order of
// claim.solution.
typed_form typed_solution_form(const claim *c, uint32_t coordinate) {
    uint32_t place = 0;
    for (const item *it = c->typed.item; it; it = it->next) {
        if (!it->word || strcmp(it->word, "solution") != 0 || !it->value) continue;
        if (place++ == coordinate) return (typed_form){it, c->typed.bindings, -1};
    }
    return (typed_form){.component = -1};
}

typed_finding typed_solution(const claim *c, uint32_t coordinate, state *x, arb_srcptr t,
                             uint32_t order, arb_ptr out) {
    uint32_t place = 0;
    while (place < c->solution_count &&
           c->solution[place].symbol != x->model->coordinates[coordinate])
        place++;
    const typed_form form = typed_solution_form(c, place);
    if (c->kind != CLAIM_SOLUTION || !is_typed(&form) || order > MOST_LEVELS) return not_typed;
    evaluator ev;
    evaluator_init(&ev, x);
    ev.time = t;
    const level *l = level_in_time(&ev, &ev.ground, order);
    jet j;
    if (side_value(&ev, &form, form.item->value, l, &j))
        for (uint32_t r = 0; r <= order; r++) { // the coefficient of eps_0 .. eps_(r-1)
            const uint32_t subset = (1u << r) - 1;
            if (subset & ~j.mask) arb_zero(out + r);
            else arb_set(out + r, j.part + subset);
        }
    evaluator_free(&ev);
    return ev.finding;
}
