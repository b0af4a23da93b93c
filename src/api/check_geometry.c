// The geometry of the constraints, in words and as JSON.
#include "api/check_geometry.h"

// --- one constraint --------------------------------------------------------------------------------------------------------

void write_verdict(const constraint_geometry *g, text *out) {
    if (g->verdict == INTEGRABLE_NO) text_append(out, ", not integrable");
    if (g->verdict == INTEGRABLE_YES) text_append(out, g->alone ? ", integrable" : ", integrable with the others");
}

void write_integral(const model *m, const constraint *c, const constraint_geometry *g, text *out) {
    if (c->order != 1 || g->verdict != INTEGRABLE_YES || !g->alone) return;
    text_append(out, "                 integral: ");
    if (g->integral == EXPR_NONE) {
        text_append(out, "none found in the ansatz\n");
        return;
    }
    write_expression_text(m, g->integral, out);
    text_append(out, " is constant\n");
}

static void write_json_expression(const model *m, const char *key, expr e, json *out) {
    if (e == EXPR_NONE) {
        json_null(out, key);
        return;
    }
    text t = {0};
    write_expression_text(m, e, &t);
    json_text(out, key, &t);
    text_free(&t);
}

void write_json_verdict(const model *m, const constraint_geometry *g, json *out) {
    if (g->verdict == INTEGRABLE_UNKNOWN) json_null(out, "integrable");
    else json_bool(out, "integrable", g->verdict == INTEGRABLE_YES);
    write_json_expression(m, "integral", g->integral, out);
}

// --- words ---------------------------------------------------------------------------------------------------------------------

// The rate of an integral: 2*x*roll.x - (y + 1)*roll.y, with the names of the constraints
static void write_combination(const mechanics *s, const integral *i, text *out) {
    pool *p = s->pool;
    bool any = false;
    for (uint32_t nu = 0; nu < s->k; nu++) {
        expr factor = i->multiplier[nu], number, rest;
        if (factor == EXPR_ZERO) continue;
        expr_split_coefficient(p, factor, &number, &rest);
        const bool negative = fmpq_sgn(expr_number_value(p, number)) < 0;
        if (negative) factor = expr_neg(p, factor), number = expr_neg(p, number);
        text_append(out, negative ? any ? " - " : "-" : any ? " + " : "");
        any = true;
        const bool brackets = expr_kind_of(p, rest) == EXPR_SUM && number == EXPR_ONE;
        if (brackets) text_char(out, '(');
        if (factor != EXPR_ONE) write_expression_text(s->model, factor, out);
        text_append(out, brackets ? ")*" : factor != EXPR_ONE ? "*" : "");
        text_append(out, s->model->constraints[s->constraint[nu]].name);
    }
}

// Has the integral been shown with its constraint?
static bool is_shown(const mechanics *s, const geometry *g, expr f) {
    for (uint32_t i = 0; i < s->model->constraints_count; i++)
        if (g->constraint[i].integral == f) return true;
    return false;
}

static void write_distribution(const mechanics *s, const geometry *g, text *out) {
    if (!g->counted) return;
    const uint32_t count = g->integral_count;
    text_append(out, "distribution   ");
    text_append(out, count == s->k ? "integrable" : "not integrable");
    if (s->k > 1 && count)
        text_format(out, ": %u of %u independent combinations of the constraints %s integrable", count, s->k, count == 1 ? "is" : "are");
    else if (s->k > 1) text_append(out, ": no combination of the constraints is integrable");
    text_char(out, '\n');
    for (uint32_t i = 0; i < g->integrals_found; i++) {
        if (is_shown(s, g, g->integrals[i].f)) continue;
        text_append(out, "                 ");
        write_expression_text(s->model, g->integrals[i].f, out);
        text_append(out, " is constant");
        if (g->integrals[i].multiplier) {
            text_append(out, ": its rate is ");
            write_combination(s, &g->integrals[i], out);
        }
        text_char(out, '\n');
    }
    const uint32_t missing = count - g->integrals_found;
    if (missing && s->k > 1) text_format(out, "                 %u integral%s not found in the ansatz\n", missing, missing == 1 ? "" : "s");
}

static const char *name_of(const mechanics *s, expr symbol) { return pool_symbol(s->pool, expr_symbol_index(s->pool, symbol))->name; }

