// What `check` says: the classification of a system, in words and as JSON.
#include "api/api_internal.h"
#include "api/contact_list.h"
#include "api/sweep_list.h"

#include "derive/reactive.h"
#include "equations/evaluate.h"
#include "report/facts.h"

#include <string.h>

enum { CHECK_BITS = 192 };

// Velocities on which the kinetic energy does not depend: the usual reason for a singular mass
// matrix.
static const char *massless_velocities(const mechanics *s) {
    text names = {0};
    for (uint32_t i = 0; i < s->n; i++)
        if (!expr_depends_on(s->pool, s->kinetic, 1, &s->qd[i]))
            text_format(&names, "%s%s'", names.length ? ", " : "",
                        expr_symbol_name(s->pool, s->q[i]));
    const char *result = names.length ? arena_format(&s->model->ctx->arena,
                                                     "no kinetic energy goes with %s", names.bytes)
                                      : "does every direction of motion carry mass?";
    text_free(&names);
    return result;
}

// The reduced mass matrix must be regular at the initial state (or, where the model
// gives no values, generically).
static hamel_status check_regularity(const mechanics *s) {
    const formalism *f = formalism_find("maggi");
    if (formalism_refusal(f, s)) return HAMEL_OK;
    equations *eq = formalism_derive(f, s);
    model *m = (model *)s->model;
    state here;
    dependent_constraint *idle =
        arena_array(&m->ctx->arena, dependent_constraint, m->constraints_count);
    uint32_t count = 0;
    state_init(&here, m, model_bits(m, CHECK_BITS));
    hamel_status status =
        state_complete(&here, &(completion_request){.mode = COMPLETE_GENERIC}, idle, &count);
    const bool regular = status || equations_are_regular(eq, &here);
    const reactive_trouble trouble = regular ? (reactive_trouble){0} : reactive_diagnose(s, &here);
    for (uint32_t i = 0; i < count; i++) arb_clear(idle[i].residual);
    state_clear(&here);
    equations_free(eq);
    if (regular) return HAMEL_OK;
    if (trouble.what) {
        diag_error(m->ctx, (span){0}, trouble.help, "%s", trouble.what);
        return HAMEL_MODEL;
    }
    if (mechanics_margin(s, mechanics_sample(s)).rows == 0) { // the mass has no part in it
        diag_error(m->ctx, (span){0}, "state an `initial` at which they restrict the velocities",
                   "the accelerations are not determined at the initial state, where the "
                   "constraints lose rank");
        return HAMEL_MODEL;
    }
    diag_error(m->ctx, (span){0}, massless_velocities(s),
               "the reduced mass matrix is singular at the initial state: the accelerations are "
               "not determined");
    return HAMEL_MODEL;
}

// --- words ---------------------------------------------------------------------------------------

static const char *after_comma(const model *m, const char *separator, const char *words) {
    return *words ? arena_format(&m->ctx->arena, "%s%s", separator, words) : "";
}

enum { SHORT_LINE = 96, LEAST_LEFT_OUT = 48 }; // bytes of words that may hold a formula

// A line, or its beginning where it is long and all of it was not asked for.
static void write_line(const char *words, bool all, text *out) {
    const size_t length = strlen(words);
    size_t shown = length;
    if (!all && length > SHORT_LINE + LEAST_LEFT_OUT)
        for (shown = SHORT_LINE; shown && words[shown] != ' ';) shown--;
    if (!shown) shown = length; // one long word
    text_append_n(out, words, shown);
    if (shown < length)
        text_format(out, " .. (%zu characters more; --long shows them)", length - shown);
    text_char(out, '\n');
}

