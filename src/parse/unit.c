// Units in brackets: what stands in them, which brackets hold one, and to what number it belongs.
#include "parse/parser.h"
#include "parse/scope.h"

#include <stdlib.h>
#include <string.h>

// --- what stands in brackets ---------------------------------------------------------------------

enum { MOST_FACTORS = 32, MOST_EXPONENT = 99 };

typedef struct { // a unit under way: factor * pi^pi of the SI units
    dimension dimension;
    fmpq_t factor;
    int pi;
} size;

static void unit_fail(parser *ps, span at, const char *help) {
    parser_fail(ps, at, help, "this unit cannot be used");
}

// *to *= what^(up/down); reports where that is no unit
static void multiply(parser *ps, span at, size *to, size *what, long up, long down) {
    exponent power = 0;
    if (!exponent_make(up, down, &power) ||
        !dimension_multiply(&to->dimension, &what->dimension, power))
        unit_fail(ps, at, "the exponents are too large, or no fractions of small numbers");
    for (int i = 0; i < DIMENSION_BASES && !ps->failed; i++)
        if (labs(to->dimension.of[i]) > (long)MOST_EXPONENT * DIMENSION_WHOLE)
            unit_fail(ps, at, "its exponents lie between -99 and 99");
    if (ps->failed) return;
    bool exact = what->pi * up % down == 0;
    fmpz *const part[] = {fmpq_numref(what->factor), fmpq_denref(what->factor)};
    for (int i = 0; i < 2 && down > 1; i++) exact &= fmpz_root(part[i], part[i], down);
    if (!exact) {
        unit_fail(ps, at, "its size is no fraction of SI units: take roots of SI units only");
        return;
    }
    fmpq_pow_si(what->factor, what->factor, up);
    fmpq_mul(to->factor, to->factor, what->factor);
    to->pi += (int)(what->pi * up / down);
}

// digits = NUMBER, a whole one of one or two digits
static bool read_digits(parser *ps, long *out) {
    const char *help = "write a whole number up to 99, or a fraction in brackets: `m^2`, `m^(1/2)`";
    const token t = ps->token;
    *out = 0;
    for (uint32_t i = 0; i < t.at.length && parser_sees(ps, TOKEN_NUMBER); i++) {
        const char c = ps->lexer.text->bytes[t.at.offset + i];
        *out = c >= '0' && c <= '9' && *out <= MOST_EXPONENT ? 10 * *out + (c - '0') : 1000;
    }
    if (parser_accept(ps, TOKEN_NUMBER) && *out <= MOST_EXPONENT) return true;
    parser_fail(ps, t.at, help, "expected the exponent of a unit");
    return false;
}

// exponent = [ "-" ] digits | "(" [ "-" ] digits [ "/" digits ] ")"
static bool read_exponent(parser *ps, long *up, long *down) {
    const span opened = ps->token.at;
    const bool fraction = parser_sees(ps, '(');
    *down = 1;
    if (fraction) parser_open(ps);
    const bool negative = parser_accept(ps, '-');
    if (!read_digits(ps, up)) return false;
    if (negative) *up = -*up;
    if (!fraction) return true;
    if (parser_accept(ps, '/') && !read_digits(ps, down)) return false;
    if (!*down) parser_fail(ps, opened, NULL, "division by zero");
    return parser_close(ps, ')', opened);
}

static void read_product(parser *ps, size *out, int *count);

