// Statements initial and simulate: where a motion begins, and how it is computed.
#include "expr/program.h"
#include "parse/statement.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// assignments = reference "=" expression { "," reference "=" expression }
static void parse_initial(parser *ps, statement *st) {
    do {
        item *it = parse_item(ps, st);
        it->target = parse_reference(ps, "a coordinate, a velocity or `lambda[..]`");
        if (parser_expect(ps, '=', "`=`")) it->value = parse_expression(ps);
    } while (parser_accept(ps, ','));
}

// What a value may be given to: x, x', a quasi-velocity, lambda[..]; in a state written on the
// command line t and inputs as well.
static expr assigned_symbol(elaborator *el, const syntax *node, const binding *b, bool with_time) {
    const char *name = node->name;
    const bool plain = !node->indices && !node->primes;
    bool known;
    const entry *e = elab_find(el, SPACE_VALUES, node, b, &known);
    if (!e && known) return EXPR_NONE;
    if (!e && plain && strcmp(name, "t") == 0) {
        if (with_time) return el->model->time;
        diag_error(el->ctx, node->at, "`simulate t = 0 .. 10` says when a motion begins",
                   "the time has no initial value");
        return EXPR_NONE;
    }
    if (!e && strcmp(name, "lambda") == 0 && !node->primes)
        return elab_find_multiplier(el, node, b);
    if (!e) {
        elab_unknown(el, node);
        return EXPR_NONE;
    }
    if (e->kind == ENTRY_COORD && node->primes <= 1)
        return expr_symbol_of_order(el->pool, e->symbol, node->primes);
    if (e->kind == ENTRY_QUASI && !node->primes) return e->symbol;
    if (e->kind == ENTRY_INPUT && !node->primes && with_time) return e->symbol;
    if (e->kind == ENTRY_COORD)
        diag_error(el->ctx, node->at, NULL,
                   "accelerations follow from the equations of motion and have no initial value");
    else
        diag_error(el->ctx, node->at, NULL,
                   "expected a coordinate, a velocity, a quasi-velocity or a multiplier, found %s",
                   e->kind == ENTRY_QUASI ? "the derivative of a quasi-velocity"
                                          : scope_noun(e->kind));
    return EXPR_NONE;
}

// Reports a second value of a symbol. The first one is found by the index of the symbol.
static bool is_second(elaborator *el, expr symbol, span at, uint32_t place,
                      const assignment *list) {
    char key[16];
    snprintf(key, sizeof key, "%u", expr_symbol_index(el->pool, symbol));
    if (names_put(&el->assigned, arena_copy(&el->ctx->arena, key, strlen(key)), place))
        return false;
    diag_error(el->ctx, at, NULL, "`%s` is given two values", expr_symbol_text(el->pool, symbol));
    diag_note(el->ctx, list[*names_get(&el->assigned, key)].at, NULL, "the first one is here");
    return true;
}

// One assignment of `initial`, or of a state on the command line, which may give the time too. It
// is to be number `place` of the list so far.
static bool read_assignment(elaborator *el, const item *it, const binding *b, bool with_time,
                            uint32_t place, const assignment *list, assignment *out) {
    const expr symbol = assigned_symbol(el, it->target, b, with_time);
    expr v;
    if (!elab_constant(el, it->value, b, &v) || symbol == EXPR_NONE) return false;
    *out = (assignment){symbol, v, it->target->at, elab_decimal(el, it->value), false};
    return !is_second(el, symbol, out->at, place, list);
}

static void read_initial(elaborator *el, const instance *in) {
    model *m = el->model;
    for (const item *it = in->statement->items; it && !elab_stopped(el); it = it->next) {
        assignment a;
        if (read_assignment(el, it, in->bindings, false, m->initial_count, m->initial, &a))
            list_push(m, initial, a);
    }
}

const statement_rule statement_initial = {
    .word = "initial",
    .syntax = "initial NAME = E, NAME' = E, ..",
    .about = "the state in which a motion begins",
    .parse = parse_initial,
    .read = read_initial,
    .fit = dim_fit_assignments,
};

// --- guess ---------------------------------------------------------------------------------------

