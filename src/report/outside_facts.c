// What acts on a system from outside, in words: inputs and data; contacts, with how to name one of
// their modes; resets and clocks.
#include "model/contact_modes.h"
#include "report/facts.h"

static void begin(fact_list *facts, const char *label, const char *words) {
    list_push(facts, at, ((fact){.label = label, .words = words}));
}

static void add_detail(fact_list *facts, phrase *p) {
    fact *last = &facts->at[facts->at_count - 1];
    const char *words = phrase_take(p);
    list_push(last, details, words);
}

// Inputs, then givens from data
static void add_signals(const model *m, phrase_style style, bool input, fact_list *facts) {
    phrase p = {.m = m, .style = style};
    const char *label = input ? "inputs" : "data";
    for (uint32_t i = 0; i < m->givens_count; i++) {
        const given_function *g = &m->givens[i];
        if (g->is_input != input || (!input && !g->data)) continue;
        const expr held = model_input_held_from(m, g);
        if (g->data) {
            phrase_words(&p, "%s: %s", expr_symbol_name(m->pool, g->symbol),
                         model_data_words(m, g->data));
        } else {
            phrase_equation(&p, expr_symbol_name(m->pool, g->symbol), 0,
                            held != EXPR_NONE ? held : g->definition);
            if (held != EXPR_NONE) phrase_words(&p, " at the start, then held between resets");
            else if (g->definition == EXPR_ZERO) phrase_words(&p, " in runs");
        }
        begin(facts, label, phrase_take(&p));
        label = "";
    }
}

static const char *slides_words(const contact *c) {
    if (!c->tangents) return "no friction";
    return c->tangents == 1 ? "slides along a line" : "slides in every direction of a plane";
}

static void write_contact(phrase *p, const contact *c) {
    phrase_words(p, "%s: gap ", c->name);
    phrase_expression(p, c->gap);
    if (c->static_friction != EXPR_ZERO || c->friction != EXPR_ZERO) {
        phrase_words(p, ", friction ");
        phrase_expression(p, c->static_friction);
        if (c->friction != c->static_friction) {
            phrase_words(p, " at rest and ");
            phrase_expression(p, c->friction);
        }
    }
    phrase_words(p, ", restitution ");
    phrase_expression(p, c->restitution);
    phrase_words(p, "; %s", slides_words(c));
}

static void write_reset(phrase *p, const reset *r) {
    const model *m = p->m;
    if (reset_is_clock(r)) phrase_words(p, "%s: ", reset_words(m, r));
    else {
        phrase_words(p, "%s, where ", r->name);
        phrase_expression(p, m->events[r->event].value);
        phrase_words(p, " rises through 0: ");
    }
    for (uint32_t i = 0; i < r->count; i++) {
        phrase_words(p, "%s%s = ", i ? ", " : "", reset_target_name(m, r->values[i].symbol));
        phrase_expression(p, r->values[i].value);
    }
    if (!r->count) phrase_words(p, "nothing is set");
}

static void add_contacts(const model *m, phrase_style style, fact_list *facts) {
    phrase p = {.m = m, .style = style};
    if (m->contacts_count) {
        phrase_words(&p, "%u; what is said of constraints and equations is true in the modes below",
                     m->contacts_count);
        begin(facts, "contacts", phrase_take(&p));
    }
    for (uint32_t i = 0; i < m->contacts_count; i++) {
        const contact *c = &m->contacts[i];
        write_contact(&p, c);
        add_detail(facts, &p);
        phrase_words(&p, "%s is read as %s; --set mode[%s]=%s names another mode", c->name,
                     contact_mode_name(c->mode), c->name, contact_mode_list(m, c, c->mode));
        add_detail(facts, &p);
    }
    for (uint32_t i = 0; i < m->resets_count; i++) {
        write_reset(&p, &m->resets[i]);
        begin(facts, i ? "" : "resets", phrase_take(&p));
    }
}

void facts_add_outside(const model *m, phrase_style style, fact_list *facts) {
    add_signals(m, style, true, facts), add_signals(m, style, false, facts);
    add_contacts(m, style, facts);
}
