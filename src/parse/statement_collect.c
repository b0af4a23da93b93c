// Statement collect: what `hamel sweep` keeps of each run.
#include "parse/statement.h"
#include "parse/sweep_parts.h"

#include <string.h>

static const char COLLECT_FORMS[] =
    "write `final(E)`, `max(E)`, `min(E)` or `mean(E)`, or `first(EVENT)` or `count(EVENT)`";
// What ends a mode of a contact (contact_parts.h)
static const char *const contact_words[] = {"lands", "lifts", "slips", "sticks"};
enum { CONTACT_WORDS = sizeof contact_words / sizeof *contact_words };

static const char *const collect_words[] = {
    [COLLECT_FINAL] = "final", [COLLECT_MAX] = "max",     [COLLECT_MIN] = "min",
    [COLLECT_MEAN] = "mean",   [COLLECT_FIRST] = "first", [COLLECT_COUNT] = "count"};
enum { COLLECT_KINDS = sizeof collect_words / sizeof *collect_words };

static int find_kind(const char *word) {
    for (int i = 0; i < COLLECT_KINDS; i++)
        if (strcmp(word, collect_words[i]) == 0) return i;
    return -1;
}

bool elab_is_of_event(const item *it) {
    const int kind = it->word ? find_kind(it->word) : -1;
    return kind == COLLECT_FIRST || kind == COLLECT_COUNT;
}

static const char *parse_contact_word(parser *ps) {
    for (int i = 0; i < CONTACT_WORDS; i++)
        if (parser_sees_word(ps, contact_words[i])) {
            parser_advance(ps);
            return contact_words[i];
        }
    parser_unexpected(ps, "`lands`, `lifts`, `slips` or `sticks`");
    return NULL;
}

// quantity = ( "final" | "max" | "min" | "mean" ) "(" expression ")"
//          | ( "first" | "count" ) "(" label [ "." ( "lands" | "lifts" | "slips" | "sticks" ) ] ")"
static void parse_quantity(parser *ps, item *it) {
    const int kind = parser_sees(ps, TOKEN_NAME) ? find_kind(ps->token.name) : -1;
    if (kind < 0) {
        parser_unexpected_with(ps, COLLECT_FORMS, "what is kept of a run");
        return;
    }
    it->word = collect_words[kind];
    parser_advance(ps);
    const span opened = ps->token.at;
    if (!parser_sees(ps, '(')) {
        parser_unexpected_with(ps, COLLECT_FORMS, "`(`");
        return;
    }
    parser_mark(ps, opened.offset, MARK_CALL);
    parser_open(ps);
    it->value =
        elab_is_of_event(it) ? parse_label(ps, "the name of an event") : parse_expression(ps);
    if (it->value && elab_is_of_event(it) && parser_accept(ps, '.'))
        it->text = parse_contact_word(ps);
    if (it->value && parser_sees(ps, ','))
        parser_fail(ps, ps->token.at, COLLECT_FORMS, "`%s` of a run takes one argument", it->word);
    if (it->value) parser_close(ps, ')', opened);
}

// collect = "collect" declarator "=" quantity { "," declarator "=" quantity }
static void parse_collect(parser *ps, statement *st) {
    do {
        item *it = parse_item(ps, st);
        it->target = parse_declarator(ps, "a name");
        if (!it->target || !parser_expect(ps, '=', "`=`")) return;
        parse_quantity(ps, it);
        if (ps->failed) return;
        if (elab_is_of_event(it) && it->target->unit)
            parser_fail(ps, it->target->unit->at, NULL, "no unit may stand here");
        parse_unit_of_item(ps, st, it);
    } while (parser_accept(ps, ','));
}

uint32_t elab_event_called(const model *m, const char *name) {
    for (uint32_t i = 0; i < m->events_count; i++)
        if (strcmp(m->events[i].name, name) == 0) return i;
    return UINT32_MAX;
}

