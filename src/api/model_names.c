// What a model has, name by name: coordinates, parameters, constraints .., with units and values.
#include "api/api_internal.h"

#include "api/listed_names.h"

#include <math.h>
#include <string.h>

// --- lists ---------------------------------------------------------------------------------------

static const char *symbol_at(const model *m, expr symbol) {
    return expr_symbol_name(m->pool, symbol);
}

static const char *coordinate_at(const model *m, size_t i) {
    return i < m->coordinates_count ? symbol_at(m, m->coordinates[i]) : NULL;
}

static const char *parameter_at(const model *m, size_t i) {
    return i < m->parameters_count ? symbol_at(m, m->parameters[i].symbol) : NULL;
}

// The known functions of one kind
static const char *given_at(const model *m, bool is_input, size_t index) {
    for (uint32_t i = 0; i < m->givens_count; i++)
        if (m->givens[i].is_input == is_input && !index--) return symbol_at(m, m->givens[i].symbol);
    return NULL;
}

static const char *input_at(const model *m, size_t i) { return given_at(m, true, i); }
static const char *function_at(const model *m, size_t i) { return given_at(m, false, i); }

// Lists whose items have a name
#define NAMES(list)                                                                                \
    static const char *list##_at(const model *m, size_t i) {                                       \
        return i < m->list##_count ? m->list[i].name : NULL;                                       \
    }
NAMES(quasis)
NAMES(bodies)
NAMES(points)
NAMES(contacts)
NAMES(events)
NAMES(resets)
NAMES(invariants)
NAMES(observables)
NAMES(claims)
#undef NAMES

// Those that were stated, not those that stand for combinations of them
static const char *constraint_at(const model *m, size_t index) {
    for (uint32_t i = 0; i < m->constraints_count; i++)
        if (m->constraints[i].status != CONSTRAINT_COMBINED && !index--)
            return m->constraints[i].name;
    return NULL;
}

static const struct {
    const char *kind;
    const char *(*at)(const model *m, size_t index);
} lists[] = {{"coordinates", coordinate_at},  {"quasi-velocities", quasis_at},
             {"parameters", parameter_at},    {"inputs", input_at},
             {"functions", function_at},      {"bodies", bodies_at},
             {"points", points_at},           {"constraints", constraint_at},
             {"contacts", contacts_at},       {"events", events_at},
             {"resets", resets_at},           {"invariants", invariants_at},
             {"observables", observables_at}, {"claims", claims_at}};

const char *hamel_model_listed(hamel_model *m, const char *kind, size_t index) {
    if (!m || !kind || m->ctx->dead) return NULL;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(lists[i].kind, kind) == 0) return lists[i].at(m, index);
    return NULL;
}

const char *hamel_model_name(const hamel_model *m) { return m && !m->ctx->dead ? m->name : NULL; }

const char *hamel_model_title(const hamel_model *m) { return m && !m->ctx->dead ? m->title : NULL; }

// --- units and values ----------------------------------------------------------------------------

static const char *named_unit(const model *m, const char *name) {
    const named_expression *const lists_of[] = {m->invariants, m->observables};
    const uint32_t count[] = {m->invariants_count, m->observables_count};
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < count[k]; i++)
            if (listed_names_match(name, lists_of[k][i].name)) return lists_of[k][i].unit;
    for (uint32_t i = 0; i < m->constraints_count; i++)
        if (listed_names_match(name, expr_symbol_name(m->pool, m->constraints[i].multiplier)))
            return model_unit(m, m->constraints[i].multiplier);
    return NULL;
}

static hamel_status find_unit(const model *m, const char *name, const char **unit) {
    const parameter *p = listed_names_parameter(m, name);
    const expr state = listed_names_state(m, name);
    *unit = NULL;
    if (strcmp(name, expr_symbol_name(m->pool, m->time)) == 0) *unit = model_unit(m, m->time);
    else if (p) *unit = model_unit(m, p->symbol);
    else if (state != EXPR_NONE) *unit = model_unit(m, state);
    else *unit = named_unit(m, name);
    for (uint32_t i = 0; i < m->givens_count && !*unit; i++)
        if (listed_names_match(name, expr_symbol_name(m->pool, m->givens[i].symbol)))
            *unit = model_unit(m, m->givens[i].symbol);
    return HAMEL_OK;
}

static hamel_status find_unit_within(const model *m, const char *name, const char **unit) {
    API_CALL(m->ctx, NULL, find_unit(m, name, unit), "looking for the unit of `%s`", name);
}

const char *hamel_model_unit(hamel_model *m, const char *name) {
    const char *unit = NULL;
    if (!m || !name) return NULL;
    return find_unit_within(m, name, &unit) ? NULL : unit;
}

static hamel_status find_value(const model *m, const char *name, double *value) {
    const parameter *p = listed_names_parameter(m, name);
    *value = p && p->value != EXPR_NONE ? model_constant(m, p->value) : NAN;
    return HAMEL_OK;
}

static hamel_status find_value_within(const model *m, const char *name, double *value) {
    API_CALL(m->ctx, NULL, find_value(m, name, value), "looking for the value of `%s`", name);
}

int hamel_model_value(hamel_model *m, const char *parameter, double *value) {
    if (!m || !parameter || !value) return 0;
    return find_value_within(m, parameter, value) == HAMEL_OK && isfinite(*value);
}
