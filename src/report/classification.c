// What is known of a system, and the words for each of its constraints.
#include "report/classification.h"

classification classification_of(const model *m, const mechanics *s) {
    classification c = {.m = m, .s = s, .character = character_of(s)};
    c.special = special_cases_of(s, &c.character);
    c.geometry = geometry_of(s);
    c.symmetry = symmetries_of(s);
    return c;
}

// Constraints of order 2 and higher count as constraints, though only the forms made for them can
// treat them.
uint32_t classification_constraints(const classification *c) {
    uint32_t count = c->s->k;
    for (uint32_t i = 0; i < c->m->constraints_count; i++)
        count += c->m->constraints[i].status == CONSTRAINT_ACTIVE && c->m->constraints[i].order > 1;
    return count;
}

uint32_t classification_freedom(const classification *c) {
    const uint32_t k = classification_constraints(c);
    return c->s->n > k ? c->s->n - k : 0;
}

// --- one constraint ------------------------------------------------------------------------------

const char *constraint_degree_words(const constraint *c) {
    if (c->order == 0) return "holonomic";
    if (!c->linear) return c->homogeneous ? "nonlinear, homogeneous" : "nonlinear";
    return c->homogeneous ? "linear, homogeneous" : "affine";
}

static const char *integrability_words(const constraint_geometry *g) {
    if (g->alone == INTEGRABLE_YES) return "integrable";
    if (g->beside == INTEGRABLE_YES) return "integrable with the others, not by itself";
    if (g->alone == INTEGRABLE_UNKNOWN) return "";
    return g->beside == INTEGRABLE_NO ? "not integrable" : "not integrable by itself";
}

const char *constraint_verdict_words(const classification *k, uint32_t index) {
    const constraint_geometry *g = &k->geometry.constraint[index];
    const stated_geometry *v = &k->geometry.stated;
    if (k->m->constraints[index].order != 1) return "";
    if (!v->decided ||
        (g->alone == v->constraint[index].alone && g->beside == v->constraint[index].beside))
        return integrability_words(g);
    return arena_format(&k->m->ctx->arena, "%s in general, %s at the stated values",
                        integrability_words(g), integrability_words(&v->constraint[index]));
}

const char *constraint_status_words(const constraint *c) {
    switch (c->status) {
    case CONSTRAINT_IDENTITY: return "holds identically, dropped";
    case CONSTRAINT_REDUNDANT: return "redundant, set aside";
    case CONSTRAINT_COMBINED: return "kept in a combination";
    case CONSTRAINT_ACTIVE: break;
    }
    return "";
}

const char *constraint_integral_words(const classification *k, uint32_t index, phrase_style style) {
    const constraint_geometry *g = &k->geometry.constraint[index];
    if (k->m->constraints[index].order != 1 || g->alone != INTEGRABLE_YES) return NULL;
    if (g->integral == EXPR_NONE) return "none found in the ansatz";
    phrase p = {.m = k->m, .style = style};
    phrase_expression(&p, g->integral);
    phrase_words(&p, " is constant");
    return phrase_take(&p);
}

const char *constraint_servo_words(const classification *k, uint32_t index, phrase_style style) {
    const constraint *c = &k->m->constraints[index];
    if (!c->servo) return NULL;
    phrase p = {.m = k->m, .style = style};
    phrase_words(&p, "servo: its reaction acts along ");
    bool some = false;
    for (uint32_t i = 0; i < k->m->coordinates_count; i++) {
        if (c->servo[i] == EXPR_ZERO) continue;
        if (some) phrase_words(&p, ", ");
        phrase_expression(&p, k->m->coordinates[i]);
        phrase_words(&p, ": ");
        phrase_expression(&p, c->servo[i]);
        some = true;
    }
    return phrase_take(&p);
}
