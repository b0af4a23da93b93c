// Statements sweep, samples and collect: what `hamel sweep` varies from run to run, and what it
// keeps of each. No other command looks at them.
//
//   sweep g = 1 .. 10 count 50, x' in uniform(-1, 1)
//   samples 1000 sobol seed 7
//   collect top = max(th), fall = first(ground)
#include "parse/data_file.h"
#include "parse/statement.h"
#include "parse/sweep_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// No plan has more runs than doubles can count, by far (sweep/plan.c); nor has one of its parts.
static const int64_t MOST_COUNT = 1000000000000000;

// --- sweep: how it is written --------------------------------------------------------------------

static const char SWEEP_FORMS[] = "write `= 1 .. 2 count 10`, `in {1, 2, 5}`, `in uniform(1, 2)`, "
                                  "`in normal(1, 0.1)` or `from \"starts.csv\"`";

// list = "{" expression { "," expression } "}", as one node with the expressions for operands
static syntax *parse_values(parser *ps) {
    const span opened = ps->token.at;
    syntax *list = syntax_new(ps, SYNTAX_TUPLE, opened), **end = &list->first;
    parser_open(ps);
    do {
        *end = parse_expression(ps);
        if (!*end) return NULL;
        end = &(*end)->next;
        list->count++;
    } while (parser_accept(ps, ','));
    if (ps->token.kind != '}') {
        if (ps->token.kind == TOKEN_END) parser_fail(ps, opened, NULL, "this `{` is never closed");
        else parser_unexpected(ps, "an operator, `,` or `}`");
        return NULL;
    }
    ps->brackets--;
    parser_advance(ps);
    list->at = parser_span(ps, opened);
    return list;
}

// distribution = ("uniform" | "normal") "(" expression "," expression ")"
static void parse_distribution(parser *ps, item *it) {
    const bool uniform = parser_sees_word(ps, "uniform");
    const char *help =
        uniform ? "write `in uniform(SMALLEST, LARGEST)`" : "write `in normal(MEAN, DEVIATION)`";
    it->word = uniform ? "uniform" : "normal";
    parser_advance(ps);
    const span opened = ps->token.at;
    if (!parser_sees(ps, '(')) {
        parser_unexpected_with(ps, help, "`(`");
        return;
    }
    parser_open(ps);
    it->value = parse_expression(ps);
    if (!parser_accept(ps, ','))
        parser_unexpected_with(ps, help,
                               uniform ? "an operator, or `,` and the largest value"
                                       : "an operator, or `,` and the standard deviation");
    else it->right = parse_expression(ps);
    if (it->right && parser_sees(ps, ',')) parser_unexpected_with(ps, help, "an operator or `)`");
    if (it->right) parser_close(ps, ')', opened);
}

// grid = "=" expression ".." expression "count" expression
static void parse_grid(parser *ps, statement *st, item *it) {
    it->word = "grid";
    if (ps->token.kind == '{' || parser_sees_word(ps, "uniform") ||
        parser_sees_word(ps, "normal")) {
        parser_fail(ps, ps->token.at, "write `in` in the place of `=`",
                    "`=` stands before the two ends of a grid");
        return;
    }
    it->value = parse_expression(ps);
    if (!it->value) return;
    if (!parser_sees(ps, TOKEN_RANGE)) {
        parser_fail(ps, it->value->at, SWEEP_FORMS, "one value is no sweep");
        return;
    }
    parser_advance(ps);
    it->right = parse_expression(ps);
    if (!it->right) return;
    if (!parser_accept_word(ps, "count")) {
        parser_unexpected_with(ps, "write `= 1 .. 2 count 10`",
                               "an operator, or `count` and how many values");
        return;
    }
    item *count = parse_item(ps, st);
    count->word = "count";
    count->value = parse_expression(ps);
}

// rows = { "," reference } "from" STRING, behind the first reference
static void parse_rows(parser *ps, statement *st) {
    while (parser_accept(ps, ',')) {
        item *it = parse_item(ps, st);
        it->word = "column";
        it->target = parse_reference(ps, "a parameter, a coordinate or a velocity");
    }
    if (ps->failed) return;
    if (!parser_accept_word(ps, "from")) {
        parser_unexpected_with(ps, SWEEP_FORMS, "`,` or `from` and a file");
        return;
    }
    const token file = ps->token;
    if (!parser_expect(ps, TOKEN_STRING, "the name of a file in double quotes")) return;
    data_clause *data = arena_new(&ps->ctx->arena, data_clause);
    data->text = parse_data_text(ps, file.at, file.name);
    syntax *node = syntax_new(ps, SYNTAX_DATA, file.at);
    node->data = data;
    item *it = parse_item(ps, st);
    it->word = "from", it->value = node;
}

