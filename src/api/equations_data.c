// Equations as data: the nodes below what stands in them, copied out of the pool and numbered
// densely, operands before their users as there.
#include "api/equations_data.h"

#include "derive/formalism.h"
#include "equations/ode.h"
#include "normal/normal.h"

#include <string.h>

// --- parts ---------------------------------------------------------------------------------------

typedef struct {
    pool *p;
    const equations *eq;
    hamel_equations *out;
    struct {
        uint32_t count;
        const expr *e;
    } part[EQUATIONS_DATA_PARTS]; // in the arena of the context
} exporter;

static const char *kept(exporter *w, const char *words) {
    return arena_copy(&w->out->words, words, strlen(words));
}

static void set_part(exporter *w, hamel_part part, uint32_t count, const expr *e) {
    w->part[part].count = count, w->part[part].e = e;
}

static const char **name_part(exporter *w, hamel_part part) {
    equations_data_part *p = &w->out->part[part];
    return p->name = arena_array(&w->out->words, const char *, w->part[part].count + 1);
}

static expr *simplified(const exporter *w, uint32_t count, expr *e) {
    enum { LONGEST_SIMPLIFIED = 20000 }; // expr_weight() beyond which it stays as derived
    const normal_budget budget = normal_budget_default();
    for (uint32_t i = 0; i < count; i++)
        if (!expr_is_heavier(w->p, e[i], LONGEST_SIMPLIFIED))
            e[i] = normal_simplify(w->p, e[i], &budget);
    return e;
}

static void take_residuals(exporter *w) {
    const equations *eq = w->eq;
    const mechanics *s = eq->system;
    arena *a = &s->model->ctx->arena;
    const uint32_t u = eq->unknown_count;
    expr *residual = arena_array(a, expr, u + 1), *m = arena_array(a, expr, (size_t)u * u + 1),
         *f = arena_array(a, expr, u + 1);
    for (uint32_t i = 0; i < u; i++) residual[i] = eq->residual[i].value;
    equations_affine(eq, m, f);
    set_part(w, HAMEL_UNKNOWNS, u, eq->unknown);
    set_part(w, HAMEL_RESIDUALS, u, simplified(w, u, residual));
    set_part(w, HAMEL_MATRIX, u * u, simplified(w, u * u, m));
    set_part(w, HAMEL_FORCING, u, simplified(w, u, f));
    const char **name = name_part(w, HAMEL_RESIDUALS);
    for (uint32_t i = 0; i < u; i++)
        name[i] = eq->residual[i].kind == RESIDUAL_MOTION
                      ? "motion"
                      : kept(w, s->model->constraints[s->constraint[eq->residual[i].source]].name);
}

static void take_constraints(exporter *w) {
    const mechanics *s = w->eq->system;
    const uint32_t rows = s->k + s->h;
    set_part(w, HAMEL_CONSTRAINTS, rows, s->phi);
    const char **name = name_part(w, HAMEL_CONSTRAINTS);
    for (uint32_t i = 0; i < rows; i++)
        name[i] = kept(w, s->model->constraints[s->constraint[i]].name);
    if (rows) set_part(w, HAMEL_SLOPES, rows * s->n, mechanics_slopes(s));
}

// T, U, L and h = sum q'_i dL/dq'_i - L
static void take_energies(exporter *w) {
    const mechanics *s = w->eq->system;
    arena *a = &s->model->ctx->arena;
    expr *momentum = arena_array(a, expr, s->n), *e = arena_array(a, expr, 4);
    expr_gradient(w->p, s->lagrangian, s->n, s->qd, momentum);
    e[0] = s->kinetic, e[1] = s->potential, e[2] = s->lagrangian;
    e[3] = expr_sub(w->p, expr_dot(w->p, s->n, s->qd, momentum), s->lagrangian);
    set_part(w, HAMEL_ENERGIES, 4, e);
    const char **name = name_part(w, HAMEL_ENERGIES);
    name[0] = "T", name[1] = "U", name[2] = "L", name[3] = "energy";
}

static void take_named(exporter *w, hamel_part part, uint32_t count, const named_expression *list) {
    expr *e = arena_array(&w->eq->system->model->ctx->arena, expr, count + 1);
    for (uint32_t i = 0; i < count; i++) e[i] = list[i].value;
    set_part(w, part, count, e);
    const char **name = name_part(w, part);
    for (uint32_t i = 0; i < count; i++) name[i] = kept(w, list[i].name);
}

static void take_definitions(exporter *w) {
    const equations *eq = w->eq;
    arena *a = &eq->system->model->ctx->arena;
    expr *e = arena_array(a, expr, eq->definitions_count + 1);
    for (uint32_t i = 0; i < eq->definitions_count; i++) e[i] = eq->definitions[i].value;
    set_part(w, HAMEL_DEFINITIONS, eq->definitions_count, e);
    const char **name = name_part(w, HAMEL_DEFINITIONS);
    for (uint32_t i = 0; i < eq->definitions_count; i++) name[i] = kept(w, eq->definitions[i].name);
}

