// What a system is, fact by fact: freedom, velocities, type, cyclic coordinates, geometry of the
// constraints, special cases.
#include "report/facts.h"

static void add_fact(fact_list *facts, const char *label, const char *words) {
    list_push(facts, at, (fact){.label = label, .words = words});
}

static void add_detail(fact_list *facts, const char *words) {
    fact *last = &facts->at[facts->at_count - 1];
    list_push(last, details, words);
}

// --- freedom, velocities, type -------------------------------------------------------------------

static const char *plural(uint32_t n) { return n == 1 ? "" : "s"; }

static const char *name_of(const mechanics *s, expr symbol) {
    return expr_symbol_name(s->pool, symbol);
}

static void add_freedom(const classification *c, phrase_style style, fact_list *facts) {
    const uint32_t n = c->s->n, k = classification_constraints(c),
                   freedom = classification_freedom(c);
    phrase p = {.m = c->m, .style = style};
    phrase_words(&p, "%u degree%s of freedom: %u coordinate%s - %u constraint%s", freedom,
                 plural(freedom), n, plural(n), k, plural(k));
    if (!freedom)
        phrase_words(&p, "; the constraints prescribe the motion, forces decide on the reactions");
    add_fact(facts, "freedom", phrase_take(&p));
}

static void write_velocities(phrase *p, const mechanics *s, uint32_t count, const uint32_t *index) {
    for (uint32_t i = 0; i < count; i++) {
        if (i) phrase_words(p, ", ");
        phrase_name(p, name_of(s, s->q[index[i]]), 1);
    }
}

static void add_velocities(const classification *c, phrase_style style, fact_list *facts) {
    const mechanics *s = c->s;
    phrase p = {.m = c->m, .style = style};
    if (!s->m) phrase_words(&p, "none");
    write_velocities(&p, s, s->m, s->independent);
    if (s->k) phrase_words(&p, "; dependent ");
    write_velocities(&p, s, s->k, s->dependent);
    add_fact(facts, "independent", phrase_take(&p));
    for (uint32_t i = 0; i < c->m->quasis_count; i++) {
        phrase_equation(&p, c->m->quasis[i].name, 0, c->m->quasis[i].definition);
        add_fact(facts, i ? "" : "quasi", phrase_take(&p));
    }
}

static void add_type(const classification *c, fact_list *facts) {
    const character *k = &c->character;
    const char *constraints = !c->s->k       ? ""
                              : k->holonomic ? ", holonomic"
                              : k->chaplygin ? ", of Chaplygin type"
                              : k->voronec   ? ", of Voronec type"
                                             : ", nonlinear constraints";
    add_fact(facts, "type",
             arena_format(&c->m->ctx->arena, "%s%s, T %squadratic in the velocities",
                          k->rheonomic ? "rheonomic" : "scleronomic", constraints,
                          k->quadratic ? "" : "not "));
}

// The coordinates that are marked, and not marked in `other`, after some words; false if there are
// none.
static bool write_marked(phrase *p, const mechanics *s, const bool *marked, const bool *other,
                         const char *words) {
    bool any = false;
    for (uint32_t i = 0; i < s->n; i++) {
        if (!marked[i] || (other && other[i])) continue;
        phrase_words(p, "%s", any ? ", " : words);
        phrase_name(p, name_of(s, s->q[i]), 0);
        any = true;
    }
    return any;
}

static void add_cyclic(const classification *c, phrase_style style, fact_list *facts) {
    phrase p = {.m = c->m, .style = style};
    if (!write_marked(&p, c->s, c->character.cyclic, NULL, "")) phrase_words(&p, "none");
    write_marked(&p, c->s, c->character.ignorable, c->character.cyclic,
                 "; absent from L, not from forces or constraints: ");
    add_fact(facts, "cyclic", phrase_take(&p));
}

// X = y d/dx - x d/dy as x: y, y: -x: what each coordinate does per unit of the motion
static void write_generator(phrase *p, const mechanics *s, const symmetry *x) {
    const char *comma = "";
    for (uint32_t i = 0; i < s->n; i++) {
        if (x->field[i] == EXPR_ZERO) continue;
        phrase_words(p, "%s", comma);
        phrase_equation(p, name_of(s, s->q[i]), 1, x->field[i]);
        comma = ", ";
    }
}

