// Words for the modes of contacts, and for resets and clocks.
#include "model/contact_modes.h"

#include "base/decimal.h"

const char *contact_mode_name(contact_mode mode) {
    static const char *const names[MODE_COUNT] = {"free", "sliding", "sliding-", "sticking",
                                                  "resting"};
    return names[mode];
}

bool contact_has_mode(const model *m, const contact *c, contact_mode mode) {
    switch (mode) {
    case MODE_FREE:
    case MODE_SLIDING: return true;
    case MODE_SLIDING_BACK: return c->tangents == 1;
    case MODE_STICKING: return c->tangents > 0;
    case MODE_RESTING: return c->tangents == 1 && m->contacts_count > 1;
    case MODE_COUNT: break;
    }
    return false;
}

static const char *take(const model *m, text *words) {
    const char *kept = arena_copy(&m->ctx->arena, text_string(words), words->length);
    text_free(words);
    return kept;
}

const char *contact_mode_list(const model *m, const contact *c, contact_mode except) {
    text words = {0};
    for (int i = 0; i < MODE_COUNT; i++)
        if ((contact_mode)i != except && contact_has_mode(m, c, (contact_mode)i))
            text_format(&words, "%s%s", words.length ? "|" : "",
                        contact_mode_name((contact_mode)i));
    return take(m, &words);
}

bool model_is_in_pieces(const model *m) {
    bool stated = false;
    for (uint32_t i = 0; i < m->contacts_count; i++) stated |= m->contacts[i].mode_is_stated;
    return m->resets_count || (m->contacts_count && !stated);
}

bool reset_is_clock(const reset *r) { return r->event == UINT32_MAX; }

const char *reset_words(const model *m, const reset *r) {
    if (!reset_is_clock(r)) return r->name;
    text words = {0};
    text_append(&words, "every ");
    decimal_append(model_constant(m, r->period), &words);
    return take(m, &words);
}

enum { MOST_NAMED = 8 }; // in one line

void model_modes_write(const model *m, const char *before, const char *after, text *out) {
    const uint32_t contacts = m->contacts_count, resets = m->resets_count;
    if (contacts) text_append(out, before);
    for (uint32_t i = 0; i < contacts && i < MOST_NAMED; i++)
        text_format(out, "%s%s: %s", i ? ", " : "", m->contacts[i].name,
                    contact_mode_name(m->contacts[i].mode));
    if (contacts > MOST_NAMED) text_format(out, " and %u more", contacts - MOST_NAMED);
    if (contacts)
        text_format(out, "; --set mode[%s]=%s names another%s", m->contacts[0].name,
                    contact_mode_list(m, &m->contacts[0], m->contacts[0].mode), after);
    if (resets) text_format(out, "%sresets: ", before);
    for (uint32_t i = 0; i < resets && i < MOST_NAMED; i++)
        text_format(out, "%s%s", i ? ", " : "", reset_words(m, &m->resets[i]));
    if (resets > MOST_NAMED) text_format(out, " and %u more", resets - MOST_NAMED);
    if (resets) text_format(out, "; this speaks of the motion between them%s", after);
}

const char *reset_target_name(const model *m, expr symbol) {
    for (uint32_t i = 0; i < m->givens_count; i++) // an input that is held between resets
        if (m->givens[i].is_input && m->givens[i].definition == symbol)
            return expr_symbol_name(m->pool, m->givens[i].symbol);
    return expr_symbol_text(m->pool, symbol);
}

bool model_input_is_held(const model *m, const given_function *g) {
    return model_input_held_from(m, g) != EXPR_NONE;
}

expr model_input_held_from(const model *m, const given_function *g) {
    bool is_set = false;
    for (uint32_t i = 0; i < m->resets_count; i++)
        for (uint32_t k = 0; k < m->resets[i].count; k++)
            is_set = is_set || m->resets[i].values[k].symbol == g->definition;
    for (uint32_t i = 0; i < m->parameters_count && is_set; i++)
        if (m->parameters[i].symbol == g->definition) return m->parameters[i].value;
    return EXPR_NONE;
}

const char *model_modes_help(const model *m, const char *help) {
    text words = {0};
    text_append(&words, help);
    model_modes_write(m, "; ", "", &words);
    return take(m, &words);
}