static void take_motion(exporter *w) {
    const ode *o = ode_create(w->eq);
    if (o->is_undetermined) return;
    set_part(w, HAMEL_STATES, o->size, o->state);
    set_part(w, HAMEL_RATES, o->size, o->rate);
    set_part(w, HAMEL_STARTS, o->size, o->start);
}

static void take_parts(exporter *w) {
    const mechanics *s = w->eq->system;
    const model *m = s->model;
    set_part(w, HAMEL_COORDINATES, s->n, s->q);
    set_part(w, HAMEL_VELOCITIES, s->n, w->eq->velocity);
    set_part(w, HAMEL_ACCELERATIONS, s->n, w->eq->acceleration);
    set_part(w, HAMEL_FORCES, s->n, s->force);
    take_residuals(w);
    take_constraints(w);
    take_energies(w);
    take_named(w, HAMEL_INVARIANTS, m->invariants_count, m->invariants);
    take_named(w, HAMEL_OBSERVABLES, m->observables_count, m->observables);
    take_definitions(w);
    take_motion(w);
}

// --- nodes ---------------------------------------------------------------------------------------

// Operands that are nodes: of a sum every second behind the first, which is a number as those
// between them; of a product every second, between them are exponents.
static uint32_t operand_count(const pool *p, expr e) {
    const uint32_t all = expr_operand_count(p, e);
    const expr_kind kind = expr_kind_of(p, e);
    return kind == EXPR_SUM ? (all - 1) / 2 : kind == EXPR_PRODUCT ? all / 2 : all;
}

static expr operand(const pool *p, expr e, uint32_t i) {
    const expr_kind kind = expr_kind_of(p, e);
    return expr_operand(p, e, kind == EXPR_SUM ? 2 * i + 2 : kind == EXPR_PRODUCT ? 2 * i : i);
}

// The number beside operand i
static expr coefficient(const pool *p, expr e, uint32_t i) { return expr_operand(p, e, 2 * i + 1); }

static const char *number_words(exporter *w, expr e) {
    char *digits = fmpq_get_str(NULL, 10, expr_number_value(w->p, e));
    const char *words = kept(w, digits);
    flint_free(digits);
    return words;
}

static const char *role_word(symbol_role role) {
    static const char *const words[] = {[ROLE_TIME] = "time",
                                        [ROLE_PARAMETER] = "parameter",
                                        [ROLE_COORDINATE] = "coordinate",
                                        [ROLE_QUASI] = "quasi-velocity",
                                        [ROLE_GIVEN] = "function",
                                        [ROLE_MULTIPLIER] = "multiplier",
                                        [ROLE_MOMENTUM] = "momentum",
                                        [ROLE_VARIATION] = "variation",
                                        [ROLE_TRANSPOSE] = "transpose",
                                        [ROLE_LOCAL] = "local"};
    return words[role];
}

static void set_symbol(exporter *w, expr e, hamel_node *node, equations_data_node *inside) {
    const symbol *s = expr_as_symbol(w->p, e);
    node->kind = "symbol", node->name = kept(w, expr_symbol_text(w->p, e));
    node->role = role_word(s->role), node->base = kept(w, s->name), node->order = s->order;
    inside->role = (uint8_t)s->role, inside->base = s->base;
}

static void set_application(exporter *w, expr e, hamel_node *node, equations_data_node *inside) {
    const function *f = pool_function_at(w->p, expr_function_index(w->p, e));
    unsigned *orders = arena_array(&w->out->words, unsigned, f->arity + 1);
    for (uint32_t i = 0; i < f->arity; i++) orders[i] = f->orders[i];
    node->kind = "apply", node->name = kept(w, pool_function_at(w->p, f->base)->name);
    node->orders = orders, inside->base = f->base;
}

static void set_node(exporter *w, expr e, const hamel_expr *number, hamel_node *node,
                     equations_data_node *inside) {
    arena *a = &w->out->words;
    const expr_kind kind = expr_kind_of(w->p, e);
    const uint32_t count = operand_count(w->p, e);
    hamel_expr *operands = arena_array(a, hamel_expr, count + 1);
    for (uint32_t i = 0; i < count; i++) operands[i] = number[operand(w->p, e, i)];
    *node = (hamel_node){.kind = expr_kind_name(kind), .operand_count = count};
    *inside = (equations_data_node){.kind = (uint8_t)kind};
    node->operands = operands;
    if (kind == EXPR_NUMBER) node->number = number_words(w, e);
    else if (kind == EXPR_SYMBOL) set_symbol(w, e, node, inside);
    else if (kind == EXPR_APPLY) set_application(w, e, node, inside);
    else if (kind >= EXPR_SIN) node->name = node->kind, node->kind = "call";
    if (kind == EXPR_SUM) node->number = number_words(w, expr_operand(w->p, e, 0));
    if (kind != EXPR_SUM && kind != EXPR_PRODUCT) return;
    const char **all = arena_array(a, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++) all[i] = number_words(w, coefficient(w->p, e, i));
    node->coefficients = all;
}