static void add_symmetries(const classification *c, phrase_style style, fact_list *facts) {
    phrase p = {.m = c->m, .style = style};
    const symmetries *all = &c->symmetry;
    if (!all->count)
        phrase_words(&p, "%s",
                     !all->decided      ? "not decided"
                     : all->shifts_only ? "none among the shifts of coordinates"
                                        : "none");
    for (uint32_t i = 0; i < all->count; i++)
        phrase_words(&p, "%s%s", i ? "; " : "", all->at[i].name);
    if (all->group) phrase_words(&p, ": the group %s", all->group);
    add_fact(facts, "symmetries", phrase_take(&p));
    for (uint32_t i = 0; i < all->count; i++) {
        if (all->at[i].is_shift) continue;
        write_generator(&p, c->s, &all->at[i]);
        add_detail(facts, phrase_take(&p));
    }
}

// Special cases, each with what the equations become
static void add_special(const classification *c, phrase_style style, fact_list *facts) {
    phrase p = {.m = c->m, .style = style};
    for (uint32_t i = 0; i < c->special.count; i++) {
        phrase_words(&p, "%s", c->special.at[i].words);
        add_fact(facts, i ? "" : "special", phrase_take(&p));
        phrase_formula(&p, c->special.at[i].equations, c->special.at[i].latex);
        add_detail(facts, phrase_take(&p));
        facts->at[facts->at_count - 1].formulas = true;
    }
}

// --- integrability -------------------------------------------------------------------------------

// The rate of an integral: 2*x*roll.x - (y + 1)*roll.y, with the names of the constraints
static void write_combination(phrase *sentence, const mechanics *s, const integral *i) {
    pool *p = s->pool;
    bool any = false;
    for (uint32_t nu = 0; nu < s->k; nu++) {
        expr factor = i->multiplier[nu], number, rest;
        if (factor == EXPR_ZERO) continue;
        expr_split_coefficient(p, factor, &number, &rest);
        const bool negative = fmpq_sgn(expr_number_value(p, number)) < 0;
        if (negative) factor = expr_neg(p, factor), number = expr_neg(p, number);
        phrase_words(sentence, "%s", negative ? any ? " - " : "-" : any ? " + " : "");
        any = true;
        const bool brackets = expr_kind_of(p, rest) == EXPR_SUM && number == EXPR_ONE;
        if (brackets) phrase_words(sentence, "(");
        if (factor != EXPR_ONE) phrase_expression(sentence, factor);
        phrase_words(sentence, "%s", brackets ? ")*" : factor != EXPR_ONE ? "*" : "");
        phrase_words(sentence, "%s", s->model->constraints[s->constraint[nu]].name);
    }
}

// Has the integral been shown with its constraint?
static bool is_shown(const mechanics *s, const geometry *g, expr f) {
    for (uint32_t i = 0; i < s->model->constraints_count; i++)
        if (g->constraint[i].integral == f) return true;
    return false;
}

static void add_integrals(const classification *c, phrase_style style, fact_list *facts) {
    const geometry *g = &c->geometry;
    phrase p = {.m = c->m, .style = style};
    for (uint32_t i = 0; i < g->integrals_found; i++) {
        if (is_shown(c->s, g, g->integrals[i].f)) continue;
        phrase_expression(&p, g->integrals[i].f);
        phrase_words(&p, " is constant");
        if (g->integrals[i].multiplier) {
            phrase_words(&p, ": its rate is ");
            write_combination(&p, c->s, &g->integrals[i]);
        }
        add_detail(facts, phrase_take(&p));
    }
    const uint32_t missing = g->integral_count - g->integrals_found;
    if (missing && c->s->k > 1) {
        phrase_words(&p, "%u integral%s not found in the ansatz", missing, plural(missing));
        add_detail(facts, phrase_take(&p));
    }
}

