// The statement constraint: an equation that every motion satisfies, and its multiplier.
#include "parse/statement.h"

// constraint = "constraint" [ label ":" ] equation
static void parse_constraint(parser *ps, statement *s) {
    item *it = parse_item(ps, s);
    const syntax *left = parse_expression(ps);
    if (!left) return;
    if (left->kind == SYNTAX_NAME && !left->primes && parser_accept(ps, ':')) {
        s->name = left;
        it->at = ps->token.at;
    } else {
        it->value = left;
    }
    parse_equation(ps, it);
}

static span name_span(const statement *s) { return s->name ? s->name->at : s->at; }

static void add_constraint(elaborator *el, const statement *s, const char *name, expr phi,
                           typed_form typed) {
    if (phi != EXPR_ZERO && expr_order(el->pool, phi) < 0) {
        const span left = s->items->value->at, right = s->items->right->at;
        const span equation = {left.source, left.offset, right.offset + right.length - left.offset};
        diag_error(el->ctx, equation, NULL,
                   expr_is_number(el->pool, phi)
                       ? "constraint `%s` cannot hold: no coordinate is in it"
                       : "no coordinate is in constraint `%s`",
                   name);
        return;
    }
    if (!s->name && scope_find(el->scope, SPACE_CONSTRAINTS, name)) {
        diag_error(el->ctx, s->at, "write `constraint NAME: ...`",
                   "this constraint would be called `%s` after its place, and that name is taken",
                   name);
        return;
    }
    entry *label =
        scope_declare(el->scope, el->ctx, SPACE_CONSTRAINTS, ENTRY_LABEL, name, name_span(s));
    if (!label) return;
    label->index = el->model->constraints_count;
    const char *multiplier = arena_format(&el->ctx->arena, "lambda[%s]", name);
    const constraint c = {.name = label->name,
                          .phi = phi,
                          .stated = EXPR_NONE,
                          .at = s->whole,
                          .status = phi == EXPR_ZERO ? CONSTRAINT_IDENTITY : CONSTRAINT_ACTIVE,
                          .multiplier = expr_symbol(el->pool, multiplier, ROLE_MULTIPLIER),
                          .typed = typed};
    list_push(el->model, constraints, c);
}

static void read_constraint(elaborator *el, const instance *in) {
    const uint32_t ordinal = ++el->constraints_read;
    const statement *s = in->statement;
    const char *name =
        elab_label(el, s->name, in->bindings, arena_format(&el->ctx->arena, "c%u", ordinal));
    expr left[3], right[3];
    const int count = elab_equation(el, s->items, in->bindings, left, right);
    if (!name || !count || el->ctx->exhausted) {
        if (name) names_put(&el->reader->suspects, s->name ? s->name->name : name, 0);
        return;
    }
    if (count == 3) { // also the name of the whole, so that `lambda[contact]` is told to choose
        entry *whole =
            scope_declare(el->scope, el->ctx, SPACE_CONSTRAINTS, ENTRY_LABEL, name, name_span(s));
        if (!whole) return;
        whole->index = UINT32_MAX;
    }
    for (int i = 0; i < count; i++)
        add_constraint(el, s, elab_component_name(el, name, count, i),
                       expr_sub(el->pool, left[i], right[i]),
                       elab_typed(s->items, in->bindings, count, i));
}

const statement_rule statement_constraint = {
    .word = "constraint",
    .syntax = "constraint [NAME:] E = E",
    .about = "an equation that every motion satisfies, of scalars or of vectors",
    .parse = parse_constraint,
    .read = read_constraint,
    .phase = PHASE_CONSTRAINTS,
};