// factor = ( NAME | "1" | "(" product ")" ) [ "^" exponent ]
static void read_factor(parser *ps, size *out, bool divides, int *count) {
    const token t = ps->token;
    size here = {.pi = 0};
    unit_size known;
    fmpq_init(here.factor);
    fmpq_one(here.factor);
    if (++*count > MOST_FACTORS) {
        parser_fail(ps, t.at, NULL, "a unit has at most %d factors", MOST_FACTORS);
    } else if (parser_sees(ps, '(')) {
        if (parser_enter(ps, t.at)) {
            parser_open(ps);
            read_product(ps, &here, count);
            ps->depth--;
            parser_close(ps, ')', t.at);
        }
    } else if (parser_sees(ps, TOKEN_NUMBER) && t.at.length == 1 &&
               ps->lexer.text->bytes[t.at.offset] == '1') {
        parser_advance(ps);
    } else if (parser_sees(ps, TOKEN_NAME) && unit_find(t.name, &known)) {
        here.dimension = known.dimension;
        here.pi = known.pi;
        fmpq_set_si(here.factor, known.up, (ulong)known.down);
        parser_advance(ps);
    } else if (parser_sees(ps, TOKEN_NAME)) {
        const char *near = unit_nearest(t.name);
        const char *help = near ? arena_format(&ps->ctx->arena, "did you mean `%s`?", near) : NULL;
        parser_fail(ps, t.at, help, "no unit is called `%s`", t.name);
    } else {
        parser_unexpected(ps, "a unit such as `m/s^2`");
    }
    long up = 1, down = 1;
    if (parser_accept(ps, '^')) read_exponent(ps, &up, &down);
    if (!ps->failed) multiply(ps, parser_span(ps, t.at), out, &here, divides ? -up : up, down);
    fmpq_clear(here.factor);
}

// product = factor { ("*" | "/") factor }
static void read_product(parser *ps, size *out, int *count) {
    read_factor(ps, out, false, count);
    while (!ps->failed && (parser_sees(ps, '*') || parser_sees(ps, '/'))) {
        const bool divides = ps->token.kind == '/';
        parser_advance(ps);
        read_factor(ps, out, divides, count);
    }
}

// What was written, without its blanks and comments
static const char *written(const parser *ps, span at) {
    char *shown = arena_copy(&ps->ctx->arena, at.source->bytes + at.offset + 1, at.length - 2);
    size_t kept = 0;
    for (size_t i = 0; shown[i]; i++) {
        if (shown[i] == '#') i += strcspn(shown + i, "\n");
        if (!strchr(" \t\r\n", shown[i])) shown[kept++] = shown[i];
    }
    shown[kept] = '\0';
    return shown;
}

// unit = "[" product "]"
const unit *parse_unit(parser *ps) {
    const span opened = ps->token.at;
    size made = {.pi = 0};
    int count = 0;
    fmpq_init(made.factor);
    fmpq_one(made.factor);
    parser_mark(ps, opened.offset, MARK_UNIT);
    parser_open(ps);
    read_product(ps, &made, &count);
    if (!ps->failed && parser_sees(ps, TOKEN_NAME))
        parser_fail(ps, ps->token.at, "write `*` between units: `[N*m]`",
                    "expected `]` or an operator, found `%s`", ps->token.name);
    unit *u = NULL;
    if (parser_close(ps, ']', opened)) {
        u = arena_new(&ps->ctx->arena, unit);
        *u = (unit){made.dimension, expr_number(ps->shared->pool, made.factor), made.pi, NULL,
                    parser_span(ps, opened)};
        u->text = written(ps, u->at);
        if (!ps->value_only) ps->shared->has_units = true;
    }
    fmpq_clear(made.factor);
    return u;
}

// --- which brackets hold a unit ------------------------------------------------------------------

// The names that statements `const` of this text declare, wherever they stand
static void find_constants(parser *ps) {
    if (ps->constants_known) return;
    ps->constants_known = true;
    lexer all = {.ctx = ps->ctx, .text = ps->lexer.text, .quiet = true};
    bool inside = false;
    token before = {0};
    for (token t = lexer_next(&all); t.kind != TOKEN_END; before = t, t = lexer_next(&all)) {
        if (t.starts_line && before.kind != ',')
            inside = t.kind == TOKEN_NAME && strcmp(t.name, "const") == 0;
        if (inside && t.kind == '=' && before.kind == TOKEN_NAME)
            names_put(&ps->shared->constants, before.name, 0);
    }
}