static void add_distribution(const classification *c, phrase_style style, fact_list *facts) {
    const uint32_t k = c->s->k, count = c->geometry.integral_count;
    if (!c->geometry.counted) return;
    phrase p = {.m = c->m, .style = style};
    phrase_words(&p, count == k ? "integrable" : "not integrable");
    if (k > 1 && count)
        phrase_words(&p, ": %u of %u independent combinations of the constraints %s integrable",
                     count, k, count == 1 ? "is" : "are");
    else if (k > 1) phrase_words(&p, ": no combination of the constraints is integrable");
    add_fact(facts, "distribution", phrase_take(&p));
    add_integrals(c, style, facts);
}

// --- special values of parameters ----------------------------------------------------------------

// "integrable exactly when a = 0 or a = 1", and values at which only more combinations are
// integrable than in general
static void add_special_values(const classification *c, const parameter_geometry *g,
                               phrase_style style, fact_list *facts) {
    const char *name = name_of(c->s, g->parameter);
    phrase p = {.m = c->m, .style = style};
    uint32_t full = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        const special_value *v = &g->value[i];
        if (v->integrals < v->constraints) continue;
        if (!full)
            phrase_words(&p, "among values of "), phrase_name(&p, name, 0),
                phrase_words(&p, ": integrable %swhen ", g->decided ? "exactly " : "");
        if (full++) phrase_words(&p, " or ");
        phrase_equation(&p, name, 0, v->value);
    }
    if (full) add_detail(facts, phrase_take(&p));
    for (uint32_t i = 0; i < g->count; i++) {
        const special_value *v = &g->value[i];
        if (v->integrals == v->constraints) continue;
        phrase_words(&p, "when ");
        phrase_equation(&p, name, 0, v->value);
        phrase_words(&p, ": %u of %u independent combinations integrable", v->integrals,
                     v->constraints);
        add_detail(facts, phrase_take(&p));
    }
}

// Parameters that change nothing, and those of which that is not known
static void add_other_parameters(const classification *c, bool decided, const char *words,
                                 phrase_style style, fact_list *facts) {
    phrase p = {.m = c->m, .style = style};
    bool any = false;
    const bool several = c->geometry.parameters > 1;
    for (uint32_t i = 0; i < c->geometry.parameters; i++) {
        const parameter_geometry *g = &c->geometry.parameter[i];
        if (g->decided != decided || (decided && g->count)) continue;
        phrase_words(&p, "%s", any ? ", " : words);
        phrase_name(&p, name_of(c->s, g->parameter), 0);
        if (several) phrase_words(&p, " alone");
        any = true;
    }
    if (any) add_detail(facts, phrase_take(&p));
}

static void add_parameters(const classification *c, phrase_style style, fact_list *facts) {
    for (uint32_t i = 0; i < c->geometry.parameters; i++)
        add_special_values(c, &c->geometry.parameter[i], style, facts);
    add_other_parameters(c, true, "the same for every value of ", style, facts);
    add_other_parameters(c, false, "not decided for special values of ", style, facts);
}

// --- growth and reach ----------------------------------------------------------------------------

static void write_vector(phrase *p, const flag *f) {
    for (uint32_t i = 0; i < f->levels; i++) phrase_words(p, "%s%u", i ? ", " : "(", f->rank[i]);
    phrase_words(p, ")");
}

static void add_growth(const classification *c, phrase_style style, fact_list *facts) {
    const flag *generic = &c->geometry.generic, *initial = &c->geometry.initial;
    const bool same = initial->complete && flag_same_growth(generic, initial);
    phrase p = {.m = c->m, .style = style};
    write_vector(&p, generic);
    phrase_words(&p, " %s, degree of nonholonomy %u",
                 same ? "generically and at the initial state" : "generically", generic->levels);
    add_fact(facts, "growth", phrase_take(&p));
    if (same || !initial->levels) return;
    write_vector(&p, initial);
    if (initial->complete)
        phrase_words(&p, " at the initial state, degree of nonholonomy %u there", initial->levels);
    else phrase_words(&p, " at the initial state, longer brackets not decided there");
    add_fact(facts, "", phrase_take(&p));
}

