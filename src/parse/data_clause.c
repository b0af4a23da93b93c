// Functions of time from data: `from "file" column NAME [linear]`, behind the name that a `given`
// or an `input` declares.
#include "parse/data_file.h"
#include "parse/statement.h"

// column = NAME [ indices ] [ unit ] | STRING
static const syntax *parse_column(parser *ps) {
    if (!parser_sees(ps, TOKEN_STRING)) {
        const syntax *one = parse_declarator(ps, "the name of a column of the file");
        for (const syntax *i = one ? one->indices : NULL; i; i = i->next)
            if (i->kind == SYNTAX_RANGE)
                parser_fail(ps, i->at, "in a loop over i write `column u[i]`",
                            "a function comes from one column");
        return one;
    }
    syntax *name = syntax_new(ps, SYNTAX_TEXT, ps->token.at);
    name->name = ps->token.name;
    parser_advance(ps);
    return name;
}

// data = "from" STRING "column" column [ "linear" ]
static const syntax *parse_data(parser *ps) {
    const span start = ps->previous.at;
    const token file = ps->token;
    if (!parser_expect(ps, TOKEN_STRING, "the name of a file in double quotes")) return NULL;
    if (!parser_accept_word(ps, "column")) {
        parser_unexpected(ps, "`column` and the name of a column");
        return NULL;
    }
    data_clause *data = arena_new(&ps->ctx->arena, data_clause);
    data->column = parse_column(ps);
    data->linear = parser_accept_word(ps, "linear");
    if (ps->failed) return NULL;
    data->text = parse_data_text(ps, file.at, file.name);
    syntax *node = syntax_new(ps, SYNTAX_DATA, parser_span(ps, start));
    node->data = data;
    return data->text ? node : NULL;
}

// signals = signal { "," signal } ;   signal = declarator [ "=" expression | data ]
void parse_signals(parser *ps, statement *st) {
    do {
        item *it = parse_item(ps, st);
        it->target = parse_declarator(ps, "a name");
        if (parser_accept(ps, '=')) it->value = parse_expression(ps);
        else if (parser_accept_word(ps, "from")) it->value = parse_data(ps);
        const bool is_data = it->value && it->value->kind == SYNTAX_DATA;
        if (is_data && it->target && !it->target->unit && it->value->data->column->unit)
            ((syntax *)it->target)->unit =
                it->value->data->column->unit; // of what the column holds
        if (it->target) parse_unit_of_item(ps, st, it);
    } while (parser_accept(ps, ','));
}

// f(t), f a function of the pool that has the data for values
value elab_data(elaborator *el, const syntax *node, const binding *b) {
    const data_clause *c = node->data;
    const bool text = c->column->kind == SYNTAX_TEXT;
    const char *column = text ? c->column->name : elab_label(el, c->column, b, NULL);
    if (!column) return value_void();
    spline *data = data_file_column(el->ctx, c->text, column, c->linear, node->at);
    if (!data) return value_void();
    const char *name = el->busy ? el->busy->name : column;
    const uint32_t f = pool_tabulate(el->pool, name, data);
    return value_scalar(expr_apply(el->pool, f, 1, &el->model->time));
}

void elab_set_given(elaborator *el, uint32_t index, expr definition) {
    given_function *g = &el->model->givens[index];
    uint32_t order;
    g->definition = definition;
    g->data = expr_spline(el->pool, definition, &order);
}
