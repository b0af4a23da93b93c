// Expressions by recursive descent. A long sum or product becomes one node, so only brackets,
// exponents and signs nest.
#include "parse/parser.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PRIMES = 16 };
enum { MOST_DIGITS = 10000 }; // of a number as written, and the size of its decimal exponent

syntax *syntax_new(parser *ps, syntax_kind kind, span at) {
    if (++ps->shared->node_count > ps->ctx->limits.nodes) {
        context_exhaust_limit(ps->ctx, at, "nodes", "parts of expressions", ps->ctx->limits.nodes);
        ps->failed = true;
    }
    syntax *node = arena_new(&ps->ctx->arena, syntax);
    node->kind = (uint8_t)kind;
    node->at = at;
    return node;
}

// --- numbers: exact rationals, 0.1 is 1/10 -------------------------------------------------------

// The exponent after e or E, kept within +-(MOST_DIGITS + 1).
static long read_exponent(const char *text, const char *end) {
    const bool negative = *text == '-';
    if (*text == '-' || *text == '+') text++;
    long exponent = 0;
    for (; text < end && exponent <= MOST_DIGITS; text++) exponent = 10 * exponent + (*text - '0');
    if (exponent > MOST_DIGITS) exponent = MOST_DIGITS + 1;
    return negative ? -exponent : exponent;
}

// value = digits * 10^exponent
static expr make_decimal(pool *p, const char *digits, long exponent) {
    fmpq_t value;
    fmpz_t power;
    fmpq_init(value);
    fmpz_init_set_ui(power, 10);
    fmpz_pow_ui(power, power, (ulong)labs(exponent));
    fmpz_set_str(fmpq_numref(value), digits, 10);
    if (exponent >= 0) fmpq_mul_fmpz(value, value, power);
    else fmpq_div_fmpz(value, value, power);
    const expr e = expr_number(p, value);
    fmpz_clear(power);
    fmpq_clear(value);
    return e;
}

static expr parse_number(parser *ps, const token *t) {
    const char *text = ps->lexer.text->bytes + t->at.offset, *end = text + t->at.length;
    const char *mantissa_end = text;
    while (mantissa_end < end && *mantissa_end != 'e' && *mantissa_end != 'E') mantissa_end++;
    const long exponent = mantissa_end < end ? read_exponent(mantissa_end + 1, end) : 0;
    if (mantissa_end - text > MOST_DIGITS || labs(exponent) > MOST_DIGITS) {
        context_exhaust(ps->ctx, t->at, "decimal digits of a number", MOST_DIGITS);
        ps->failed = true;
        return EXPR_ZERO;
    }
    char digits[MOST_DIGITS + 1];
    size_t count = 0;
    long decimals = 0;
    bool after_point = false;
    for (const char *c = text; c < mantissa_end; c++) {
        if (*c == '.') after_point = true;
        else {
            digits[count++] = *c;
            decimals += after_point;
        }
    }
    digits[count] = '\0';
    return make_decimal(ps->shared->pool, digits, exponent - decimals);
}

// --- names ---------------------------------------------------------------------------------------

// list = expression { "," expression }, appended to the operands of `owner`
static bool parse_list(parser *ps, syntax *owner) {
    syntax **end = &owner->first;
    do {
        syntax *e = parse_expression(ps);
        if (!e) return false;
        *end = e;
        end = &e->next;
        owner->count++;
    } while (parser_accept(ps, ','));
    return true;
}

// index = expression | expression ".." expression      (a range only where names are declared)
static syntax *parse_index(parser *ps, bool ranges) {
    syntax *from = parse_expression(ps);
    if (!from || !parser_sees(ps, TOKEN_RANGE)) return from;
    if (!ranges) {
        parser_fail(ps, ps->token.at, "a range belongs in a declaration such as `coord q[1..N]`",
                    "expected one index, found a range");
        return NULL;
    }
    parser_advance(ps);
    syntax *range = syntax_new(ps, SYNTAX_RANGE, from->at);
    range->first = from;
    range->count = 2;
    from->next = parse_expression(ps);
    range->at = parser_span(ps, from->at);
    return from->next ? range : NULL;
}

