// The statement contact: a gap that stays open or closed, with friction and impacts.
//
//   contact floor: gap z - r, at ball (x, y, 0), normal (0, 0, 1), friction 0.3, restitution 0.5
//
// A model is read in one mode of each contact (`--set mode[floor]=sliding`; free unless stated),
// and is an ordinary system in it: contact_parts.c says which. What is true in which mode, and
// which one follows, is computed from the same model (simulate/contact_law.h).
#include "model/contact_modes.h"
#include "parse/contact_parts.h"
#include "parse/sweep_parts.h"

#include <string.h>

// --- reading -------------------------------------------------------------------------------------

static const char *const clauses[] = {"gap",         "at",     "normal",  "friction",
                                      "restitution", "moving", "against", "tangent"};
enum { CLAUSES = sizeof clauses / sizeof *clauses };

static int clause_ahead(const parser *ps) {
    for (int i = 0; i < CLAUSES; i++)
        if (parser_sees_word(ps, clauses[i])) return i;
    return -1;
}

// An expression, and the text that it was read from
static const syntax *parse_quoted(parser *ps, const char **text) {
    const span from = ps->token.at;
    const syntax *node = parse_expression(ps);
    const span all = parser_span(ps, from);
    if (node) *text = arena_copy(&ps->ctx->arena, all.source->bytes + all.offset, all.length);
    return node;
}

static void parse_clause(parser *ps, statement *st, const char *word) {
    for (const item *other = st->items; other; other = other->next)
        if (strcmp(other->word, word) == 0) {
            parser_fail(ps, ps->token.at, NULL, "`%s` is given twice", word);
            return;
        }
    item *it = parse_item(ps, st);
    it->word = word;
    parser_advance(ps);
    const bool names_body = strcmp(word, "at") == 0 || strcmp(word, "against") == 0;
    if (names_body) {
        const span from = ps->token.at;
        it->target = parse_label(ps, "the name of a body or point");
        if (!it->target) return;
        const span all = parser_span(ps, from);
        it->text = arena_copy(&ps->ctx->arena, all.source->bytes + all.offset, all.length);
        if (word[1] == 'g' || parser_ends_statement(ps) || parser_sees(ps, ',')) return;
        item *place = parse_item(ps, st);
        place->word = "place";
        place->value = parse_quoted(ps, &place->text);
        return;
    }
    it->value = parse_quoted(ps, &it->text);
    if (strcmp(word, "friction") != 0 || !parser_sees(ps, ',')) return;
    lexer ahead = ps->lexer; // is it a second coefficient, or the next clause?
    ahead.quiet = true;
    const token next = lexer_next(&ahead);
    for (int i = 0; next.kind == TOKEN_NAME && i < CLAUSES; i++)
        if (strcmp(next.name, clauses[i]) == 0) return;
    parser_advance(ps);
    item *kinetic = parse_item(ps, st);
    kinetic->word = "kinetic";
    kinetic->value = parse_quoted(ps, &kinetic->text);
}

// contact = "contact" label ":" clause { "," clause }
// clause  = "gap" E | "at" NAME [V] | "normal" V | "friction" E [ "," E ] | "restitution" E
//         | "moving" V | "against" NAME | "tangent" V
static void parse_contact(parser *ps, statement *st) {
    const span from = ps->token.at;
    st->name = parse_label(ps, "the name of the contact");
    if (!st->name) return;
    const span label = parser_span(ps, from);
    st->identifier = arena_copy(&ps->ctx->arena, label.source->bytes + label.offset, label.length);
    if (!parser_expect(ps, ':', "`:`")) return;
    do {
        const int which = clause_ahead(ps);
        if (which < 0) {
            parser_unexpected(ps, "`gap`, `at`, `normal`, `friction`, `restitution`, `moving`, "
                                  "`against` or `tangent`");
            return;
        }
        parse_clause(ps, st, clauses[which]);
    } while (!ps->failed && parser_accept(ps, ','));
    if (!ps->failed && (!st->items || strcmp(st->items->word, "gap") != 0))
        parser_fail(ps, st->name->at, "write `contact floor: gap z - r, ..`",
                    "a contact begins with its `gap`");
}

const item *contact_clause(const statement *st, const char *word) {
    const item *it = st->items;
    while (it && strcmp(it->word, word) != 0) it = it->next;
    return it;
}

// --- the mode ------------------------------------------------------------------------------------

bool elab_sets_mode(const char *name) { return strncmp(name, "mode[", 5) == 0; }

static bool sets_mode_of(const char *override, const char *contact) {
    const size_t length = strlen(contact);
    return elab_sets_mode(override) && strncmp(override + 5, contact, length) == 0 &&
           strcmp(override + 5 + length, "]") == 0;
}