static void write_constraint(const classification *k, uint32_t i, bool all, text *out) {
    const model *m = k->m;
    const constraint *c = &m->constraints[i];
    const char *integral = constraint_integral_words(k, i, PHRASE_TEXT);
    text equation = {0};
    api_write_expression(m, c->phi, &equation);
    text_append(&equation, " = 0");
    text_format(out, "  %-14s order %d, %s, %s%s%s\n                 ", c->name, c->order,
                constraint_degree_words(c), c->rheonomic ? "rheonomic" : "scleronomic",
                after_comma(m, ", ", constraint_verdict_words(k, i)),
                after_comma(m, "; ", constraint_status_words(c)));
    write_line(text_string(&equation), all, out);
    text_free(&equation);
    if (c->note) text_format(out, "                 %s\n", c->note);
    if (integral) text_append(out, "                 integral: "), write_line(integral, all, out);
    const char *servo = constraint_servo_words(k, i, PHRASE_TEXT);
    if (servo) text_append(out, "                 "), write_line(servo, all, out);
}

static void write_fact(const fact *f, bool all, text *out) {
    text_format(out, "%-14s ", f->label);
    write_line(f->words, all, out);
    for (uint32_t i = 0; i < f->details_count && (all || !f->formulas); i++)
        text_append(out, "                 "), write_line(f->details[i], all, out);
}

typedef struct {
    classification k;
    bool all; // long formulae too
} checked;

static void write_text(const void *of, text *out) {
    const classification *k = &((const checked *)of)->k;
    const bool all = ((const checked *)of)->all;
    const model *m = k->m;
    const mechanics *s = k->s;
    text_format(out, "system         %s%s%s\n", m->name, m->title ? ": " : "",
                m->title ? m->title : "");
    text_format(out, "coordinates    %u:", s->n);
    for (uint32_t i = 0; i < s->n; i++)
        text_format(out, "%s %s%s", i ? "," : "", expr_symbol_name(s->pool, s->q[i]),
                    api_unit_in_brackets(m, s->q[i]));
    text_format(out, "\nconstraints    %u\n", classification_constraints(k));
    for (uint32_t i = 0; i < m->constraints_count; i++) write_constraint(k, i, all, out);
    fact_list facts = facts_of(k, PHRASE_TEXT);
    for (uint32_t i = 0; i < facts.at_count; i++) write_fact(&facts.at[i], all, out);
    facts_free(&facts);
    sweep_list_text(m, 14, out);
}

// --- the geometry of the constraints, as JSON ----------------------------------------------------

static void write_json_expression(const model *m, const char *key, expr e, json *out) {
    if (e == EXPR_NONE) {
        json_null(out, key);
        return;
    }
    text t = {0};
    api_write_expression(m, e, &t);
    json_text(out, key, &t);
    text_free(&t);
}

static void write_json_integrability(const char *key, integrability verdict, json *out) {
    if (verdict == INTEGRABLE_UNKNOWN) json_null(out, key);
    else json_bool(out, key, verdict == INTEGRABLE_YES);
}

static void write_json_verdict(const model *m, const constraint_geometry *g, json *out) {
    write_json_integrability("integrable", g->alone, out);
    write_json_integrability("integrable_with_others", g->beside, out);
    write_json_expression(m, "integral", g->integral, out);
}

static void write_json_vector(const char *key, const flag *f, json *out) {
    if (!f->complete || !f->levels) {
        json_null(out, key);
        return;
    }
    json_open(out, key, '[');
    for (uint32_t i = 0; i < f->levels; i++) json_integer(out, NULL, f->rank[i]);
    json_close(out, ']');
}

static void write_json_integral(const mechanics *s, const integral *i, json *out) {
    json_open(out, NULL, '{');
    write_json_expression(s->model, "f", i->f, out);
    if (i->multiplier) {
        json_open(out, "combination", '{');
        for (uint32_t nu = 0; nu < s->k; nu++)
            if (i->multiplier[nu] != EXPR_ZERO)
                write_json_expression(s->model, s->model->constraints[s->constraint[nu]].name,
                                      i->multiplier[nu], out);
        json_close(out, '}');
    } else {
        json_null(out, "combination");
    }
    json_close(out, '}');
}