// sweep = "sweep" part { "," part }
// part  = reference ( grid | "in" ( list | distribution ) | rows )
static void parse_sweep_statement(parser *ps, statement *st) {
    do {
        item *it = parse_item(ps, st);
        it->target = parse_reference(ps, "a parameter, a coordinate or a velocity");
        if (ps->failed) return;
        if (parser_accept(ps, '=')) {
            parse_grid(ps, st, it);
        } else if (parser_accept_word(ps, "in")) {
            if (ps->token.kind == '{') it->word = "list", it->value = parse_values(ps);
            else if (parser_sees_word(ps, "uniform") || parser_sees_word(ps, "normal"))
                parse_distribution(ps, it);
            else parser_unexpected_with(ps, SWEEP_FORMS, "`{`, `uniform` or `normal`");
        } else if (parser_sees(ps, ',') || parser_sees_word(ps, "from")) {
            it->word = "column";
            parse_rows(ps, st);
        } else {
            parser_unexpected_with(ps, SWEEP_FORMS, "`=`, `in`, `,` or `from`");
        }
    } while (!ps->failed && parser_accept(ps, ','));
}

// --- sweep: what it says -------------------------------------------------------------------------

static bool is_new(elaborator *el, const char *key, const char *what, span at) {
    if (names_put(&el->assigned, arena_copy(&el->ctx->arena, key, strlen(key)), 0)) return true;
    diag_error(el->ctx, at, NULL, "`%s` is varied twice", what);
    return false;
}

// A parameter that has a value, or an initial value; EXPR_NONE: reported
static expr varied_symbol(elaborator *el, const syntax *node, const binding *b) {
    bool known;
    const entry *e = elab_find(el, SPACE_VALUES, node, b, &known);
    if (!e) {
        const bool time = strcmp(node->name, "t") == 0;
        if (!known && (time || strcmp(node->name, "lambda") == 0))
            diag_error(el->ctx, node->at, NULL,
                       "expected a parameter, a coordinate or a velocity, found %s",
                       time ? "the time" : "a multiplier");
        else if (!known) elab_unknown(el, node);
        return EXPR_NONE;
    }
    if (e->kind == ENTRY_COORD && node->primes <= 1)
        return expr_symbol_of_order(el->pool, e->symbol, node->primes);
    if (e->kind == ENTRY_QUASI && !node->primes) return e->symbol;
    if (e->kind == ENTRY_PARAM && !node->primes) {
        if (el->model->parameters[e->index].value != EXPR_NONE) return e->symbol;
        diag_error(el->ctx, node->at,
                   arena_format(&el->ctx->arena, "give it one: `param %s = 1`", e->name),
                   "parameter `%s` has no value that could vary", e->name);
        return EXPR_NONE;
    }
    const char *help = e->kind == ENTRY_CONST
                           ? "all runs of a sweep are of one system: --set changes a `const`"
                       : e->kind == ENTRY_GIVEN || e->kind == ENTRY_INPUT
                           ? "let its definition depend on a `param`, and vary that"
                       : e->kind == ENTRY_LET ? "vary a `param` that it depends on"
                                              : NULL;
    diag_error(el->ctx, node->at, help,
               "expected a parameter, a coordinate or a velocity, found %s%s",
               node->primes ? "a derivative of " : "", scope_noun(e->kind));
    return EXPR_NONE;
}

static bool read_target(elaborator *el, const syntax *node, const binding *b, expr *out) {
    *out = varied_symbol(el, node, b);
    if (*out == EXPR_NONE) return false;
    char key[24];
    snprintf(key, sizeof key, "vary %u", expr_symbol_index(el->pool, *out));
    return is_new(el, key, expr_symbol_text(el->pool, *out), node->at);
}

// A whole number of at least `least` that is not beyond what can be counted
static bool read_count(elaborator *el, const syntax *node, const binding *b, const char *what,
                       int64_t least, const char *help, uint64_t *out) {
    int64_t count;
    if (!elab_integer(el, node, b, what, &count)) return false;
    *out = (uint64_t)count;
    if (count >= least && count <= MOST_COUNT) return true;
    if (count < least) diag_error(el->ctx, node->at, help, "%s is at least %" PRId64, what, least);
    else diag_error(el->ctx, node->at, NULL, "%s is at most 10^15", what);
    return false;
}

static bool read_values(elaborator *el, const item *it, const binding *b, varying *out) {
    out->count = it->value->count;
    expr *list = arena_array(&el->ctx->arena, expr, out->count);
    bool good = true;
    uint32_t i = 0;
    for (const syntax *v = it->value->first; v; v = v->next)
        good &= elab_constant(el, v, b, &list[i++]);
    out->list = list;
    return good;
}

