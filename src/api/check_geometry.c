// The geometry of the constraints as JSON.
#include "api/check_geometry.h"

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

void check_geometry_write_verdict(const model *m, const constraint_geometry *g, json *out) {
    write_json_integrability("integrable", g->alone, out);
    write_json_integrability("integrable_with_others", g->beside, out);
    write_json_expression(m, "integral", g->integral, out);
}

static const char *name_of(const mechanics *s, expr symbol) {
    return expr_symbol_name(s->pool, symbol);
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

void check_geometry_write_json(const mechanics *s, const geometry *g, json *out) {
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