// From the last node to the first: what is needed needs its operands.
static uint32_t mark_needed(const exporter *w, uint32_t size, bool *needed) {
    uint32_t count = 0;
    for (int k = 0; k < EQUATIONS_DATA_PARTS; k++)
        for (uint32_t i = 0; i < w->part[k].count; i++) needed[w->part[k].e[i]] = true;
    for (expr e = size; e-- > 0;) {
        if (!needed[e]) continue;
        count++;
        for (uint32_t i = 0; i < operand_count(w->p, e); i++) needed[operand(w->p, e, i)] = true;
    }
    return count;
}

static void copy_nodes(exporter *w) {
    hamel_equations *out = w->out;
    const uint32_t size = pool_size(w->p);
    bool *needed = memory_zeros(bool, size);
    hamel_expr *number = memory_array(hamel_expr, size);
    const uint32_t count = mark_needed(w, size, needed);
    out->node = arena_array(&out->words, hamel_node, count);
    out->inside = arena_array(&out->words, equations_data_node, count);
    for (expr e = 0; e < size; e++) {
        if (!needed[e]) continue;
        set_node(w, e, number, &out->node[out->node_count], &out->inside[out->node_count]);
        number[e] = (hamel_expr)out->node_count++;
        budget_check();
    }
    for (int k = 0; k < EQUATIONS_DATA_PARTS; k++) {
        equations_data_part *p = &out->part[k];
        p->count = w->part[k].count;
        p->at = arena_array(&out->words, hamel_expr, p->count + 1);
        for (uint32_t i = 0; i < p->count; i++) p->at[i] = number[w->part[k].e[i]];
    }
    memory_free(needed), memory_free(number);
}

// --- the calls -----------------------------------------------------------------------------------

static hamel_status find_form(model *m, const char *id, const mechanics **s,
                              const formalism **form) {
    const hamel_status status = api_mechanics(m, s);
    if (status) return status;
    *form = id ? api_find_form(m->ctx, id) : formalism_default(*s);
    return *form ? HAMEL_OK : HAMEL_USAGE;
}

static hamel_status make(hamel_model *m, const char *id, hamel_equations **out) {
    const mechanics *s;
    const formalism *form;
    equations *eq = NULL;
    hamel_status status = find_form(m, id, &s, &form);
    if (!status) status = api_derive(form, s, &eq);
    if (!status) {
        exporter w = {.p = m->pool, .eq = eq, .out = memory_new(hamel_equations)};
        w.out->form = form->id;
        take_parts(&w);
        status = context_status(m->ctx);
        if (!status) copy_nodes(&w);
        if (!status) arena_hand_over(&w.out->words), memory_hand_over(w.out), *out = w.out;
        else arena_free(&w.out->words), memory_free(w.out);
    }
    equations_free(eq);
    return status;
}

static hamel_status make_within(hamel_model *m, const char *form, hamel_equations **out) {
    API_CALL(m->ctx, NULL, make(m, form, out), "deriving the equations of `%s`", m->name);
}

hamel_status hamel_model_equations(hamel_model *m, const char *form, hamel_equations **equations) {
    if (equations) *equations = NULL;
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, equations);
    return make_within(m, form, equations);
}

void hamel_equations_free(hamel_equations *w) {
    if (!w) return;
    arena_free(&w->words);
    memory_free(w);
}

const char *hamel_equations_form(const hamel_equations *w) { return w ? w->form : NULL; }

size_t hamel_equations_count(const hamel_equations *w, hamel_part part) {
    return w && (unsigned)part < EQUATIONS_DATA_PARTS ? w->part[part].count : 0;
}

hamel_expr hamel_equations_at(const hamel_equations *w, hamel_part part, size_t index) {
    return index < hamel_equations_count(w, part) ? w->part[part].at[index] : HAMEL_NO_EXPR;
}

const char *hamel_equations_name(const hamel_equations *w, hamel_part part, size_t index) {
    if (index >= hamel_equations_count(w, part) || !w->part[part].name) return NULL;
    return w->part[part].name[index];
}

size_t hamel_equations_nodes(const hamel_equations *w) { return w ? w->node_count : 0; }

int hamel_equations_node(const hamel_equations *w, hamel_expr e, hamel_node *node) {
    if (!w || !node || e >= w->node_count) return 0;
    *node = w->node[e];
    return 1;
}