// indices = "[" index { "," index } "]"
static bool parse_indices(parser *ps, syntax *name, bool ranges) {
    const span opened = ps->token.at;
    if (!parser_enter(ps, opened)) return false;
    parser_open(ps);
    syntax **end = &name->indices;
    do {
        syntax *index = parse_index(ps, ranges);
        if (!index) return false;
        *end = index;
        end = &index->next;
    } while (parser_accept(ps, ','));
    ps->depth--;
    return parser_close(ps, ']', opened);
}

// NAME [ indices ] [ PRIMES ]
static syntax *parse_name(parser *ps, bool ranges) {
    syntax *name = syntax_new(ps, SYNTAX_NAME, ps->token.at);
    name->name = ps->token.name;
    parser_advance(ps);
    const bool indexed = parser_sees(ps, '[') &&
                         !((ranges || syntax_is_plain(name)) && parse_sees_unit(ps)); // pi [rad]
    if (indexed && !parse_indices(ps, name, ranges)) return NULL;
    if (parser_sees(ps, TOKEN_PRIMES)) {
        name->primes = (uint16_t)(ps->token.primes > MOST_PRIMES ? MOST_PRIMES : ps->token.primes);
        if (ps->token.primes > MOST_PRIMES)
            parser_fail(ps, ps->token.at, NULL, "at most %d primes, found %u", MOST_PRIMES,
                        ps->token.primes);
        parser_advance(ps);
        if (parser_sees(ps, '['))
            parser_fail(ps, ps->token.at,
                        parse_sees_unit(ps) ? "a unit stands behind a number, or behind the name "
                                              "that is declared: `observe v [m/s] = x'`"
                                            : "write the primes last: `q[i]'`",
                        "expected an operator, found `[`");
    }
    name->at = parser_span(ps, name->at);
    return ps->failed ? NULL : name;
}

// reference = NAME [ indices ] [ PRIMES ]
syntax *parse_reference(parser *ps, const char *what) {
    if (parser_sees(ps, TOKEN_NAME)) return parse_name(ps, false);
    parser_unexpected(ps, what);
    return NULL;
}

// declarator = NAME [ indices, ranges allowed ] [ unit ]
syntax *parse_declarator(parser *ps, const char *what) {
    if (!parser_sees(ps, TOKEN_NAME)) {
        parser_unexpected(ps, what);
        return NULL;
    }
    syntax *name = parse_name(ps, true);
    if (name && parser_sees(ps, '[')) name->unit = parse_unit(ps);
    if (name && name->primes) {
        parser_fail(ps, name->at, "primes mark time derivatives",
                    "a name is declared without primes");
        return NULL;
    }
    return name;
}

// --- calls, groups and operators -----------------------------------------------------------------

// iteration = ("sum" | "prod") "(" NAME "in" expression ".." expression "," expression ")"
// The bracket, the name and "in" have been read.
static syntax *parse_iteration(parser *ps, const syntax *callee, const syntax *index) {
    syntax *it = syntax_new(
        ps, strcmp(callee->name, "sum") == 0 ? SYNTAX_SUM_OVER : SYNTAX_PRODUCT_OVER, callee->at);
    it->name = index->name;
    it->count = 3;
    syntax *from = parse_expression(ps);
    if (!from || !parser_expect(ps, TOKEN_RANGE, "`..`")) return NULL;
    syntax *to = parse_expression(ps);
    if (!to || !parser_expect(ps, ',', "`,` and what to add up")) return NULL;
    it->first = from;
    from->next = to;
    to->next = parse_expression(ps);
    return to->next ? it : NULL;
}

static bool iterates(const syntax *callee) {
    return !callee->indices &&
           (strcmp(callee->name, "sum") == 0 || strcmp(callee->name, "prod") == 0);
}

