// The statement constraint: an equation that every motion satisfies, and its multiplier.
#include "parse/statement.h"

// constraint = "constraint" [ label ":" ] equation
static void parse_constraint(parser *ps, statement *st) {
    item *it = parse_item(ps, st);
    const syntax *left = parse_expression(ps);
    if (!left) return;
    if (left->kind == SYNTAX_NAME && !left->primes && parser_accept(ps, ':')) {
        st->name = left;
        it->at = ps->token.at;
    } else {
        it->value = left;
    }
    parse_equation(ps, it);
}

static span name_span(const statement *st) { return st->name ? st->name->at : st->at; }

static void add_constraint(elaborator *el, const statement *st, const char *name, expr phi,
                           typed_form typed) {
    if (phi != EXPR_ZERO && expr_order(el->pool, phi) < 0) {
        const span left = st->items->value->at, right = st->items->right->at;
        const span equation = {left.source, left.offset, right.offset + right.length - left.offset};
        diag_error(el->ctx, equation, NULL,
                   expr_is_number(el->pool, phi)
                       ? "constraint `%s` cannot hold: no coordinate is in it"
                       : "no coordinate is in constraint `%s`",
                   name);
        return;
    }
    if (!st->name && scope_find(el->scope, SPACE_CONSTRAINTS, name)) {
        diag_error(el->ctx, st->at, "write `constraint NAME: ...`",
                   "this constraint would be called `%s` after its place, and that name is taken",
                   name);
        return;
    }
    entry *label =
        scope_declare(el->scope, el->ctx, SPACE_CONSTRAINTS, ENTRY_LABEL, name, name_span(st));
    if (!label) return;
    label->index = el->model->constraints_count;
    const char *multiplier = arena_format(&el->ctx->arena, "lambda[%s]", name);
    const constraint c = {.name = label->name,
                          .phi = phi,
                          .stated = EXPR_NONE,
                          .at = st->whole,
                          .status = phi == EXPR_ZERO ? CONSTRAINT_IDENTITY : CONSTRAINT_ACTIVE,
                          .multiplier = expr_symbol(el->pool, multiplier, ROLE_MULTIPLIER),
                          .typed = typed};
    list_push(el->model, constraints, c);
}

static void read_constraint(elaborator *el, const instance *in) {
    const uint32_t ordinal = ++el->constraints_read;
    const statement *st = in->statement;
    const char *name =
        elab_label(el, st->name, in->bindings, arena_format(&el->ctx->arena, "c%u", ordinal));
    expr left[3], right[3];
    const int count = elab_equation(el, st->items, in->bindings, left, right);
    if (!name || !count || el->ctx->exhausted) {
        if (name) names_put(&el->reader->suspects, st->name ? st->name->name : name, 0);
        return;
    }
    if (count == 3) { // also the name of the whole, so that `lambda[contact]` is told to choose
        entry *whole =
            scope_declare(el->scope, el->ctx, SPACE_CONSTRAINTS, ENTRY_LABEL, name, name_span(st));
        if (!whole) return;
        whole->index = UINT32_MAX;
    }
    for (int i = 0; i < count; i++)
        add_constraint(el, st, elab_component_name(el, name, count, i),
                       expr_sub(el->pool, left[i], right[i]),
                       elab_typed(st->items, in->bindings, count, i));
}

const statement_rule statement_constraint = {
    .word = "constraint",
    .syntax = "constraint [NAME:] E = E",
    .about = "an equation that every motion satisfies, of scalars or of vectors",
    .parse = parse_constraint,
    .read = read_constraint,
    .fit = dim_fit_equation,
    .phase = PHASE_CONSTRAINTS,
};
