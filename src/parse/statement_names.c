// Statements that declare names: const, param, coord, given, function, let, quasi. Their values are
// worked out when first asked for (define.c).
#include "parse/statement.h"

// constants were declared before all else; here it is only looked where they stand
static void check_const(elaborator *el, const statement *s, const binding *b) {
    if (b) diag_error(el->ctx, s->at, "use `let`", "`const` may not stand inside `for`");
}

const statement_rule statement_const = {
    .word = "const",
    .syntax = "const NAME = E, ..",
    .about = "a whole number, known before anything else is read",
    .parse = parse_definitions,
    .declare = check_const,
};

static void declare_param(elaborator *el, const statement *s, const binding *b) {
    elab_declare_items(el, s, b, ENTRY_PARAM);
}

const statement_rule statement_param = {
    .word = "param",
    .syntax = "param NAME [= E], ..",
    .about = "parameters: symbols in equations, values where numbers are computed",
    .parse = parse_open_definitions,
    .declare = declare_param,
};

static void declare_coord(elaborator *el, const statement *s, const binding *b) {
    elab_declare_items(el, s, b, ENTRY_COORD);
}

const statement_rule statement_coord = {
    .word = "coord",
    .syntax = "coord NAME, ..",
    .about = "the generalised coordinates",
    .parse = parse_names,
    .declare = declare_coord,
};

static void declare_given(elaborator *el, const statement *s, const binding *b) {
    elab_declare_items(el, s, b, ENTRY_GIVEN);
}

const statement_rule statement_given = {
    .word = "given",
    .syntax = "given NAME [= E], ..",
    .about = "a function of time that is not to be found: known, or left open",
    .parse = parse_open_definitions,
    .declare = declare_given,
};

static void declare_let(elaborator *el, const statement *s, const binding *b) {
    elab_declare_items(el, s, b, ENTRY_LET);
}

// function = "function" NAME parameters [ "=" expression ] { "," .. }
static void parse_function(parser *ps, statement *s) { parse_functions(ps, s, true); }

// let = "let" NAME [ parameters ] "=" expression { "," .. }
static void parse_let(parser *ps, statement *s) { parse_functions(ps, s, false); }

const statement_rule statement_function = {
    .word = "function",
    .syntax = "function NAME(NAME, ..) [= E], ..",
    .about = "a function of its arguments: known, or abstract",
    .parse = parse_function,
    .declare = declare_let,
};

const statement_rule statement_let = {
    .word = "let",
    .syntax = "let NAME = E, .. | let NAME(NAME, ..) = E",
    .about = "an abbreviation for a scalar, a vector or a rotation",
    .parse = parse_let,
    .declare = declare_let,
};

static void declare_quasi(elaborator *el, const statement *s, const binding *b) {
    elab_declare_items(el, s, b, ENTRY_QUASI);
}

const statement_rule statement_quasi = {
    .word = "quasi",
    .syntax = "quasi NAME = E, ..",
    .about = "a quasi-velocity, in place of an independent velocity",
    .parse = parse_definitions,
    .declare = declare_quasi,
};