// call = NAME [ indices ] "(" [ list | STRING ] ")" | iteration
static syntax *parse_call(parser *ps, syntax *callee) {
    const span opened = ps->token.at;
    if (!parser_enter(ps, opened)) return NULL;
    parser_mark(ps, opened.offset, MARK_CALL);
    parser_open(ps);
    if (callee->primes) {
        arena *a = &ps->ctx->arena;
        const char *derivative = callee->at.source->bytes + callee->at.offset;
        const char *help =
            parser_sees_word(ps, "t")
                ? arena_format(a, "coordinates are functions of time already: write `%.*s`",
                               (int)callee->at.length, derivative)
                : arena_format(a, "write `diff(%s(z), z)` for the derivative of a function",
                               callee->name);
        parser_fail(ps, callee->at, help, "a function takes no primes");
        return NULL;
    }
    syntax *call = callee;
    call->kind = SYNTAX_CALL;
    if (ps->token.kind == TOKEN_STRING) {
        call->first = syntax_new(ps, SYNTAX_TEXT, ps->token.at);
        call->first->name = ps->token.name;
        call->count = 1;
        parser_advance(ps);
    } else if (ps->token.kind != ')') {
        if (!parse_list(ps, call)) return NULL;
        const syntax *only = call->first;
        if (call->count == 1 && only->kind == SYNTAX_NAME && !only->indices && !only->primes &&
            iterates(callee) && parser_accept_word(ps, "in")) {
            call = parse_iteration(ps, callee, only);
            if (!call) return NULL;
        }
    }
    ps->depth--;
    if (!parser_close(ps, ')', opened)) return NULL;
    call->at = parser_span(ps, callee->at);
    return call;
}

// group = "(" expression ")" ;   tuple = "(" expression "," expression { "," expression } ")"
static syntax *parse_group(parser *ps) {
    const span opened = ps->token.at;
    if (!parser_enter(ps, opened)) return NULL;
    parser_open(ps);
    syntax *tuple = syntax_new(ps, SYNTAX_TUPLE, opened);
    if (!parse_list(ps, tuple)) return NULL;
    ps->depth--;
    if (!parser_close(ps, ')', opened)) return NULL;
    syntax *result = tuple->count == 1 ? tuple->first : tuple;
    result->at = parser_span(ps, opened);
    return result;
}

// primary = NUMBER [ unit ] | reference | call | group | tuple
static syntax *parse_primary(parser *ps) {
    if (parser_sees(ps, TOKEN_NUMBER)) {
        syntax *number = syntax_new(ps, SYNTAX_NUMBER, ps->token.at);
        number->number = parse_number(ps, &ps->token);
        parser_advance(ps);
        if (parser_sees(ps, '[')) number->unit = parse_unit(ps);
        number->at = parser_span(ps, number->at);
        return ps->failed ? NULL : number;
    }
    if (parser_sees(ps, TOKEN_NAME)) {
        syntax *name = parse_name(ps, false);
        return name && parser_sees(ps, '(') ? parse_call(ps, name) : name;
    }
    if (parser_sees(ps, '(')) return parse_group(ps);
    if (parser_sees(ps, '.')) {
        parser_fail(ps, ps->token.at, "a decimal starts with a digit: `0.5`",
                    "expected a value, found `.`");
        return NULL;
    }
    if (parser_sees(ps, '=') && ps->previous.kind == '=')
        parser_fail(ps, ps->token.at, "write `=` once", "expected a value, found `=`");
    else parser_unexpected(ps, "a value");
    return NULL;
}

// Components of vectors, and those of the constraints of a contact: its normal and its tangents
static bool is_component(const char *name) {
    static const char *const known[] = {"x", "y", "z", "n", "t", "t1", "t2"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i]) == 0) return true;
    return false;
}