static void write_json_parameter(const mechanics *s, const parameter_geometry *g, json *out) {
    json_open(out, NULL, '{');
    json_string(out, "parameter", expr_symbol_name(s->pool, g->parameter));
    json_bool(out, "complete", g->decided);
    json_open(out, "values", '[');
    for (uint32_t i = 0; i < g->count; i++) {
        json_open(out, NULL, '{');
        write_json_expression(s->model, "value", g->value[i].value, out);
        json_integer(out, "constraints", g->value[i].constraints);
        json_integer(out, "integral_count", g->value[i].integrals);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_close(out, '}');
}

static void write_json_reach(const reach *r, json *out) {
    static const char *const words[] = {NULL, "leaf", "open set", "near", "every position"};
    if (r->verdict == REACH_UNKNOWN) json_null(out, "reach");
    else json_string(out, "reach", words[r->verdict]);
    if (r->verdict == REACH_UNKNOWN || r->verdict == REACH_OPEN_SET) json_null(out, "controllable");
    else json_bool(out, "controllable", r->verdict != REACH_LEAF);
}

static void write_json_stated(const mechanics *s, const stated_geometry *v, json *out) {
    if (!v->decided) {
        json_null(out, "at_stated_values");
        return;
    }
    json_open(out, "at_stated_values", '{');
    json_bool(out, "different", v->different);
    json_integer(out, "constraints", v->constraints);
    json_bool(out, "integrable", v->integral_count == v->constraints);
    json_integer(out, "integral_count", v->integral_count);
    json_open(out, "each", '{');
    for (uint32_t i = 0; i < s->model->constraints_count; i++) {
        json_open(out, s->model->constraints[i].name, '{');
        write_json_integrability("integrable", v->constraint[i].alone, out);
        write_json_integrability("integrable_with_others", v->constraint[i].beside, out);
        json_close(out, '}');
    }
    json_close(out, '}');
    write_json_vector("growth_vector", &v->generic, out);
    write_json_reach(&v->reach, out);
    json_close(out, '}');
}

static void write_json_geometry(const mechanics *s, const geometry *g, json *out) {
    if (g->counted) {
        json_bool(out, "integrable", g->integral_count == s->k);
        json_integer(out, "integral_count", g->integral_count);
    } else {
        json_null(out, "integrable");
        json_null(out, "integral_count");
    }
    json_open(out, "integrals", '[');
    for (uint32_t i = 0; i < g->integrals_found; i++) write_json_integral(s, &g->integrals[i], out);
    json_close(out, ']');
    json_open(out, "special_values", '[');
    for (uint32_t i = 0; i < g->parameters; i++) write_json_parameter(s, &g->parameter[i], out);
    json_close(out, ']');
    write_json_vector("growth_vector", &g->generic, out);
    write_json_vector("growth_vector_initial", &g->initial, out);
    if (g->generic.levels) {
        json_integer(out, "degree_of_nonholonomy", g->generic.levels);
    } else {
        json_null(out, "degree_of_nonholonomy");
    }
    write_json_reach(&g->reach, out);
    write_json_stated(s, &g->stated, out);
}

// --- the whole, as JSON --------------------------------------------------------------------------

static void write_json_constraint(const model *m, const constraint *c, const constraint_geometry *g,
                                  json *out) {
    static const char *const status[] = {"active", "identity", "redundant", "combined"};
    json_open(out, NULL, '{');
    json_string(out, "name", c->name);
    json_integer(out, "order", c->order);
    json_bool(out, "linear", c->linear);
    json_bool(out, "homogeneous", c->homogeneous);
    json_bool(out, "rheonomic", c->rheonomic);
    write_json_verdict(m, g, out);
    json_string(out, "status", status[c->status]);
    write_json_expression(m, "phi", c->phi, out);
    if (c->note) json_string(out, "note", c->note);
    if (c->servo) json_open(out, "by", '{');
    for (uint32_t i = 0; i < m->coordinates_count && c->servo; i++)
        if (c->servo[i] != EXPR_ZERO)
            write_json_expression(m, expr_symbol_name(m->pool, m->coordinates[i]), c->servo[i],
                                  out);
    if (c->servo) json_close(out, '}');
    json_close(out, '}');
}

static void write_json_names(json *out, const char *key, const mechanics *s, uint32_t count,
                             const uint32_t *index) {
    json_open(out, key, '[');
    for (uint32_t i = 0; i < count; i++)
        json_string(out, NULL, expr_symbol_name(s->pool, s->q[index ? index[i] : i]));
    json_close(out, ']');
}

static void write_json_marked(json *out, const char *key, const mechanics *s, const bool *marked) {
    json_open(out, key, '[');
    for (uint32_t i = 0; i < s->n; i++)
        if (marked[i]) json_string(out, NULL, expr_symbol_name(s->pool, s->q[i]));
    json_close(out, ']');
}

void api_write_symmetries(const mechanics *s, const symmetries *all, json *out) {
    if (!all->decided) {
        json_null(out, "symmetries");
        return;
    }
    json_open(out, "symmetries", '[');
    for (uint32_t i = 0; i < all->count; i++) {
        json_open(out, NULL, '{');
        json_string(out, "name", all->at[i].name);
        json_open(out, "generator", '{');
        for (uint32_t j = 0; j < s->n; j++)
            if (all->at[i].field[j] != EXPR_ZERO)
                write_json_expression(s->model, expr_symbol_name(s->pool, s->q[j]),
                                      all->at[i].field[j], out);
        json_close(out, '}');
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void write_json_special(json *out, const special_cases *special) {
    json_open(out, "special", '[');
    for (uint32_t i = 0; i < special->count; i++) {
        json_open(out, NULL, '{');
        json_string(out, "case", special->at[i].id);
        json_string(out, "words", special->at[i].words);
        json_string(out, "equations", special->at[i].equations);
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void write_json(const void *of, json *out) {
    const classification *k = &((const checked *)of)->k;
    const model *m = k->m;
    const mechanics *s = k->s;
    const character *c = &k->character;
    const geometry *g = &k->geometry;
    json_open(out, NULL, '{');
    json_string(out, "system", m->name);
    if (m->title) json_string(out, "title", m->title);
    json_integer(out, "n", s->n);
    json_integer(out, "k", classification_constraints(k));
    json_integer(out, "m", classification_freedom(k));
    write_json_names(out, "coords", s, s->n, NULL);
    if (m->dimensions) api_write_units(m, out);
    json_open(out, "constraints", '[');
    for (uint32_t i = 0; i < m->constraints_count; i++)
        write_json_constraint(m, &m->constraints[i], &g->constraint[i], out);
    json_close(out, ']');
    write_json_names(out, "independent", s, s->m, s->independent);
    write_json_names(out, "dependent", s, s->k, s->dependent);
    json_open(out, "inputs", '[');
    for (uint32_t i = 0; i < m->givens_count; i++)
        if (m->givens[i].is_input)
            json_string(out, NULL, expr_symbol_name(m->pool, m->givens[i].symbol));
    json_close(out, ']');
    contact_list_json(m, false, out);
    sweep_list_json(m, out);
    json_bool(out, "chaplygin", c->chaplygin);
    json_bool(out, "rheonomic", c->rheonomic);
    json_bool(out, "quadratic", c->quadratic);
    write_json_marked(out, "cyclic", s, c->cyclic);
    write_json_marked(out, "absent_from_lagrangian", s, c->ignorable);
    api_write_symmetries(s, &k->symmetry, out);
    if (k->symmetry.group) json_string(out, "group", k->symmetry.group);
    else json_null(out, "group");
    write_json_special(out, &k->special);
    write_json_geometry(s, g, out);
    api_write_warnings(m->ctx, out);
    json_close(out, '}');
}

static hamel_status check(hamel_model *m, hamel_format format, unsigned flags, char **result) {
    const struct format *as = api_find_format(m->ctx, format, WRITES_RESULT);
    const mechanics *s;
    hamel_status status = as ? api_mechanics(m, &s) : HAMEL_USAGE;
    if (!status) status = check_regularity(s);
    if (!status) status = context_status(m->ctx);
    if (status) return status;
    const checked c = {classification_of(m, s), flags & HAMEL_CHECK_LONG};
    return api_finish_result(as, &(printable){&c, write_text, write_json, NULL}, result);
}

hamel_status hamel_model_check(hamel_model *m, hamel_format format, unsigned flags, char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, check(m, format, flags, result), "checking `%s`", m->name);
}