// `a, x' from "starts.csv"`: the columns that are called as what they are values of
static bool read_rows(elaborator *el, const item *it, const item **next, const binding *b,
                      varying *out) {
    const item *last = it;
    for (; strcmp(last->word, "from") != 0; last = last->next) out->target_count++;
    *next = last->next;
    expr *target = arena_array(&el->ctx->arena, expr, out->target_count);
    const char **column = arena_array(&el->ctx->arena, const char *, out->target_count);
    bool good = true;
    for (uint32_t i = 0; i < out->target_count; i++, it = it->next) {
        good &= read_target(el, it->target, b, &target[i]);
        if (good) column[i] = expr_symbol_text(el->pool, target[i]);
    }
    out->target = target;
    if (!good) return false;
    out->rows = data_file_rows(el->ctx, last->value->data->text, out->target_count, column,
                               &out->count, last->value->at);
    return out->rows;
}

bool elab_read_varied(elaborator *el, const item **next, const binding *b, varying *out) {
    const item *it = *next;
    const bool grid = strcmp(it->word, "grid") == 0, list = strcmp(it->word, "list") == 0;
    *out = (varying){.at = it->target->at, .first = EXPR_NONE, .second = EXPR_NONE};
    out->kind = grid                              ? VARY_GRID
                : list                            ? VARY_LIST
                : strcmp(it->word, "column") == 0 ? VARY_ROWS
                : strcmp(it->word, "normal") == 0 ? VARY_NORMAL
                                                  : VARY_UNIFORM;
    if (out->kind == VARY_ROWS) return read_rows(el, it, next, b, out);
    *next = grid ? it->next->next : it->next;
    expr *target = arena_new(&el->ctx->arena, expr);
    out->target = target, out->target_count = 1;
    bool good = read_target(el, it->target, b, target);
    if (list) return read_values(el, it, b, out) && good;
    good &= elab_constant(el, it->value, b, &out->first);
    good &= elab_constant(el, it->right, b, &out->second);
    if (grid)
        good &= read_count(el, it->next->value, b, "the count of a grid", 2,
                           "a grid has two ends: for one value write `in {E}`", &out->count);
    return good;
}

static void read_sweep(elaborator *el, const instance *in) {
    if (el->ctx->skips_sweeps) return;
    for (const item *it = in->statement->items; it && !elab_stopped(el);) {
        varying v;
        if (elab_read_varied(el, &it, in->bindings, &v)) list_push(el->model, sweeps, v);
    }
}

const statement_rule statement_sweep = {
    .word = "sweep",
    .syntax = "sweep NAME = E .. E count E, NAME in {E, ..}, NAME' in uniform(E, E), NAME in "
              "normal(E, E), ..; sweep NAME, .. from \"file\"",
    .about =
        "what hamel sweep varies: parameters and initial values; several make a grid, the last "
        "fastest",
    .parse = parse_sweep_statement,
    .read = read_sweep,
    .phase = PHASE_LAST,
    .fit = dim_fit_sweep,
};

// --- samples -------------------------------------------------------------------------------------

// samples = "samples" expression [ "random" | "sobol" | "latin" ] [ "seed" expression ]
static void parse_samples(parser *ps, statement *st) {
    item *it = parse_item(ps, st);
    it->value = parse_expression(ps);
    it->word = parser_accept_word(ps, "sobol")    ? "sobol"
               : parser_accept_word(ps, "latin")  ? "latin"
               : parser_accept_word(ps, "random") ? "random"
                                                  : NULL;
    if (it->value && parser_accept_word(ps, "seed")) it->right = parse_expression(ps);
    else if (parser_sees(ps, TOKEN_NAME))
        parser_unexpected_with(ps, "write `samples 1000 sobol seed 7`",
                               it->word ? "`seed`" : "`random`, `sobol`, `latin` or `seed`");
}

bool elab_read_seed(elaborator *el, const syntax *node, const binding *b, uint64_t *out) {
    int64_t seed;
    if (!elab_integer(el, node, b, "the seed", &seed)) return false;
    *out = (uint64_t)seed;
    if (seed < 0) diag_error(el->ctx, node->at, NULL, "the seed must not be negative");
    return seed >= 0;
}

bool elab_read_samples(elaborator *el, const statement *st, const binding *b, sampling *out) {
    const item *it = st->items;
    *out = (sampling){.at = it->at};
    if (it->word && *it->word == 's') out->how = SAMPLER_SOBOL;
    if (it->word && *it->word == 'l') out->how = SAMPLER_LATIN;
    const bool good = read_count(el, it->value, b, "the number of samples", 1, NULL, &out->count);
    return (!it->right || elab_read_seed(el, it->right, b, &out->seed)) && good;
}

static void read_samples(elaborator *el, const instance *in) {
    sampling *own = &el->model->samples;
    if (own->at.source) {
        diag_error(el->ctx, in->statement->at, NULL, "`samples` is given twice");
        diag_note(el->ctx, own->at, NULL, "the first one is here");
        return;
    }
    elab_read_samples(el, in->statement, in->bindings, own);
}

const statement_rule statement_samples = {
    .word = "samples",
    .syntax = "samples E [random | sobol | latin] [seed E]",
    .about = "how many values hamel sweep draws of all distributions together, and how",
    .parse = parse_samples,
    .read = read_samples,
    .phase = PHASE_LAST,
};