// postfix = primary [ "." ("x" | "y" | "z" | "n" | "t" | "t1" | "t2") ] | plain unit
static syntax *parse_postfix(parser *ps) {
    syntax *e = parse_primary(ps);
    if (!e) return NULL;
    if (parser_sees(ps, '[') && syntax_is_plain(e)) return parse_times_unit(ps, e);
    if (parser_sees(ps, TOKEN_PRIMES)) {
        parser_fail(ps, ps->token.at, "write `ddt(...)` for the time derivative of an expression",
                    "a prime follows a name only");
        return NULL;
    }
    if (!parser_sees(ps, '.')) return e;
    parser_advance(ps);
    const char *letter = parser_sees(ps, TOKEN_NAME) ? ps->token.name : "";
    if (!is_component(letter)) {
        const bool number = e->kind == SYNTAX_NUMBER;
        if (number && ps->token.kind != TOKEN_BAD)
            parser_fail(ps, ps->previous.at, "write decimals with digits on both sides: `1.0`",
                        "expected a digit after the point");
        else parser_unexpected(ps, "a component `x`, `y` or `z`");
        return NULL;
    }
    syntax *component = syntax_new(ps, SYNTAX_COMPONENT, e->at);
    component->name = letter;
    component->first = e;
    component->count = 1;
    parser_advance(ps);
    component->at = parser_span(ps, e->at);
    if (parser_sees(ps, '.'))
        parser_fail(ps, ps->token.at, NULL, "a component is a scalar and has no components");
    if (parser_sees(ps, TOKEN_PRIMES))
        parser_fail(ps, ps->token.at,
                    arena_format(&ps->ctx->arena, "write `ddt(%.*s)` for the time derivative",
                                 (int)component->at.length,
                                 ps->lexer.text->bytes + component->at.offset),
                    "a prime follows a name only");
    return ps->failed ? NULL : component;
}

static syntax *parse_unary(parser *ps);

// power = postfix [ "^" unary ]      so ^ is right-associative, and -x^2 is -(x^2)
static syntax *parse_power(parser *ps) {
    syntax *base = parse_postfix(ps);
    if (!base || !parser_sees(ps, '^')) return base;
    const span at = ps->token.at;
    if (!parser_enter(ps, at)) return NULL;
    parser_advance(ps);
    syntax *power = syntax_new(ps, SYNTAX_POWER, base->at);
    power->first = base;
    power->count = 2;
    base->next = parse_unary(ps);
    if (!base->next) return NULL;
    base->next->join_at = at.offset;
    ps->depth--;
    power->at = parser_span(ps, base->at);
    return parse_lift_unit(ps, power);
}

// unary = { "+" | "-" } power
static syntax *parse_unary(parser *ps) {
    const span start = ps->token.at;
    bool negative = false;
    while (parser_sees(ps, '+') || parser_sees(ps, '-')) {
        negative ^= ps->token.kind == '-';
        parser_advance(ps);
    }
    syntax *e = parse_power(ps);
    if (!e || !negative) return e;
    syntax *minus = syntax_new(ps, SYNTAX_NEGATE, start);
    minus->first = e;
    minus->count = 1;
    minus->at = parser_span(ps, start);
    return minus;
}

// A chain of operands of one priority as one node; a single operand stands for itself.
static syntax *parse_chain(parser *ps, syntax_kind kind, int plain, int inverse,
                           syntax *(*operand)(parser *)) {
    syntax *last = operand(ps);
    if (!last || (!parser_sees(ps, plain) && !parser_sees(ps, inverse))) return last;
    syntax *chain = syntax_new(ps, kind, last->at);
    chain->first = last;
    chain->count = 1;
    last->join = (char)plain;
    while (parser_sees(ps, plain) || parser_sees(ps, inverse)) {
        const token join = ps->token;
        if (kind == SYNTAX_SUM) parser_mark(ps, join.at.offset, MARK_JOIN);
        parser_advance(ps);
        if (join.kind == '*' && parser_sees(ps, '*') && ps->token.at.offset == join.at.offset + 1) {
            parser_fail(ps, join.at, "write `^` for a power", "expected a value, found `*`");
            return NULL;
        }
        last->next = operand(ps);
        if (!last->next) return NULL;
        last = last->next;
        last->join = (char)join.kind;
        last->join_at = join.at.offset;
        chain->count++;
    }
    chain->at = parser_span(ps, chain->at);
    return kind == SYNTAX_PRODUCT ? parse_lift_unit(ps, chain) : chain;
}

// product = unary { ("*" | "/") unary }
static syntax *parse_product(parser *ps) {
    return parse_chain(ps, SYNTAX_PRODUCT, '*', '/', parse_unary);
}

// expression = product { ("+" | "-") product }
syntax *parse_expression(parser *ps) {
    if (ps->failed || ps->ctx->exhausted) return NULL;
    return parse_chain(ps, SYNTAX_SUM, '+', '-', parse_product);
}
