// What a model says after expansion: energies, forces and constraints as expressions.
#include "api/api_internal.h"
#include "api/contact_list.h"
#include "api/sweep_list.h"

#include "print/expression.h"

// unit: NULL for none
static void write_measure(const model *m, const char *name, expr e, const char *unit, text *out) {
    text_format(out, "%-12s ", name);
    api_write_expression(m, e, out);
    if (unit) text_format(out, " [%s]", unit);
    text_char(out, '\n');
}

static void write_text_item(const model *m, const char *name, expr e, text *out) {
    write_measure(m, name, e, NULL, out);
}

static void write_parameter(const model *m, const parameter *p, text *out) {
    const char *name = expr_symbol_name(m->pool, p->symbol), *unit = model_unit(m, p->symbol);
    if (!p->decimal) write_measure(m, name, p->value, unit, out);
    else text_format(out, unit ? "%-12s %s [%s]\n" : "%-12s %s\n", name, p->decimal, unit);
}

static void write_json_item(const model *m, const char *key, const char *name, expr e, json *out) {
    text t = {0}, python = {0};
    api_write_expression(m, e, &t);
    print_expression(m->pool, e, STYLE_SYMPY, &python);
    json_open(out, key, '{');
    if (name) json_string(out, "name", name);
    json_text(out, "text", &t);
    json_text(out, "sympy", &python);
    json_close(out, '}');
    text_free(&t), text_free(&python);
}

const char *api_unit_in_brackets(const model *m, expr symbol) {
    const char *unit = model_unit(m, symbol);
    return unit ? arena_format(&m->ctx->arena, " [%s]", unit) : "";
}

static void write_json_unit(const model *m, expr symbol, json *out) {
    const char *unit = model_unit(m, symbol);
    if (unit) json_string(out, expr_symbol_name(m->pool, symbol), unit);
}

// Of what has one
void api_write_units(const model *m, json *out) {
    json_open(out, "units", '{');
    for (uint32_t i = 0; i < m->parameters_count; i++)
        write_json_unit(m, m->parameters[i].symbol, out);
    for (uint32_t i = 0; i < m->coordinates_count; i++) write_json_unit(m, m->coordinates[i], out);
    for (uint32_t i = 0; i < m->givens_count; i++) write_json_unit(m, m->givens[i].symbol, out);
    for (uint32_t i = 0; i < m->quasis_count; i++) write_json_unit(m, m->quasis[i].symbol, out);
    for (uint32_t i = 0; i < m->constraints_count; i++)
        write_json_unit(m, m->constraints[i].multiplier, out);
    const named_expression *const named[] = {m->invariants, m->observables};
    const uint32_t count[] = {m->invariants_count, m->observables_count};
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < count[k]; i++)
            if (named[k][i].unit) json_string(out, named[k][i].name, named[k][i].unit);
    json_close(out, '}');
}

static const char *coordinate_name(const model *m, uint32_t i) {
    return expr_symbol_name(m->pool, m->coordinates[i]);
}

// Of what a servo constraint does on a coordinate, for each unit of its multiplier
static const char *servo_name(const model *m, const constraint *c, uint32_t i) {
    return arena_format(&m->ctx->arena, "%s by %s", c->name, coordinate_name(m, i));
}

typedef struct {
    const model *m;
    energies e;
} description;

// --- what rolls ----------------------------------------------------------------------------------

static void write_text_vector(const model *m, const char *name, vec3 v, text *out) {
    text_format(out, "%-12s (", name);
    for (int i = 0; i < 3; i++) {
        if (i) text_append(out, ", ");
        api_write_expression(m, v.at[i], out);
    }
    text_append(out, ")\n");
}

static void write_text_touch(const model *m, const touching *t, text *out) {
    arena *a = &m->ctx->arena;
    write_text_vector(m, arena_format(a, "%s: point", t->name), t->point, out);
    write_text_vector(m, arena_format(a, "%s: normal", t->name), t->normal, out);
    write_text_item(m, arena_format(a, "%s: gap", t->name), t->gap, out);
}

static void write_json_vector(const model *m, const char *key, vec3 v, json *out) {
    json_open(out, key, '[');
    for (int i = 0; i < 3; i++) write_json_item(m, NULL, NULL, v.at[i], out);
    json_close(out, ']');
}

static void write_json_touch(const model *m, const touching *t, json *out) {
    json_open(out, NULL, '{');
    json_string(out, "name", t->name);
    json_string(out, "body", m->bodies[t->body].name);
    write_json_vector(m, "point", t->point, out);
    write_json_vector(m, "normal", t->normal, out);
    write_json_vector(m, "tangent", t->tangent, out);
    write_json_vector(m, "across", t->across, out);
    write_json_item(m, "gap", NULL, t->gap, out);
    json_close(out, '}');
}

// --- everything ----------------------------------------------------------------------------------

