// Statements that declare names: const, param, coord, given, function, let, quasi.
#include "parse/statement.h"

#include <string.h>

enum { MOST_PARAMETERS = 64 };

static value define_constant(elaborator *el, const entry *e) {
    int64_t n;
    if (!e->definition) return value_void(); // an override that could not be read
    el->only_constants = true;
    if (!elab_integer(el, e->definition, e->bindings, "a `const`", &n)) return value_void();
    return value_scalar(expr_int(el->pool, n));
}

const statement_rule statement_const = {
    .word = "const",
    .syntax = "const NAME = E, ..",
    .about = "a whole number, known before anything else is read",
    .parse = parse_definitions,
    .declares = ENTRY_CONST,
    .comes_first = true,
    .define = define_constant,
};

static void enter_parameter(elaborator *el, entry *e) {
    model *m = el->model;
    e->symbol = expr_symbol(el->pool, e->name, ROLE_PARAMETER);
    e->index = m->parameters_count;
    list_push(m, parameters, (parameter){.symbol = e->symbol, .value = EXPR_NONE, .at = e->at});
}

static value define_parameter(elaborator *el, const entry *e) {
    if (!e->definition) return value_scalar(e->symbol);
    el->follow = true;
    expr v;
    if (!elab_constant(el, e->definition, e->bindings, &v)) return value_void();
    parameter *p = &el->model->parameters[e->index];
    p->value = v;
    p->decimal = elab_decimal(el, e->definition);
    return value_scalar(e->symbol);
}

const statement_rule statement_param = {
    .word = "param",
    .syntax = "param NAME [= E], ..",
    .about = "parameters: symbols in equations, values where numbers are computed",
    .parse = parse_open_definitions,
    .declares = ENTRY_PARAM,
    .enter = enter_parameter,
    .define = define_parameter,
};

static bool admit_coordinates(elaborator *el, uint64_t more, span at) {
    const uint32_t limit = el->ctx->limits.coordinates;
    if (el->model->coordinates_count + more <= limit) return true;
    context_exhaust(el->ctx, at, "coordinates", limit);
    return false;
}

static void enter_coordinate(elaborator *el, entry *e) {
    e->symbol = expr_symbol(el->pool, e->name, ROLE_COORDINATE);
    e->index = el->model->coordinates_count;
    list_push(el->model, coordinates, e->symbol);
}

const statement_rule statement_coord = {
    .word = "coord",
    .syntax = "coord NAME, ..",
    .about = "the generalised coordinates",
    .parse = parse_names,
    .declares = ENTRY_COORD,
    .admit = admit_coordinates,
    .enter = enter_coordinate,
};

static void enter_given(elaborator *el, entry *e) {
    e->symbol = expr_symbol(el->pool, e->name, ROLE_GIVEN);
    e->index = el->model->givens_count;
    list_push(el->model, givens,
              (given_function){.symbol = e->symbol, .definition = EXPR_NONE, .at = e->at});
}

static value define_given(elaborator *el, const entry *e) {
    if (!e->definition) return value_scalar(e->symbol);
    const unsigned roles = 1u << ROLE_PARAMETER | 1u << ROLE_TIME | 1u << ROLE_GIVEN;
    el->follow = true;
    expr v;
    if (!elab_scalar(el, e->definition, e->bindings, &v)) return value_void();
    if (!elab_expect_roles(el, v, e->definition->at, roles, "a function of time"))
        return value_void();
    elab_set_given(el, e->index, v);
    return value_scalar(e->symbol);
}

const statement_rule statement_given = {
    .word = "given",
    .syntax = "given NAME [= E | from \"file\" column NAME [linear]], ..",
    .about = "a function of time that is not to be found: known, from data, or left open",
    .parse = parse_signals,
    .declares = ENTRY_GIVEN,
    .enter = enter_given,
    .define = define_given,
};

// --- functions -----------------------------------------------------------------------------------