static void write_reach(phrase *p, const reach *r, uint32_t n, uint32_t integrals) {
    switch (r->verdict) {
    case REACH_EVERY:
        phrase_words(
            p, r->by_drift
                   ? "yes: every position can be reached, carried by the drift (Jurdjevic, Kupka)"
                   : "yes: every position can be reached (Chow)");
        break;
    case REACH_NEAR:
        phrase_words(p,
                     "yes, near a position in general: brackets of the free directions fill all %u "
                     "dimensions (Chow)",
                     n);
        break;
    case REACH_OPEN_SET:
        phrase_words(p,
                     "not decided: with the drift brackets fill all %u dimensions, so that what is "
                     "reached contains an open set, but perhaps not every position",
                     n);
        break;
    case REACH_LEAF:
        phrase_words(p,
                     "no: brackets of the free directions stop at dimension %u of %u, the motion "
                     "stays on a leaf given by %u integral%s",
                     n - integrals, n, integrals, plural(integrals));
        break;
    case REACH_UNKNOWN: phrase_words(p, "not decided"); break;
    }
}

static void add_reach(const classification *c, phrase_style style, fact_list *facts) {
    phrase p = {.m = c->m, .style = style};
    write_reach(&p, &c->geometry.reach, c->s->n, c->geometry.integral_count);
    add_fact(facts, "controllable", phrase_take(&p));
}

// --- the stated values ---------------------------------------------------------------------------

// Parameters in the constraints that have values: "a = 1, b = 2"
static void write_values(phrase *p, const classification *c) {
    bool any = false;
    for (uint32_t i = 0; i < c->geometry.parameters; i++)
        for (uint32_t j = 0; j < c->m->parameters_count; j++) {
            const parameter *known = &c->m->parameters[j];
            if (known->symbol != c->geometry.parameter[i].parameter || known->value == EXPR_NONE)
                continue;
            phrase_words(p, any ? ", " : " (");
            phrase_equation(p, name_of(c->s, known->symbol), 0, known->value);
            any = true;
        }
    if (any) phrase_words(p, ")");
}

// What the stated values change
static void add_stated(const classification *c, phrase_style style, fact_list *facts) {
    const stated_geometry *v = &c->geometry.stated;
    if (!v->stated || (v->decided && !v->different)) return;
    phrase p = {.m = c->m, .style = style};
    phrase_words(&p, "values of the model");
    write_values(&p, c);
    if (!v->decided) phrase_words(&p, ": not decided whether they change anything above");
    else if (v->constraints < c->s->k)
        phrase_words(&p, ": %u independent constraint%s,", v->constraints, plural(v->constraints));
    else phrase_words(&p, ":");
    if (v->decided)
        phrase_words(&p, v->integral_count == v->constraints ? " integrable" : " not integrable");
    if (v->decided && v->constraints > 1)
        phrase_words(&p, ", %u of %u independent combinations", v->integral_count, v->constraints);
    add_fact(facts, "stated", phrase_take(&p));
    if (!v->decided) return;
    for (uint32_t i = 0; i < v->integrals_found; i++) {
        phrase_expression(&p, v->integral[i]);
        phrase_words(&p, " is constant");
        add_detail(facts, phrase_take(&p));
    }
    phrase_words(&p, "growth ");
    write_vector(&p, &v->generic);
    add_detail(facts, phrase_take(&p));
    phrase_words(&p, "controllable ");
    write_reach(&p, &v->reach, c->s->n, v->integral_count);
    add_detail(facts, phrase_take(&p));
}

static void add_geometry(const classification *c, phrase_style style, fact_list *facts) {
    if (!c->s->k) return;
    add_distribution(c, style, facts);
    add_parameters(c, style, facts);
    if (c->geometry.generic.levels) add_growth(c, style, facts), add_reach(c, style, facts);
    add_stated(c, style, facts);
}

// --- all of them ---------------------------------------------------------------------------------

fact_list facts_of(const classification *c, phrase_style style) {
    fact_list facts = {0};
    add_freedom(c, style, &facts);
    add_velocities(c, style, &facts);
    facts_add_outside(c->m, style, &facts);
    add_type(c, &facts);
    add_cyclic(c, style, &facts);
    add_symmetries(c, style, &facts);
    add_geometry(c, style, &facts);
    add_special(c, style, &facts);
    return facts;
}

void facts_free(fact_list *facts) {
    for (uint32_t i = 0; i < facts->at_count; i++) memory_free(facts->at[i].details);
    memory_free(facts->at);
}