static void write_json(const void *of, json *out) {
    const model *m = ((const description *)of)->m;
    const energies *e = &((const description *)of)->e;
    json_open(out, NULL, '{');
    json_string(out, "system", m->name);
    json_open(out, "coords", '[');
    for (uint32_t i = 0; i < m->coordinates_count; i++)
        write_json_item(m, NULL, coordinate_name(m, i), m->coordinates[i], out);
    json_close(out, ']');
    write_json_item(m, "kinetic", NULL, e->kinetic, out);
    write_json_item(m, "potential", NULL, e->potential, out);
    json_open(out, "forces", '[');
    for (uint32_t i = 0; i < m->coordinates_count; i++)
        write_json_item(m, NULL, coordinate_name(m, i), e->force[i], out);
    json_close(out, ']');
    json_open(out, "constraints", '[');
    for (uint32_t i = 0; i < m->constraints_count; i++)
        if (m->constraints[i].status == CONSTRAINT_ACTIVE)
            write_json_item(m, NULL, m->constraints[i].name, m->constraints[i].phi, out);
    json_close(out, ']');
    json_open(out, "servo", '[');
    for (uint32_t i = 0; i < m->constraints_count; i++)
        for (uint32_t j = 0; j < m->coordinates_count && m->constraints[i].servo; j++)
            if (m->constraints[i].servo[j] != EXPR_ZERO)
                write_json_item(m, NULL, servo_name(m, &m->constraints[i], j),
                                m->constraints[i].servo[j], out);
    json_close(out, ']');
    json_open(out, "rolling", '[');
    for (uint32_t i = 0; i < m->touches_count; i++) write_json_touch(m, &m->touches[i], out);
    json_close(out, ']');
    contact_list_json(m, true, out);
    json_open(out, "givens", '[');
    for (uint32_t i = 0; i < m->givens_count; i++)
        if (m->givens[i].definition != EXPR_NONE && !m->givens[i].is_input)
            write_json_item(m, NULL, expr_symbol_name(m->pool, m->givens[i].symbol),
                            m->givens[i].definition, out);
    json_close(out, ']');
    json_open(out, "inputs", '[');
    for (uint32_t i = 0; i < m->givens_count; i++)
        if (m->givens[i].is_input)
            write_json_item(m, NULL, expr_symbol_name(m->pool, m->givens[i].symbol),
                            m->givens[i].definition, out);
    json_close(out, ']');
    json_open(out, "parameters", '[');
    for (uint32_t i = 0; i < m->parameters_count; i++)
        write_json_item(m, NULL, expr_symbol_name(m->pool, m->parameters[i].symbol),
                        m->parameters[i].value == EXPR_NONE ? m->parameters[i].symbol
                                                            : m->parameters[i].value,
                        out);
    json_close(out, ']');
    sweep_list_json(m, out);
    json_close(out, '}');
}

static void write_text(const void *of, text *out) {
    const model *m = ((const description *)of)->m;
    const energies *e = &((const description *)of)->e;
    if (m->lagrangian != EXPR_NONE) write_text_item(m, "L", e->lagrangian, out);
    else write_text_item(m, "T", e->kinetic, out), write_text_item(m, "U", e->potential, out);
    for (uint32_t i = 0; i < m->coordinates_count; i++)
        if (e->force[i] != EXPR_ZERO)
            write_text_item(m, arena_format(&m->ctx->arena, "Q[%s]", coordinate_name(m, i)),
                            e->force[i], out);
    for (uint32_t i = 0; i < m->constraints_count; i++)
        write_text_item(m, m->constraints[i].name, m->constraints[i].phi, out);
    for (uint32_t i = 0; i < m->constraints_count; i++)
        for (uint32_t j = 0; j < m->coordinates_count && m->constraints[i].servo; j++)
            if (m->constraints[i].servo[j] != EXPR_ZERO)
                write_text_item(m, servo_name(m, &m->constraints[i], j), m->constraints[i].servo[j],
                                out);
    for (uint32_t i = 0; i < m->touches_count; i++) write_text_touch(m, &m->touches[i], out);
    contact_list_text(m, out);
    for (uint32_t i = 0; i < m->givens_count; i++)
        if (m->givens[i].data)
            text_format(out, "%-12s %s\n", expr_symbol_name(m->pool, m->givens[i].symbol),
                        model_data_words(m, m->givens[i].data));
        else if (m->givens[i].definition != EXPR_NONE)
            write_measure(m, expr_symbol_name(m->pool, m->givens[i].symbol),
                          m->givens[i].definition, model_unit(m, m->givens[i].symbol), out);
    for (uint32_t i = 0; i < m->parameters_count; i++)
        if (m->parameters[i].value != EXPR_NONE) write_parameter(m, &m->parameters[i], out);
    sweep_list_text(m, 12, out);
}

static hamel_status describe(hamel_model *m, hamel_format format, char **result) {
    const struct format *as = api_find_format(m->ctx, format, WRITES_RESULT);
    if (!as) return HAMEL_USAGE;
    const description d = {m, model_energies(m)};
    const hamel_status status = context_status(m->ctx);
    if (status) return status;
    return api_finish_result(as, &(printable){&d, write_text, write_json, NULL}, result);
}

hamel_status hamel_model_describe(hamel_model *m, hamel_format format, char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, describe(m, format, result), "describing `%s`", m->name);
}
