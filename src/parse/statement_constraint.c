// The statement constraint: an equation that every motion satisfies, and its multiplier.
#include "parse/statement.h"

// by = "by" reference ":" expression { "," reference ":" expression }
static void parse_directions(parser *ps, statement *st) {
    do {
        item *it = parse_item(ps, st);
        it->target = parse_reference(ps, "a coordinate");
        if (!it->target || !parser_expect(ps, ':', "`:` and the direction, `by x: E`")) return;
        it->value = parse_expression(ps);
    } while (parser_accept(ps, ','));
}

// constraint = "constraint" [ label ":" ] equation [ by ]
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
    if (it->right && parser_accept_word(ps, "by")) parse_directions(ps, st);
}

static span name_span(const statement *st) { return st->name ? st->name->at : st->at; }

// --- servo constraints ---------------------------------------------------------------------------

// The direction along one coordinate, an entry for each of the components
static bool read_direction(elaborator *el, const item *it, const binding *b, int count,
                           expr out[3]) {
    vec3 v;
    bool good =
        count == 1 ? elab_scalar(el, it->value, b, &out[0]) : elab_vector(el, it->value, b, &v);
    for (int i = 0; i < count && good; i++) {
        if (count == 3) out[i] = v.at[i];
        good = elab_expect_order(el, out[i], it->value->at, 1, "the direction of a reaction");
    }
    return good;
}

// count arrays, one entry a coordinate; `some`: of components that need none. False: reported.
static bool read_directions(elaborator *el, const instance *in, int count, bool some[3],
                            expr *servo[3]) {
    const model *m = el->model;
    const uint32_t n = m->coordinates_count;
    bool *given = arena_array(&el->ctx->arena, bool, n + 1);
    for (int i = 0; i < count; i++) servo[i] = arena_array(&el->ctx->arena, expr, n + 1);
    for (const item *it = in->statement->items->next; it; it = it->next) {
        const entry *e = elab_find_coordinate(el, it->target, in->bindings, NULL);
        expr part[3];
        uint32_t at = 0;
        if (!e || !it->value || !read_direction(el, it, in->bindings, count, part)) return false;
        while (at < n && m->coordinates[at] != e->symbol) at++;
        if (at == n) return false;
        if (given[at]) {
            diag_error(el->ctx, it->target->at, NULL,
                       "`%s` stands twice in the direction of the reaction", e->name);
            return false;
        }
        given[at] = true;
        for (int i = 0; i < count; i++) servo[i][at] = part[i], some[i] |= part[i] != EXPR_ZERO;
    }
    for (int i = 0; i < count; i++) {
        if (some[i]) continue;
        diag_error(el->ctx, in->statement->items->next->at, NULL,
                   "the reaction of a servo constraint needs a direction, and this is 0");
        return false;
    }
    return true;
}

// --- the statement -------------------------------------------------------------------------------

static void add_constraint(elaborator *el, const statement *st, const char *name, expr phi,
                           const expr *servo, typed_form typed) {
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
                          .servo = servo,
                          .typed = typed};
    list_push(el->model, constraints, c);
}

static void read_constraint(elaborator *el, const instance *in) {
    const uint32_t ordinal = ++el->constraints_read;
    const statement *st = in->statement;
    const char *name =
        elab_label(el, st->name, in->bindings, arena_format(&el->ctx->arena, "c%u", ordinal));
    if (name && st->suffix) name = arena_format(&el->ctx->arena, "%s.%s", name, st->suffix);
    expr left[3], right[3];
    const int count = elab_equation(el, st->items, in->bindings, left, right);
    if (!name || !count || el->ctx->exhausted) {
        if (name) names_put(&el->reader->suspects, st->name ? st->name->name : name, 0);
        return;
    }
    expr *servo[3] = {NULL};
    bool identity[3] = {left[0] == right[0], count == 3 && left[1] == right[1],
                        count == 3 && left[2] == right[2]};
    if (st->items->next && !read_directions(el, in, count, identity, servo)) {
        names_put(&el->reader->suspects, st->name ? st->name->name : name, 0);
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
                       expr_sub(el->pool, left[i], right[i]), servo[i],
                       elab_typed(st->items, in->bindings, count, i));
}

const statement_rule statement_constraint = {
    .word = "constraint",
    .syntax = "constraint [NAME:] E = E [by NAME: E, ..]",
    .about = "an equation that every motion satisfies, of scalars or of vectors; by: along which "
             "direction its reaction acts",
    .parse = parse_constraint,
    .read = read_constraint,
    .fit = dim_fit_constraint,
    .phase = PHASE_CONSTRAINTS,
};