static bool is_index(parser *ps, const char *name) {
    for (const loop_name *l = ps->loops; l; l = l->outer)
        if (strcmp(l->name, name) == 0) return true;
    find_constants(ps);
    return names_get(&ps->shared->constants, name);
}

// Behind a blank, and with names in it of which none is an index: a unit. `q[1..N] [m]`: the second
// brackets are always those of a unit.
bool parse_sees_unit(parser *ps) {
    const span name = ps->previous.at;
    if (ps->token.at.offset == name.offset + name.length) return false;
    lexer ahead = ps->lexer;
    ahead.quiet = true;
    bool named = false;
    token t = lexer_next(&ahead);
    for (; t.kind != ']'; t = lexer_next(&ahead)) {
        const bool fits = t.kind == TOKEN_NAME || t.kind == TOKEN_NUMBER ||
                          (t.kind < TOKEN_END && t.kind > 0 && strchr("*/^()-", t.kind));
        if (!fits || (t.kind == TOKEN_NAME && is_index(ps, t.name))) return false;
        named |= t.kind == TOKEN_NAME;
    }
    return named && lexer_next(&ahead).kind != '[';
}

const char *parse_bare_unit(const parser *ps) {
    unit_size known;
    const uint32_t start = ps->token.at.offset;
    uint32_t end = start;
    lexer ahead = ps->lexer;
    ahead.quiet = true;
    token t = ps->token;
    while (t.kind == TOKEN_NAME && unit_find(t.name, &known)) {
        end = t.at.offset + t.at.length;
        t = lexer_next(&ahead);
        if (t.kind == '^' && !t.starts_line) {
            t = lexer_next(&ahead);
            if (t.kind == '-') t = lexer_next(&ahead);
            if (t.kind != TOKEN_NUMBER) break;
            end = t.at.offset + t.at.length;
            t = lexer_next(&ahead);
        }
        if ((t.kind != '*' && t.kind != '/') || t.starts_line) break;
        t = lexer_next(&ahead);
    }
    return end > start ? arena_copy(&ps->ctx->arena, ps->lexer.text->bytes + start, end - start)
                       : NULL;
}

// --- to what a unit belongs ----------------------------------------------------------------------

// A value of numbers alone: 2/3, -sqrt(2), pi/4
bool syntax_is_plain(const syntax *node) {
    switch ((syntax_kind)node->kind) {
    case SYNTAX_NUMBER: return !node->unit;
    case SYNTAX_NAME:
        return !node->indices && !node->primes &&
               (strcmp(node->name, "pi") == 0 || strcmp(node->name, "e") == 0);
    case SYNTAX_CALL:
        if (!scope_find_elementary(node->name) && strcmp(node->name, "sqrt") != 0) return false;
        break;
    case SYNTAX_SUM:
    case SYNTAX_PRODUCT:
    case SYNTAX_NEGATE:
    case SYNTAX_POWER: break;
    default: return false;
    }
    for (const syntax *i = node->first; i; i = i->next)
        if (!syntax_is_plain(i)) return false;
    return true;
}

static bool in_brackets(const syntax *node) {
    return node->at.source->bytes[node->at.offset] == '(';
}

// The number 1 with this unit, as a factor
static syntax *unit_factor(parser *ps, const unit *u) {
    syntax *one = syntax_new(ps, SYNTAX_NUMBER, u->at);
    one->number = EXPR_ONE;
    one->unit = u;
    one->join = '*';
    one->join_at = u->at.offset;
    return one;
}

static syntax *times(parser *ps, syntax *node, const unit *u) {
    syntax *product = syntax_new(ps, SYNTAX_PRODUCT, node->at);
    product->first = node;
    product->count = 2;
    node->join = '*';
    node->next = unit_factor(ps, u);
    return product;
}

syntax *parse_times_unit(parser *ps, syntax *node) {
    const unit *u = parse_unit(ps);
    return u ? times(ps, node, u) : NULL;
}