// Of a contact: whether it has the event depends on its mode.
static bool find_contact_event(elaborator *el, const item *it, const char *name, collected *out) {
    const model *m = el->model;
    const contact *c = NULL;
    for (uint32_t i = 0; i < m->contacts_count && !c; i++)
        if (strcmp(m->contacts[i].name, name) == 0) c = &m->contacts[i];
    if (c && (c->tangents || it->text[0] == 'l')) {
        out->event_name = arena_format(&el->ctx->arena, "%s.%s", name, it->text);
        out->event = elab_event_called(m, out->event_name);
        return true;
    }
    if (c)
        diag_error(el->ctx, it->value->at, NULL,
                   "contact `%s` has no friction: it neither slips nor sticks", name);
    else if (!el->reader->incomplete)
        diag_error(el->ctx, it->value->at, NULL, "no contact is called `%s`", name);
    return false;
}

static bool find_event(elaborator *el, const item *it, const binding *b, collected *out) {
    const model *m = el->model;
    const syntax *node = it->value;
    const char *name = elab_label(el, node, b, NULL);
    if (!name) return false;
    if (it->text) return find_contact_event(el, it, name, out);
    out->event = elab_event_called(m, name), out->event_name = name;
    if (out->event != UINT32_MAX) return true;
    if (names_get(&el->reader->suspects, node->name) || el->reader->incomplete) return false;
    const char *near = scope_suggest(el->scope, el->ctx, SPACE_EVENTS, node->name);
    diag_error(el->ctx, node->at,
               near              ? near
               : m->events_count ? NULL
                                 : "an event is where an expression crosses zero: `event top: th'`",
               "no event is called `%s`", name);
    return false;
}

// What is observed, by its name alone: it is shown in the unit that it is observed in.
static const named_expression *find_observed(elaborator *el, const item *it, const binding *b) {
    const syntax *node = it->value;
    if (it->unit || node->kind != SYNTAX_NAME || node->primes) return NULL;
    if (scope_find(el->scope, SPACE_VALUES, node->name) || binding_find(b, node->name)) return NULL;
    return elab_find_observed(el, node, b);
}

// What is kept of a run, and how it is shown
static bool read_quantity(elaborator *el, const item *it, const binding *b, collected *out) {
    const named_expression *n = find_observed(el, it, b);
    if (n) {
        out->value = n->value, out->typed = n->typed;
        return true;
    }
    el->with_multipliers = el->with_observed = true;
    const bool good = elab_scalar(el, it->value, b, &out->value);
    el->with_multipliers = el->with_observed = false;
    return good && elab_expect_no_rates(el, out->value, it->value->at);
}

bool elab_read_collected(elaborator *el, const item *it, const binding *b, collected *out) {
    const char *name = elab_label(el, it->target, b, NULL);
    *out = (collected){.name = name,
                       .kind = (collect_kind)find_kind(it->word),
                       .value = EXPR_NONE,
                       .event = UINT32_MAX,
                       .at = it->target->at,
                       .typed = elab_typed(it, b, 1, 0)};
    bool good = name;
    if (name && strcmp(name, "ended") == 0) {
        diag_error(el->ctx, it->target->at, NULL,
                   "`ended` is the column that says how a run ended: take another name");
        good = false;
    }
    if (elab_is_of_event(it)) return find_event(el, it, b, out) && good;
    return read_quantity(el, it, b, out) && good;
}

static void read_collect(elaborator *el, const instance *in) {
    for (const item *it = in->statement->items; it && !elab_stopped(el); it = it->next) {
        collected c;
        if (elab_read_collected(el, it, in->bindings, &c) &&
            scope_declare(el->scope, el->ctx, SPACE_COLLECTS, ENTRY_LABEL, c.name, c.at))
            list_push(el->model, collects, c);
    }
}

const statement_rule statement_collect = {
    .word = "collect",
    .syntax =
        "collect NAME = final(E) | max(E) | min(E) | mean(E) | first(EVENT) | count(EVENT), ..",
    .about = "what hamel sweep keeps of each run: a value at its end, an extremum, a mean in time, "
             "the time of an event, how many there were",
    .parse = parse_collect,
    .read = read_collect,
    .phase = PHASE_LAST,
    .fit = dim_fit_collect,
};