static void read_guess(elaborator *el, const instance *in) {
    for (const item *it = in->statement->items; it && !elab_stopped(el); it = it->next) {
        const expr symbol = assigned_symbol(el, it->target, in->bindings, false);
        expr v;
        if (!elab_constant(el, it->value, in->bindings, &v) || symbol == EXPR_NONE) continue;
        if (expr_as_symbol(el->pool, symbol)->role != ROLE_COORDINATE) {
            diag_error(el->ctx, it->target->at, "give it a value in `initial`",
                       "a guess is of a coordinate or a velocity");
            continue;
        }
        list_push(el->model, guesses,
                  ((assignment){symbol, v, it->target->at, elab_decimal(el, it->value),
                                in->statement->flag}));
    }
}

void elab_check_guesses(elaborator *el) {
    model *m = el->model;
    span *first = memory_zeros(span, pool_symbol_count(el->pool) + 1);
    for (uint32_t i = 0; i < m->initial_count; i++)
        first[expr_symbol_index(el->pool, m->initial[i].symbol)] = m->initial[i].at;
    for (uint32_t i = 0; i < m->guesses_count; i++) {
        const assignment *g = &m->guesses[i];
        span *at = &first[expr_symbol_index(el->pool, g->symbol)];
        if (g->gives_way) continue;
        if (!at->source) {
            *at = g->at;
            continue;
        }
        diag_error(el->ctx, g->at, "a guess is for what `initial` leaves open",
                   "`%s` is given two values", expr_symbol_text(el->pool, g->symbol));
        diag_note(el->ctx, *at, NULL, "the first one is here");
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->guesses_count; i++) {
        const assignment g = m->guesses[i];
        if (!g.gives_way || !first[expr_symbol_index(el->pool, g.symbol)].source)
            m->guesses[kept++] = g;
    }
    m->guesses_count = kept;
    memory_free(first);
}

const statement_rule statement_guess = {
    .word = "guess",
    .syntax = "guess NAME = E, NAME' = E, ..",
    .about = "where solving starts for coordinates and velocities that `initial` leaves open",
    .parse = parse_initial,
    .read = read_guess,
    .fit = dim_fit_assignments,
};

// --- a state on the command line -----------------------------------------------------------------

static const item *parse_list_of_values(reader *shared, const source *text) {
    parser ps;
    parser_init(&ps, shared, text, true);
    statement list = {.kind = STATEMENT_INITIAL};
    if (ps.token.kind == TOKEN_END) return NULL;
    parse_initial(&ps, &list);
    if (!ps.failed && ps.token.kind != TOKEN_END) parser_unexpected(&ps, "an operator or `,`");
    return ps.failed ? NULL : list.items;
}

// Words of a call, in the names of a model
static elaborator elaborator_of(model *m, const source *text, reader *shared) {
    return (elaborator){.ctx = m->ctx,
                        .pool = m->pool,
                        .model = m,
                        .scope = m->scope,
                        .reader = shared,
                        .main = text};
}

static bool is_too_long(context *ctx, const source *text) {
    if (text->length <= ctx->limits.source_bytes) return false;
    context_exhaust(ctx, (span){0}, "bytes of source text", ctx->limits.source_bytes);
    return true;
}

hamel_status parse_assignments(model *m, const source *text, assignment **items, uint32_t *count) {
    context *ctx = m->ctx;
    reader shared = {.ctx = ctx, .pool = m->pool};
    elaborator el = elaborator_of(m, text, &shared);
    *items = NULL;
    *count = 0;
    if (is_too_long(ctx, text)) return context_status(ctx);
    const item *first = parse_list_of_values(&shared, text);
    uint32_t length = 0;
    for (const item *it = first; it; it = it->next) length++;
    *items = arena_array(&ctx->arena, assignment, length);
    for (const item *it = first; it && !elab_stopped(&el); it = it->next) {
        assignment a;
        if (read_assignment(&el, it, NULL, true, *count, *items, &a)) (*items)[(*count)++] = a;
    }
    elab_check_values(&el, first);
    names_free(&el.assigned);
    names_free(&shared.constants);
    names_free(&shared.suspects);
    return context_status(ctx);
}