// "integrable exactly when a = 0 or a = 1", and values at which only more combinations are integrable than in general
static void write_special_values(const mechanics *s, const parameter_geometry *g, text *out) {
    uint32_t full = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        const special_value *v = &g->value[i];
        if (v->integrals < v->constraints) continue;
        const char *name = name_of(s, g->parameter);
        if (full++) text_append(out, " or ");
        else text_format(out, "                 among values of %s: integrable %swhen ", name, g->decided ? "exactly " : "");
        text_format(out, "%s = ", name);
        write_expression_text(s->model, v->value, out);
    }
    if (full) text_char(out, '\n');
    for (uint32_t i = 0; i < g->count; i++) {
        const special_value *v = &g->value[i];
        if (v->integrals == v->constraints) continue;
        text_format(out, "                 when %s = ", name_of(s, g->parameter));
        write_expression_text(s->model, v->value, out);
        text_format(out, ": %u of %u independent combinations integrable\n", v->integrals, v->constraints);
    }
}

// Parameters that change nothing, and those of which that is not known
static void write_other_parameters(const mechanics *s, const geometry *g, bool decided, const char *words, text *out) {
    bool any = false;
    for (uint32_t i = 0; i < g->parameters; i++) {
        if (g->parameter[i].decided != decided || (decided && g->parameter[i].count)) continue;
        text_format(out, "%s%s", any ? ", " : words, name_of(s, g->parameter[i].parameter));
        any = true;
    }
    if (any) text_char(out, '\n');
}

static void write_parameters(const mechanics *s, const geometry *g, text *out) {
    for (uint32_t i = 0; i < g->parameters; i++) write_special_values(s, &g->parameter[i], out);
    write_other_parameters(s, g, true, "                 the same for every value of ", out);
    write_other_parameters(s, g, false, "                 not decided for special values of ", out);
}

static void write_vector(const flag *f, text *out) {
    for (uint32_t i = 0; i < f->levels; i++) text_format(out, "%s%u", i ? ", " : "(", f->rank[i]);
    text_char(out, ')');
}

static bool same_growth(const flag *a, const flag *b) {
    bool same = a->levels == b->levels;
    for (uint32_t i = 0; i < a->levels && same; i++) same = a->rank[i] == b->rank[i];
    return same;
}

static void write_growth(const geometry *g, text *out) {
    const bool same = g->initial.complete && same_growth(&g->generic, &g->initial);
    text_append(out, "growth         ");
    write_vector(&g->generic, out);
    text_format(out, " %s, degree of nonholonomy %u\n", same ? "generically and at the initial state" : "generically", g->generic.levels);
    if (same || !g->initial.levels) return;
    text_append(out, "               ");
    write_vector(&g->initial, out);
    if (g->initial.complete) text_format(out, " at the initial state, degree of nonholonomy %u there\n", g->initial.levels);
    else text_append(out, " at the initial state, longer brackets not decided there\n");
}

// Chow: brackets that fill the space reach every position; integrals confine the motion to a leaf.
static void write_reach(const mechanics *s, const geometry *g, text *out) {
    const uint32_t reached = g->generic.rank[g->generic.levels - 1];
    text_append(out, "controllable   ");
    if (reached == s->n) {
        text_append(out, "yes: every position can be reached (Chow)\n");
        return;
    }
    text_format(out, "no: brackets of the free directions stop at dimension %u of %u", reached, s->n);
    const uint32_t count = g->integral_count;
    if (count) text_format(out, ", the motion stays on a leaf given by %u integral%s", count, count == 1 ? "" : "s");
    else text_append(out, " at a fixed time; no function of positions and time stays constant");
    text_char(out, '\n');
}

void write_geometry(const mechanics *s, const geometry *g, text *out) {
    if (!s->k) return;
    write_distribution(s, g, out);
    write_parameters(s, g, out);
    if (!g->generic.levels) return;
    write_growth(g, out);
    write_reach(s, g, out);
}

// --- JSON ----------------------------------------------------------------------------------------------------------------------

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
                write_json_expression(s->model, s->model->constraints[s->constraint[nu]].name, i->multiplier[nu], out);
        json_close(out, '}');
    } else {
        json_null(out, "combination");
    }
    json_close(out, '}');
}

static void write_json_parameter(const mechanics *s, const parameter_geometry *g, json *out) {
    json_open(out, NULL, '{');
    json_string(out, "parameter", name_of(s, g->parameter));
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

void write_json_geometry(const mechanics *s, const geometry *g, json *out) {
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
        json_bool(out, "controllable", g->generic.rank[g->generic.levels - 1] == s->n);
    } else {
        json_null(out, "degree_of_nonholonomy");
        json_null(out, "controllable");
    }
}
