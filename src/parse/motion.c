// Statements about a motion: initial values, defaults of a run, what to draw.
#include "parse/elaborate.h"

#include <stdio.h>
#include <string.h>

// --- initial values ------------------------------------------------------------------------------

// What a value may be given to: x, x', a quasi-velocity, lambda[..]; t as well in a
// state written on the command line.
static expr assigned_symbol(elaborator *el, const syntax *s, const binding *b, bool with_time) {
    const char *name = s->name;
    const bool plain = !s->indices && !s->primes;
    bool known;
    const entry *e = elab_find(el, SPACE_VALUES, s, b, &known);
    if (!e && known) return EXPR_NONE;
    if (!e && plain && strcmp(name, "t") == 0) {
        if (with_time) return el->model->time;
        diag_error(el->ctx, s->at, "`simulate t = 0 .. 10` says when a motion begins",
                   "the time has no initial value");
        return EXPR_NONE;
    }
    if (!e && strcmp(name, "lambda") == 0 && !s->primes) return elab_find_multiplier(el, s, b);
    if (!e) {
        elab_unknown(el, s);
        return EXPR_NONE;
    }
    if (e->kind == ENTRY_COORD && s->primes <= 1)
        return expr_symbol_of_order(el->pool, e->symbol, s->primes);
    if (e->kind == ENTRY_QUASI && !s->primes) return e->symbol;
    if (e->kind == ENTRY_COORD)
        diag_error(el->ctx, s->at, NULL,
                   "accelerations follow from the equations of motion and have no initial value");
    else
        diag_error(el->ctx, s->at, NULL,
                   "expected a coordinate, a velocity, a quasi-velocity or a multiplier, found %s",
                   e->kind == ENTRY_QUASI ? "the derivative of a quasi-velocity"
                                          : scope_noun(e->kind));
    return EXPR_NONE;
}

// One value a symbol. Remembered by the index of the symbol, with the place in the list.
static bool is_second(elaborator *el, expr symbol, span at, uint32_t place,
                      const assignment *list) {
    char key[16];
    snprintf(key, sizeof key, "%u", expr_symbol_index(el->pool, symbol));
    if (names_put(&el->assigned, arena_copy(&el->ctx->arena, key, strlen(key)), place))
        return false;
    diag_error(el->ctx, at, NULL, "`%s` is given two values",
               elab_symbol_text(el, expr_as_symbol(el->pool, symbol)));
    diag_note(el->ctx, list[*names_get(&el->assigned, key)].at, NULL, "the first one is here");
    return true;
}

bool elab_assignment(elaborator *el, const item *it, const binding *b, bool with_time,
                     uint32_t place, const assignment *list, assignment *out) {
    const expr symbol = assigned_symbol(el, it->target, b, with_time);
    expr v;
    if (!elab_constant(el, it->value, b, &v) || symbol == EXPR_NONE) return false;
    *out = (assignment){symbol, v, it->target->at, elab_decimal(el, it->value)};
    return !is_second(el, symbol, out->at, place, list);
}

void elab_initial(elaborator *el, const instance *in) {
    model *m = el->model;
    for (const item *it = in->statement->items; it && !elab_stopped(el); it = it->next) {
        assignment a;
        if (elab_assignment(el, it, in->bindings, false, m->initial_count, m->initial, &a))
            model_push(m, initial, a);
    }
}

// --- simulate ------------------------------------------------------------------------------------

void elab_simulate(elaborator *el, const instance *in) {
    const statement *s = in->statement;
    simulate_defaults *d = &el->model->simulate;
    if (d->at.source) diag_error(el->ctx, s->at, NULL, "`simulate` is given twice");
    d->at = s->whole;
    for (const item *it = s->items; it; it = it->next) {
        expr v = EXPR_NONE, end = EXPR_NONE;
        if (it->value && !elab_constant(el, it->value, in->bindings, &v)) continue;
        if (it->right && !elab_constant(el, it->right, in->bindings, &end)) continue;
        if (strcmp(it->word, "t") == 0) d->from = v, d->to = end;
        else if (strcmp(it->word, "tol") == 0) d->tolerance = v;
        else if (strcmp(it->word, "output") == 0) d->output = v;
        else if (strcmp(it->word, "method") == 0) d->method = it->text;
        else d->form = it->text;
        const bool size = strcmp(it->word, "tol") == 0 || strcmp(it->word, "output") == 0;
        if (size && expr_is_number(el->pool, v) && fmpq_sgn(expr_number_value(el->pool, v)) <= 0)
            diag_error(el->ctx, it->value->at, NULL, "`%s` must be positive", it->word);
    }
}

// --- draw ----------------------------------------------------------------------------------------

static draw_kind kind_of(const char *word) {
    static const char *const shapes[] = {"line", "disk",      "sphere", "trail",
                                         "box",  "ellipsoid", "curve"};
    int i = 0;
    while (strcmp(shapes[i], word) != 0) i++;
    return (draw_kind)i;
}

static bool read_curve(elaborator *el, const instance *in, draw_item *d) {
    const statement *s = in->statement;
    const item *range = s->items->next;
    bool good = elab_constant(el, range->value, in->bindings, &d->from);
    good &= elab_constant(el, range->right, in->bindings, &d->to);
    d->local = expr_symbol(el->pool, s->name->name, ROLE_LOCAL);
    const binding along = {s->name->name, value_scalar(d->local), in->bindings};
    return elab_vector(el, s->items->value, &along, &d->a) && good;
}

// A box or ellipsoid that turns with a body, around its centre or around the place behind `at`.
static bool read_solid(elaborator *el, const instance *in, draw_item *d) {
    const statement *s = in->statement;
    const entry *e = elab_find_body(el, s->name, in->bindings);
    if (e && e->kind != ENTRY_BODY) {
        diag_error(el->ctx, s->name->at, NULL, "`%s` is a point: %s needs a body", e->name,
                   d->kind == DRAW_BOX ? "a box" : "an ellipsoid");
        e = NULL;
    }
    if (e) d->body = e->index, d->b = el->model->bodies[e->index].centre;
    const item *centre = s->items->next;
    const bool good = !centre || elab_vector(el, centre->value, in->bindings, &d->b);
    return elab_vector(el, s->items->value, in->bindings, &d->a) && good && e;
}

void elab_draw(elaborator *el, const instance *in) {
    const statement *s = in->statement;
    const item *second = s->items->next, *third = second ? second->next : NULL;
    draw_item d = {.kind = kind_of(s->identifier),
                   .radius = EXPR_NONE,
                   .local = EXPR_NONE,
                   .from = EXPR_NONE,
                   .to = EXPR_NONE,
                   .at = s->whole};
    bool good = true;
    if (d.kind == DRAW_CURVE) good = read_curve(el, in, &d);
    else if (d.kind == DRAW_BOX || d.kind == DRAW_ELLIPSOID) good = read_solid(el, in, &d);
    else good = elab_vector(el, s->items->value, in->bindings, &d.a);
    if (d.kind == DRAW_LINE || d.kind == DRAW_DISK)
        good &= elab_vector(el, second->value, in->bindings, &d.b);
    if (d.kind == DRAW_DISK) good &= elab_scalar(el, third->value, in->bindings, &d.radius);
    if (d.kind == DRAW_SPHERE) good &= elab_scalar(el, second->value, in->bindings, &d.radius);
    if (good) model_push(el->model, draws, d);
}