hamel_status parse_scalar(model *m, const source *text, expr *out) {
    context *ctx = m->ctx;
    reader shared = {.ctx = ctx, .pool = m->pool};
    elaborator el = elaborator_of(m, text, &shared);
    *out = EXPR_ZERO;
    if (is_too_long(ctx, text)) return context_status(ctx);
    parser ps;
    parser_init(&ps, &shared, text, true);
    const syntax *node = parse_expression(&ps);
    if (!ps.failed && ps.token.kind != TOKEN_END) parser_unexpected(&ps, "an operator");
    el.with_multipliers = true;
    if (!ps.failed) elab_scalar(&el, node, NULL, out);
    names_free(&shared.suspects);
    return context_status(ctx);
}

// --- simulate ------------------------------------------------------------------------------------

// simulate = "simulate" option { "," option }
// option   = "t" "=" expression ".." expression | ("tol" | "output") "=" expression
//          | ("method" | "form") "=" identifier
static void parse_simulate(parser *ps, statement *st) {
    static const char *const options[] = {"t", "tol", "output", "method", "form"};
    enum { TIME, TOLERANCE, OUTPUT, METHOD, FORM, OPTIONS };
    do {
        int which = 0;
        while (which < OPTIONS && !parser_sees_word(ps, options[which])) which++;
        if (which == OPTIONS) {
            parser_unexpected(ps, "`t`, `tol`, `output`, `method` or `form`");
            return;
        }
        for (const item *other = st->items; other; other = other->next)
            if (other->word == options[which])
                parser_fail(ps, ps->token.at, NULL, "`%s` is given twice", options[which]);
        item *it = parse_item(ps, st);
        it->word = options[which];
        parser_advance(ps);
        if (!parser_expect(ps, '=', "`=`")) return;
        if (which == METHOD || which == FORM) {
            it->text = parse_identifier(ps, which == METHOD ? "the name of a method"
                                                            : "the name of a form");
            continue;
        }
        it->value = parse_expression(ps);
        if (which == TIME && it->value && parser_expect(ps, TOKEN_RANGE, "an operator or `..`"))
            it->right = parse_expression(ps);
    } while (parser_accept(ps, ','));
}

// Whether a number of a run is one in double, and not 0 by rounding; false after saying so.
static bool has_double(elaborator *el, const syntax *node, expr v) {
    if (!node || !expr_is_number(el->pool, v)) return true;
    const double x = expr_value(el->pool, v, NULL);
    if (isfinite(x) && (x != 0 || fmpq_is_zero(expr_number_value(el->pool, v)))) return true;
    diag_error(el->ctx, node->at, "a run is computed in numbers from 1e-307 to 1e308",
               x == 0 ? "this number is too small" : "this is not a finite number");
    return false;
}

static void read_simulate(elaborator *el, const instance *in) {
    const statement *st = in->statement;
    simulate_defaults *d = &el->model->simulate;
    if (d->at.source) diag_error(el->ctx, st->at, NULL, "`simulate` is given twice");
    d->at = st->whole;
    for (const item *it = st->items; it; it = it->next) {
        expr v = EXPR_NONE, end = EXPR_NONE;
        if (it->value && !elab_constant(el, it->value, in->bindings, &v)) continue;
        if (it->right && !elab_constant(el, it->right, in->bindings, &end)) continue;
        if (!has_double(el, it->value, v) || !has_double(el, it->right, end)) continue;
        if (strcmp(it->word, "t") == 0) d->from = v, d->to = end;
        else if (strcmp(it->word, "tol") == 0) d->tolerance = v;
        else if (strcmp(it->word, "output") == 0) d->output = v;
        else if (strcmp(it->word, "method") == 0) d->method = it->text;
        else d->form = it->text;
        const bool size = strcmp(it->word, "tol") == 0 || strcmp(it->word, "output") == 0;
        if (size && it->value && expr_is_number(el->pool, v) &&
            fmpq_sgn(expr_number_value(el->pool, v)) <= 0)
            diag_error(el->ctx, it->value->at, NULL, "`%s` must be positive", it->word);
    }
}

const statement_rule statement_simulate = {
    .word = "simulate",
    .syntax = "simulate t = E .. E, tol = E, output = E, method = ID, form = ID",
    .about = "how a motion is to be computed; defaults of hamel simulate",
    .parse = parse_simulate,
    .read = read_simulate,
    .fit = dim_fit_simulate,
};
