// What a system is, in words.
#include "report/classification.h"

#include <stdlib.h>

classification classify(const model *m, const mechanics *s) {
    classification c = {.m = m, .s = s, .character = character_of(s)};
    c.special = special_cases_of(s, &c.character);
    c.geometry = geometry_of(s);
    return c;
}

// Constraints of order 2 and higher count as constraints, though only the forms
// made for them can treat them.
uint32_t constraint_count(const classification *c) {
    uint32_t count = c->s->k;
    for (uint32_t i = 0; i < c->m->constraints_count; i++)
        count += c->m->constraints[i].status == CONSTRAINT_ACTIVE && c->m->constraints[i].order > 1;
    return count;
}

uint32_t freedom_of(const classification *c) {
    const uint32_t k = constraint_count(c);
    return c->s->n > k ? c->s->n - k : 0;
}

// --- lists ---------------------------------------------------------------------------------------

void facts_add(fact_list *facts, const char *label, const char *words) {
    list_push(facts, at, (fact){.label = label, .words = words});
}

void facts_add_detail(fact_list *facts, const char *words) {
    fact *last = &facts->at[facts->at_count - 1];
    list_push(last, details, words);
}

void facts_free(fact_list *facts) {
    for (uint32_t i = 0; i < facts->at_count; i++) memory_free(facts->at[i].details);
    memory_free(facts->at);
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

// --- facts ---------------------------------------------------------------------------------------

static const char *plural(uint32_t n) { return n == 1 ? "" : "s"; }

static const char *coordinate_name(const mechanics *s, uint32_t i) {
    return expr_symbol_name(s->pool, s->q[i]);
}

static void add_freedom(const classification *c, phrase_style style, fact_list *facts) {
    const uint32_t n = c->s->n, k = constraint_count(c), freedom = freedom_of(c);
    phrase p = {.m = c->m, .style = style};
    phrase_words(&p, "%u degree%s of freedom: %u coordinate%s - %u constraint%s", freedom,
                 plural(freedom), n, plural(n), k, plural(k));
    facts_add(facts, "freedom", phrase_take(&p));
}

static void write_velocities(phrase *p, const mechanics *s, uint32_t count, const uint32_t *index) {
    for (uint32_t i = 0; i < count; i++) {
        if (i) phrase_words(p, ", ");
        phrase_name(p, coordinate_name(s, index[i]), 1);
    }
}

static void add_velocities(const classification *c, phrase_style style, fact_list *facts) {
    const mechanics *s = c->s;
    phrase p = {.m = c->m, .style = style};
    write_velocities(&p, s, s->m, s->independent);
    if (s->k) phrase_words(&p, "; dependent ");
    write_velocities(&p, s, s->k, s->dependent);
    facts_add(facts, "independent", phrase_take(&p));
    for (uint32_t i = 0; i < c->m->quasis_count; i++) {
        phrase_equation(&p, c->m->quasis[i].name, c->m->quasis[i].definition);
        facts_add(facts, i ? "" : "quasi", phrase_take(&p));
    }
}

static void add_type(const classification *c, fact_list *facts) {
    const character *k = &c->character;
    const char *constraints = !c->s->k       ? ""
                              : k->holonomic ? ", holonomic"
                              : k->chaplygin ? ", of Chaplygin type"
                              : k->voronec   ? ", of Voronec type"
                                             : ", nonlinear constraints";
    facts_add(facts, "type",
              arena_format(&c->m->ctx->arena, "%s%s, T %squadratic in the velocities",
                           k->rheonomic ? "rheonomic" : "scleronomic", constraints,
                           k->quadratic ? "" : "not "));
}

// The coordinates that are marked, and not marked in `other`, after some
// words; false if there are none.
static bool write_marked(phrase *p, const mechanics *s, const bool *marked, const bool *other,
                         const char *words) {
    bool any = false;
    for (uint32_t i = 0; i < s->n; i++) {
        if (!marked[i] || (other && other[i])) continue;
        phrase_words(p, "%s", any ? ", " : words);
        phrase_name(p, coordinate_name(s, i), 0);
        any = true;
    }
    return any;
}

static void add_cyclic(const classification *c, phrase_style style, fact_list *facts) {
    phrase p = {.m = c->m, .style = style};
    if (!write_marked(&p, c->s, c->character.cyclic, NULL, "")) phrase_words(&p, "none");
    write_marked(&p, c->s, c->character.ignorable, c->character.cyclic,
                 "; absent from L, not from forces or constraints: ");
    facts_add(facts, "cyclic", phrase_take(&p));
}

// Special cases, each with what the equations become
static void add_special(const classification *c, phrase_style style, fact_list *facts) {
    phrase p = {.m = c->m, .style = style};
    for (uint32_t i = 0; i < c->special.count; i++) {
        phrase_words(&p, "%s", c->special.at[i].words);
        facts_add(facts, i ? "" : "special", phrase_take(&p));
        phrase_formula(&p, c->special.at[i].equations, c->special.at[i].latex);
        facts_add_detail(facts, phrase_take(&p));
        facts->at[facts->at_count - 1].formulas = true;
    }
}

fact_list facts_of(const classification *c, phrase_style style) {
    fact_list facts = {0};
    add_freedom(c, style, &facts);
    add_velocities(c, style, &facts);
    add_type(c, &facts);
    add_cyclic(c, style, &facts);
    add_geometry_facts(c, style, &facts);
    add_special(c, style, &facts);
    return facts;
}