// The number at the end of 3 [m], -3 [m] or 10^3 [m] (that is a product already); NULL if it has no
// unit, or stands in brackets
static syntax *last_number(syntax *node) {
    if (in_brackets(node)) return NULL;
    if (node->kind == SYNTAX_NEGATE) node = node->first;
    if (node->kind == SYNTAX_PRODUCT && node->count == 2 &&
        (node->first->kind == SYNTAX_POWER || node->first->kind == SYNTAX_NAME))
        node = node->first->next;
    return node->kind == SYNTAX_NUMBER && node->unit && !in_brackets(node) ? node : NULL;
}

syntax *parse_lift_unit(parser *ps, syntax *node) {
    if (node->kind == SYNTAX_POWER) { // 10^-3 [m]
        syntax *number = last_number(node->first->next);
        if (!number || !syntax_is_plain(node->first)) return node;
        const unit *u = number->unit;
        number->unit = NULL;
        return times(ps, node, u);
    }
    for (syntax *f = node->first; f; f = f->next) { // 2/3 [m]
        syntax *number = f->join == '/' ? last_number(f) : NULL;
        if (number) {
            syntax *factor = unit_factor(ps, number->unit);
            number->unit = NULL;
            factor->next = f->next;
            f->next = factor;
            node->count++;
            return node;
        }
        if (!syntax_is_plain(f)) return node;
    }
    return node;
}

// The unit of a value that is a number with a unit; NULL if it is something else
static const unit *unit_of_value(const syntax *value) {
    if (value->kind == SYNTAX_NEGATE) value = value->first;
    if (value->kind == SYNTAX_PRODUCT) { // 2/3 [m]: the last factor is 1 [m]
        value = value->first;
        while (value->next && syntax_is_plain(value)) value = value->next;
        if (value->next) return NULL;
    }
    return value->kind == SYNTAX_NUMBER ? value->unit : NULL;
}

// A value of numbers alone is in the unit; any other one has its own dimension.
static syntax *apply(parser *ps, syntax *value, const unit *u) {
    syntax *number = value->kind == SYNTAX_NEGATE ? value->first : value;
    if (number->kind != SYNTAX_NUMBER) return times(ps, value, u);
    number->unit = u;
    return value;
}

void parse_unit_of_item(parser *ps, const statement *st, item *it) {
    static const statement_kind kinds[] = {
        STATEMENT_PARAM, STATEMENT_COORD,     STATEMENT_GIVEN,   STATEMENT_INPUT,  STATEMENT_LET,
        STATEMENT_QUASI, STATEMENT_INVARIANT, STATEMENT_OBSERVE, STATEMENT_COLLECT};
    // in the unit that is stated, in the place of SI units
    const bool shown = st->kind == STATEMENT_OBSERVE || st->kind == STATEMENT_COLLECT;
    const unit *u = it->target->unit;
    if (ps->failed) return;
    if (it->value && parser_sees(ps, '[')) {
        const unit *behind = parse_unit(ps);
        if (u && behind) parser_fail(ps, behind->at, NULL, "the unit is given twice");
        u = behind;
    }
    if (ps->failed) return;
    it->unit = u ? u : it->value ? unit_of_value(it->value) : NULL;
    if (!u) return;
    bool has_one = false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) has_one |= st->kind == kinds[i];
    if (!has_one || it->parameters) {
        parser_fail(ps, u->at, NULL, "no unit may stand here");
    } else if (it->value && syntax_is_plain(it->value) && !shown) {
        it->value = apply(ps, (syntax *)it->value, u);
    } else if (shown && !unit_is_coherent(u)) {
        syntax *value = times(ps, (syntax *)it->value, u); // shown in that unit: E/(1 [km/h])
        value->first->next->join = '/';
        it->value = value;
    } else if (!unit_is_coherent(u)) {
        parser_fail(ps, u->at,
                    arena_format(&ps->ctx->arena,
                                 "write `[%s]`; numbers may have this unit: `3 [%s]`",
                                 dimension_unit(&ps->ctx->arena, &u->dimension), u->text),
                    "`%s` is kept in SI units", it->target->name);
    }
}
