// What `check` says: the classification of a system, in words and as JSON.
#include "api/api_internal.h"
#include "api/check_geometry.h"

#include "analyse/special.h"
#include "derive/formalism.h"
#include "equations/evaluate.h"
#include "print/expression.h"

#include <string.h>

enum { CHECK_BITS = 192 };

// Velocities that the kinetic energy does not know: the usual reason for a singular mass matrix.
static const char *massless_velocities(const mechanics *s) {
    text names = {0};
    for (uint32_t i = 0; i < s->n; i++)
        if (!expr_depends_on(s->pool, s->kinetic, 1, &s->qd[i]))
            text_format(&names, "%s%s'", names.length ? ", " : "", pool_symbol(s->pool, expr_symbol_index(s->pool, s->q[i]))->name);
    const char *result = names.length ? arena_format(&s->model->ctx->arena, "no kinetic energy goes with %s", names.bytes)
                                      : "does every direction of motion carry mass?";
    text_free(&names);
    return result;
}

// The reduced mass matrix must be regular at the initial state (or, where the model gives no values, generically).
static hamel_status check_regularity(const mechanics *s) {
    const formalism *f = formalism_find("maggi");
    if (formalism_refusal(f, s)) return HAMEL_OK;
    equations *eq = formalism_derive(f, s);
    model *m = (model *)s->model;
    state here;
    dependent_constraint *idle = arena_array(&m->ctx->arena, dependent_constraint, m->constraints_count);
    uint32_t count = 0;
    state_init(&here, m, CHECK_BITS);
    hamel_status status = state_complete(&here, &(completion_request){.mode = COMPLETE_GENERIC}, idle, &count);
    bool regular = status || equations_are_regular(eq, &here);
    for (uint32_t i = 0; i < count; i++) arb_clear(idle[i].residual);
    state_clear(&here);
    equations_free(eq);
    if (regular) return HAMEL_OK;
    diag_error(m->ctx, (span){0}, massless_velocities(s),
               "the reduced mass matrix is singular at the initial state: the accelerations are not determined");
    return HAMEL_MODEL;
}

// --- words ---------------------------------------------------------------------------------------------------------------

static const char *degree_words(const constraint *c) {
    if (c->order == 0) return "holonomic";
    if (!c->linear) return c->homogeneous ? "nonlinear, homogeneous" : "nonlinear";
    return c->homogeneous ? "linear, homogeneous" : "affine";
}

static void write_constraint(const model *m, const constraint *c, const constraint_geometry *g, text *out) {
    text_format(out, "  %-14s order %d, %s, %s", c->name, c->order, degree_words(c), c->rheonomic ? "rheonomic" : "scleronomic");
    if (c->order == 1) write_verdict(g, out);
    if (c->status == CONSTRAINT_IDENTITY) text_append(out, "; holds identically, dropped");
    if (c->status == CONSTRAINT_REDUNDANT) text_append(out, "; redundant, set aside");
    text_append(out, "\n                 ");
    write_expression_text(m, c->phi, out);
    text_append(out, " = 0\n");
    write_integral(m, c, g, out);
}

static void write_names(const mechanics *s, uint32_t count, const uint32_t *index, text *out) {
    for (uint32_t i = 0; i < count; i++)
        text_format(out, "%s%s'", i ? ", " : "", pool_symbol(s->pool, expr_symbol_index(s->pool, s->q[index[i]]))->name);
}

// Constraints of order 2 and higher count as constraints, though only the forms made for them can treat them.
static uint32_t higher_order_count(const model *m) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->constraints_count; i++)
        count += m->constraints[i].status == CONSTRAINT_ACTIVE && m->constraints[i].order > 1;
    return count;
}

static const char *plural(uint32_t n) { return n == 1 ? "" : "s"; }

// The coordinates that are marked, and not marked in `other`, after some words; false if there are none.
static bool write_marked(const mechanics *s, const bool *marked, const bool *other, const char *words, text *out) {
    bool any = false;
    for (uint32_t i = 0; i < s->n; i++) {
        if (!marked[i] || (other && other[i])) continue;
        text_format(out, "%s%s", any ? ", " : words, pool_symbol(s->pool, expr_symbol_index(s->pool, s->q[i]))->name);
        any = true;
    }
    return any;
}

static void write_character(const mechanics *s, const character *c, text *out) {
    text_append(out, "type           ");
    text_append(out, c->rheonomic ? "rheonomic" : "scleronomic");
    if (s->k) text_append(out, c->holonomic ? ", holonomic" : c->chaplygin ? ", of Chaplygin type" : c->voronec ? ", of Voronec type" : ", nonlinear constraints");
    text_append(out, c->quadratic ? ", T quadratic in the velocities\n" : ", T not quadratic in the velocities\n");
    text_append(out, "cyclic         ");
    if (!write_marked(s, c->cyclic, NULL, "", out)) text_append(out, "none");
    write_marked(s, c->ignorable, c->cyclic, "; absent from L, not from forces or constraints: ", out);
    text_char(out, '\n');
}

// Special cases, each with what the equations become
static void write_special(const special_cases *special, text *out) {
    for (uint32_t i = 0; i < special->count; i++)
        text_format(out, "%s%s\n                 %s\n", i ? "               " : "special        ", special->at[i].words, special->at[i].equations);
}

