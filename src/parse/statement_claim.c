// The statement claim: what the author believes of the motion.
#include "parse/statement.h"

#include <string.h>

// settings = NAME "=" expression { "," NAME "=" expression }, each an item with the word given
static void parse_settings(parser *ps, statement *st, const char *word, const char *what) {
    do {
        item *it = parse_item(ps, st);
        it->word = word;
        it->target = parse_label(ps, what);
        if (parser_expect(ps, '=', "`=`")) it->value = parse_expression(ps);
    } while (parser_accept(ps, ','));
}

// claimed = equation | "classical" | "solution" NAME "=" expression { "," NAME "=" expression }
// Neither word can be the beginning of an equation: there an operator follows a name.
static void parse_claimed(parser *ps, statement *st, item *claimed) {
    const bool classical = parser_sees_word(ps, "classical"),
               solution = parser_sees_word(ps, "solution");
    parser after = *ps;
    after.lexer.quiet = true;
    if (classical || solution) parser_advance(&after);
    if (classical && parser_ends_statement(&after)) {
        claimed->word = "classical";
        parser_advance(ps);
    } else if (solution && parser_sees(&after, TOKEN_NAME)) {
        claimed->word = "solution";
        parser_advance(ps);
        parse_settings(ps, st, "solution", "a coordinate");
    } else {
        parse_equation(ps, claimed);
    }
}

// claim = "claim" label [ "under" identifier [ "with" settings ] ] ":" claimed
static void parse_claim(parser *ps, statement *st) {
    st->name = parse_label(ps, "the name of the claim");
    item *claimed = parse_item(ps, st);
    if (parser_accept_word(ps, "under")) {
        st->identifier_at = ps->token.at;
        st->identifier = parse_identifier(ps, "the name of a mechanics");
        if (parser_accept_word(ps, "with")) parse_settings(ps, st, "with", "the name of an option");
    }
    if (!parser_expect(ps, ':', "`:` and the equation claimed")) return;
    claimed->at = ps->token.at;
    parse_claimed(ps, st, claimed);
}

// "with nu = E": whether the form has such an option is seen when the claim is judged.
static bool read_options(elaborator *el, const instance *in, claim *c) {
    option *options = arena_array(&el->ctx->arena, option, in->statement->item_count);
    bool good = true;
    for (const item *it = in->statement->items->next; it; it = it->next) {
        if (strcmp(it->word, "with") != 0) continue;
        option *o = &options[c->option_count++];
        o->name = it->target->name;
        good &= elab_scalar(el, it->value, in->bindings, &o->value);
        for (uint32_t i = 0; i + 1 < c->option_count; i++) {
            if (strcmp(options[i].name, o->name) != 0) continue;
            diag_error(el->ctx, it->target->at, NULL, "`%s` is given twice", o->name);
            good = false;
        }
    }
    c->options = options;
    return good;
}

static bool is_solved(const claim *c, expr coordinate) {
    for (uint32_t i = 0; i < c->solution_count; i++)
        if (c->solution[i].symbol == coordinate) return true;
    return false;
}

// "solution x = E, y = E": every coordinate once, as a function of time and parameters.
static bool read_solution(elaborator *el, const instance *in, claim *c) {
    const statement *st = in->statement;
    const model *m = el->model;
    assignment *solution = arena_array(&el->ctx->arena, assignment, st->item_count);
    c->solution = solution;
    bool good = true;
    for (const item *it = st->items->next; it; it = it->next) {
        if (strcmp(it->word, "solution") != 0) continue;
        const entry *e = elab_find_coordinate(el, it->target, in->bindings, NULL);
        expr value;
        if (!elab_scalar(el, it->value, in->bindings, &value) || !e) return false;
        if (expr_order(el->pool, value) >= 0) {
            diag_error(el->ctx, it->value->at, NULL,
                       "a solution is a function of time and parameters");
            good = false;
        }
        if (is_solved(c, e->symbol)) {
            diag_error(el->ctx, it->target->at, NULL, "`%s` is given two values", e->name);
            good = false;
        }
        solution[c->solution_count++] =
            (assignment){.symbol = e->symbol, .value = value, .at = it->target->at};
    }
    for (uint32_t i = 0; i < m->coordinates_count && good; i++) {
        if (is_solved(c, m->coordinates[i])) continue;
        diag_error(el->ctx, st->items->at, NULL,
                   "a solution gives every coordinate: `%s` is missing",
                   expr_symbol_text(el->pool, m->coordinates[i]));
        good = false;
    }
    return good;
}

static void add_claim(elaborator *el, const statement *st, const claim *c) {
    if (scope_declare(el->scope, el->ctx, SPACE_CLAIMS, ENTRY_LABEL, c->name, st->name->at))
        list_push(el->model, claims, *c);
}

static void read_claim(elaborator *el, const instance *in) {
    const statement *st = in->statement;
    const char *name = elab_label(el, st->name, in->bindings, NULL), *word = st->items->word;
    claim c = {.name = name,
               .mechanics = st->identifier,
               .mechanics_at = st->identifier_at,
               .at = st->whole,
               .typed = elab_typed(st->items, in->bindings, 1, 0)};
    bool good = read_options(el, in, &c) && name;
    if (word) {
        c.kind = strcmp(word, "classical") == 0 ? CLAIM_CLASSICAL : CLAIM_SOLUTION;
        if (c.kind == CLAIM_SOLUTION) good = read_solution(el, in, &c) && good;
        if (good && !el->ctx->exhausted) add_claim(el, st, &c);
        return;
    }
    expr left[3], right[3];
    el->in_claim = el->with_multipliers = true;
    const int count = elab_equation(el, st->items, in->bindings, left, right);
    el->in_claim = el->with_multipliers = false;
    if (!good || el->ctx->exhausted) return;
    for (int i = 0; i < count; i++) {
        c.name = elab_component_name(el, name, count, i);
        c.left = left[i];
        c.right = right[i];
        c.typed = elab_typed(st->items, in->bindings, count, i);
        add_claim(el, st, &c);
    }
}

const statement_rule statement_claim = {
    .word = "claim",
    .syntax =
        "claim NAME [under ID [with NAME = E, ..]]: E = E | classical | solution NAME = E, ..",
    .about = "what holds for the motion, as the author believes; prove judges it",
    .parse = parse_claim,
    .read = read_claim,
    .fit = dim_fit_claim,
};