// "sliding+" and "rolling" are other words for two of them; "resting with NAME"
static contact_mode read_mode(elaborator *el, const char *contact, const char *word,
                              const char **with) {
    static const char WITH[] = "resting with ";
    while (*word == ' ') word++;
    if (strncmp(word, WITH, sizeof WITH - 1) == 0) {
        *with = arena_copy(&el->ctx->arena, word + sizeof WITH - 1, strlen(word) - sizeof WITH + 1);
        return MODE_RESTING;
    }
    if (strcmp(word, "sliding+") == 0) return MODE_SLIDING;
    if (strcmp(word, "rolling") == 0) return MODE_STICKING;
    for (int i = 0; i < MODE_COUNT; i++)
        if (strcmp(word, contact_mode_name((contact_mode)i)) == 0) return (contact_mode)i;
    diag_error(el->ctx, (span){0}, "it is free, sliding, sliding-, sticking or resting",
               "--set mode[%s]: there is no mode `%s`", contact, word);
    return MODE_FREE;
}

static void find_mode(elaborator *el, contact *c) {
    for (uint32_t i = 0; i < el->override_count; i++)
        if (sets_mode_of(el->override[i].name, c->name)) {
            c->mode = read_mode(el, c->name, el->override[i].value, &c->rests_with);
            c->mode_is_stated = true;
        }
}

// In a mode that is stated the initial values need not fit: they are where solving starts.
static void loosen_initial(model *m) {
    bool closed = false;
    for (uint32_t i = 0; i < m->contacts_count; i++)
        closed |= m->contacts[i].mode_is_stated && m->contacts[i].mode != MODE_FREE;
    for (uint32_t i = 0; i < m->initial_count && closed; i++) list_push(m, guesses, m->initial[i]);
    if (closed) m->initial_count = 0;
}

// Is there a contact that sticks and holds the one that rests, and no doubt which?
static void check_rest(elaborator *el, const contact *c) {
    const model *m = el->model;
    uint32_t holding = 0;
    for (uint32_t i = 0; i < m->contacts_count; i++)
        holding += m->contacts[i].mode == MODE_STICKING &&
                   (!c->rests_with || strcmp(m->contacts[i].name, c->rests_with) == 0);
    if (holding == 1) return;
    diag_error(el->ctx, (span){0},
               holding ? "write --set \"mode[A]=resting with B\", B the one of the same body that "
                         "sticks along the same line"
                       : "one of the same body is to stick: --set mode[B]=sticking",
               holding ? "--set mode[%s]: more than one contact sticks that it may rest with"
                       : "--set mode[%s]: there is no contact that sticks and that it rests with",
               c->name);
}

void elab_finish_contacts(elaborator *el) {
    model *m = el->model;
    loosen_initial(m);
    for (uint32_t i = 0; i < m->contacts_count && !el->ctx->error_count; i++)
        if (m->contacts[i].mode == MODE_RESTING) check_rest(el, &m->contacts[i]);
    for (uint32_t i = 0; i < m->contacts_count; i++) contact_add_ends(el, &m->contacts[i]);
    for (uint32_t i = 0; i < m->collects_count; i++) // what was read before these were there
        if (m->collects[i].event_name)
            m->collects[i].event = elab_event_called(m, m->collects[i].event_name);
    for (uint32_t i = 0; i < el->override_count; i++) {
        const char *name = el->override[i].name;
        bool found = !elab_sets_mode(name) || el->ctx->error_count;
        for (uint32_t k = 0; k < m->contacts_count && !found; k++)
            found = sets_mode_of(name, m->contacts[k].name);
        if (!found)
            diag_error(el->ctx, (span){0},
                       m->contacts_count
                           ? arena_format(&el->ctx->arena, "there is `%s`", m->contacts[0].name)
                           : "the model has no `contact`",
                       "--set %s: no contact has this name", name);
    }
}

static void read_contact(elaborator *el, const instance *in) {
    const statement *st = in->statement;
    contact c = {.at = st->whole};
    c.name = elab_label(el, st->name, in->bindings, NULL);
    if (!c.name) return;
    const item *gap = contact_clause(st, "gap");
    if (!elab_scalar(el, gap->value, in->bindings, &c.gap) ||
        !elab_expect_order(el, c.gap, gap->value->at, 0, "the gap of a contact"))
        return;
    if (expr_order(el->pool, c.gap) < 0) {
        diag_error(el->ctx, gap->value->at, "let the coordinates leave room for it to open",
                   "no coordinate is in the gap of contact `%s`: it never opens", c.name);
        return;
    }
    find_mode(el, &c);
    if (contact_expand(el, in, &c)) list_push(el->model, contacts, c);
}

const statement_rule statement_contact = {
    .word = "contact",
    .syntax = "contact NAME: gap E, at NAME V, normal V, friction E, restitution E",
    .about = "a gap that cannot close further, with friction and impacts",
    .parse = parse_contact,
    .read = read_contact,
    .fit = dim_fit_contact,
    .phase = PHASE_CONSTRAINTS,
};