static void write_text(const model *m, const mechanics *s, const character *c, const special_cases *special, const geometry *g,
                       text *out) {
    text_format(out, "system         %s%s%s\n", m->name, m->title ? ": " : "", m->title ? m->title : "");
    text_format(out, "coordinates    %u:", s->n);
    for (uint32_t i = 0; i < s->n; i++)
        text_format(out, "%s %s", i ? "," : "", pool_symbol(s->pool, expr_symbol_index(s->pool, s->q[i]))->name);
    const uint32_t k = s->k + higher_order_count(m), freedom = s->n > k ? s->n - k : 0;
    text_format(out, "\nconstraints    %u\n", k);
    for (uint32_t i = 0; i < m->constraints_count; i++) write_constraint(m, &m->constraints[i], &g->constraint[i], out);
    text_format(out, "freedom        %u degree%s of freedom: %u coordinate%s - %u constraint%s\n", freedom, plural(freedom), s->n,
                plural(s->n), k, plural(k));
    text_append(out, "independent    ");
    write_names(s, s->m, s->independent, out);
    if (s->k) text_append(out, "; dependent ");
    write_names(s, s->k, s->dependent, out);
    text_char(out, '\n');
    for (uint32_t i = 0; i < m->quasis_count; i++) {
        text_format(out, "%s%s = ", i ? "               " : "quasi          ", m->quasis[i].name);
        write_expression_text(m, m->quasis[i].definition, out);
        text_char(out, '\n');
    }
    write_character(s, c, out);
    write_geometry(s, g, out);
    write_special(special, out);
}

// --- JSON ----------------------------------------------------------------------------------------------------------------

static void write_json_constraint(const model *m, const constraint *c, const constraint_geometry *g, json *out) {
    static const char *const status[] = {"active", "identity", "redundant"};
    json_open(out, NULL, '{');
    json_string(out, "name", c->name);
    json_integer(out, "order", c->order);
    json_bool(out, "linear", c->linear);
    json_bool(out, "homogeneous", c->homogeneous);
    json_bool(out, "rheonomic", c->rheonomic);
    write_json_verdict(m, g, out);
    json_string(out, "status", status[c->status]);
    text t = {0};
    write_expression_text(m, c->phi, &t);
    json_text(out, "phi", &t);
    text_free(&t);
    json_close(out, '}');
}

static void write_json_names(json *out, const char *key, const mechanics *s, uint32_t count, const uint32_t *index) {
    json_open(out, key, '[');
    for (uint32_t i = 0; i < count; i++)
        json_string(out, NULL, pool_symbol(s->pool, expr_symbol_index(s->pool, s->q[index ? index[i] : i]))->name);
    json_close(out, ']');
}

static void write_json_marked(json *out, const char *key, const mechanics *s, const bool *marked) {
    json_open(out, key, '[');
    for (uint32_t i = 0; i < s->n; i++)
        if (marked[i]) json_string(out, NULL, pool_symbol(s->pool, expr_symbol_index(s->pool, s->q[i]))->name);
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

static void write_json(const model *m, const mechanics *s, const character *c, const special_cases *special, const geometry *g,
                       json *out) {
    json_open(out, NULL, '{');
    json_string(out, "system", m->name);
    if (m->title) json_string(out, "title", m->title);
    json_integer(out, "n", s->n);
    const uint32_t k = s->k + higher_order_count(m);
    json_integer(out, "k", k);
    json_integer(out, "m", s->n > k ? s->n - k : 0);
    write_json_names(out, "coords", s, s->n, NULL);
    json_open(out, "constraints", '[');
    for (uint32_t i = 0; i < m->constraints_count; i++) write_json_constraint(m, &m->constraints[i], &g->constraint[i], out);
    json_close(out, ']');
    write_json_names(out, "independent", s, s->m, s->independent);
    write_json_names(out, "dependent", s, s->k, s->dependent);
    json_bool(out, "chaplygin", c->chaplygin);
    json_bool(out, "rheonomic", c->rheonomic);
    json_bool(out, "quadratic", c->quadratic);
    write_json_marked(out, "cyclic", s, c->cyclic);
    write_json_marked(out, "absent_from_lagrangian", s, c->ignorable);
    write_json_special(out, special);
    write_json_geometry(s, g, out);
    json_open(out, "warnings", '[');
    for (uint32_t i = 0; i < m->ctx->diagnostic_count; i++)
        if (m->ctx->diagnostics[i].severity == DIAG_WARNING) json_string(out, NULL, m->ctx->diagnostics[i].message);
    json_close(out, ']');
    json_close(out, '}');
}

hamel_status hamel_model_check(hamel_model *m, hamel_format format, char **result) {
    *result = NULL;
    const mechanics *s;
    hamel_status status = model_mechanics(m, &s);
    if (!status) status = check_regularity(s);
    if (!status) status = context_status(m->ctx);
    if (status) return status;
    const character c = character_of(s);
    const special_cases special = special_cases_of(s, &c);
    const geometry g = geometry_of(s);
    text out = {0};
    if (format == HAMEL_JSON) {
        write_json(m, s, &c, &special, &g, &(json){.out = &out});
        text_char(&out, '\n');
    } else {
        write_text(m, s, &c, &special, &g, &out);
    }
    return finish_text(&out, result);
}