// parameters = "(" NAME { "," NAME } ")"
static void parse_parameters(parser *ps, item *it) {
    const span opened = ps->token.at;
    parser_open(ps);
    const syntax **end = &it->parameters;
    uint32_t count = 0;
    do {
        if (++count > MOST_PARAMETERS) {
            parser_fail(ps, ps->token.at, NULL, "a function has at most %d arguments",
                        MOST_PARAMETERS);
            return;
        }
        if (!parser_sees(ps, TOKEN_NAME)) {
            parser_unexpected(ps, "the name of an argument");
            return;
        }
        for (const syntax *other = it->parameters; other; other = other->next)
            if (strcmp(other->name, ps->token.name) == 0)
                parser_fail(ps, ps->token.at, NULL, "two arguments are called `%s`", other->name);
        syntax *name = syntax_new(ps, SYNTAX_NAME, ps->token.at);
        name->name = ps->token.name;
        *end = name;
        end = (const syntax **)&name->next;
        parser_advance(ps);
    } while (parser_accept(ps, ','));
    parser_close(ps, ')', opened);
}

// functions = declarator [ parameters ] [ "=" expression ] { "," .. }
// open: the parameters are needed and the value is not; else the other way round
static void parse_functions(parser *ps, statement *st, bool open) {
    do {
        item *it = parse_item(ps, st);
        it->target = parse_declarator(ps, "a name");
        if (parser_sees(ps, '(')) parse_parameters(ps, it);
        if (parser_accept(ps, '=')) it->value = parse_expression(ps);
        else if (!open) parser_unexpected(ps, "`=`");
        if (open && !it->parameters) parser_unexpected(ps, "`(` and the arguments of the function");
        if (it->target) parse_unit_of_item(ps, st, it);
    } while (parser_accept(ps, ','));
}

// function = "function" NAME parameters [ "=" expression ] { "," .. }
static void parse_function(parser *ps, statement *st) { parse_functions(ps, st, true); }

static void enter_function(elaborator *el, entry *e) {
    if (!e->definition) e->index = pool_function(el->pool, e->name, e->arity);
}

const statement_rule statement_function = {
    .word = "function",
    .syntax = "function NAME(NAME, ..) [= E], ..",
    .about = "a function of its arguments: known, or abstract",
    .parse = parse_function,
    .declares = ENTRY_LET,
    .enter = enter_function,
};

// let = "let" NAME [ parameters ] "=" expression { "," .. }
static void parse_let(parser *ps, statement *st) { parse_functions(ps, st, false); }

static value define_let(elaborator *el, const entry *e) {
    return elab_evaluate(el, e->definition, e->bindings);
}

const statement_rule statement_let = {
    .word = "let",
    .syntax = "let NAME = E, .. | let NAME(NAME, ..) = E",
    .about = "an abbreviation for a scalar, a vector or a rotation",
    .parse = parse_let,
    .declares = ENTRY_LET,
    .define = define_let,
};

// --- quasi-velocities ----------------------------------------------------------------------------

static void enter_quasi(elaborator *el, entry *e) {
    e->symbol = expr_symbol(el->pool, e->name, ROLE_QUASI);
    e->index = el->model->quasis_count;
    list_push(el->model, quasis, (quasi_velocity){e->name, e->symbol, EXPR_ZERO, e->at});
}

static value define_quasi(elaborator *el, const entry *e) {
    expr v;
    if (!elab_scalar(el, e->definition, e->bindings, &v)) return value_void();
    if (!elab_expect_order(el, v, e->definition->at, 1, "a quasi-velocity")) return value_void();
    el->model->quasis[e->index].definition = v;
    return value_scalar(v);
}

const statement_rule statement_quasi = {
    .word = "quasi",
    .syntax = "quasi NAME = E, ..",
    .about = "a quasi-velocity, in place of an independent velocity",
    .parse = parse_definitions,
    .declares = ENTRY_QUASI,
    .enter = enter_quasi,
    .define = define_quasi,
};
