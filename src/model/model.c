// Creation and release of a model, values of its constants, and what is said of its names: of those
// without a value, and of constraints.
#include "model/mechanics.h"

#include "expr/program.h"
#include "expr/spline.h"

#include <math.h>

model *model_create(context *ctx, pool *p) {
    model *m = arena_new(&ctx->arena, model);
    m->ctx = ctx;
    m->pool = p;
    m->lagrangian = EXPR_NONE;
    m->simulate = (simulate_defaults){EXPR_NONE, EXPR_NONE, EXPR_NONE, EXPR_NONE, NULL, NULL, {0}};
    m->time = expr_symbol(p, "t", ROLE_TIME);
    return m;
}

void model_free(model *m) {
    if (!m) return;
    if (m->scope) m->scope_free(m->scope);
    memory_free(m->included);
    memory_free(m->parameters);
    memory_free(m->coordinates);
    memory_free(m->givens);
    memory_free(m->points);
    memory_free(m->bodies);
    memory_free(m->generalised_forces);
    memory_free(m->forces);
    memory_free(m->torques);
    memory_free(m->constraints);
    memory_free(m->touches);
    memory_free(m->independent);
    memory_free(m->quasis);
    memory_free(m->supplementary);
    memory_free(m->cartesians);
    memory_free(m->initial);
    memory_free(m->sweeps);
    memory_free(m->collects);
    memory_free(m->guesses);
    memory_free(m->events);
    memory_free(m->contacts);
    memory_free(m->resets);
    memory_free(m->invariants);
    memory_free(m->observables);
    memory_free(m->claims);
    memory_free(m->variations);
    memory_free(m->quantities);
    memory_free(m->draws);
}

// --- constants -----------------------------------------------------------------------------------

double model_constant(const model *m, expr e) {
    pool *p = m->pool;
    const uint32_t n = m->parameters_count;
    expr *from = memory_array(expr, 2 * n + 1), *to = from + n, before = EXPR_NONE;
    for (uint32_t i = 0; i < n; i++) {
        const parameter *q = &m->parameters[i];
        from[i] = q->symbol, to[i] = q->value == EXPR_NONE ? q->symbol : q->value;
    }
    // one defined by others, these by others again: as often as there are any
    for (uint32_t k = 0; k <= n && e != before; k++) {
        before = e;
        expr_substitute(p, n, from, to, 1, &before, &e);
    }
    memory_free(from);
    program *prog = program_create(p, 1, &e);
    bool *known = memory_zeros(bool, pool_symbol_count(p) + 1);
    double value = NAN;
    if (program_first_unknown(prog, known) == EXPR_NONE) program_run_double(prog, NULL, &value);
    memory_free(known);
    program_free(prog);
    return value;
}

// --- units ---------------------------------------------------------------------------------------

const char *model_unit(const model *m, expr what) {
    const symbol *s = expr_as_symbol(m->pool, what);
    if (!s || s->base >= m->dimensions_count || !m->dimensions[s->base].known) return NULL;
    const symbol_dimension *own = &m->dimensions[s->base];
    const dimension rate = dimension_make(0, 0, -(int)s->order);
    dimension d = own->dimension;
    arena *a = &m->ctx->arena;
    if (!s->order && own->stated) return own->stated;
    if (s->order && own->stated && dimension_is_none(&d)) // rad/s
        return arena_format(a, s->order == 1 ? "%s/s" : "%s/s^%u", own->stated, s->order);
    if (!dimension_multiply(&d, &rate, DIMENSION_WHOLE) || dimension_is_none(&d)) return NULL;
    return dimension_unit(a, &d);
}

// --- what has no value --------------------------------------------------------------------------

// At the points f' of straight lines jumps, and f''' of cubics.
static void report_no_derivative(const model *m, const spline *f, uint32_t order) {
    span at = {0};
    for (uint32_t i = 0; i < m->givens_count; i++)
        if (m->givens[i].data == f) at = m->givens[i].at;
    diag_error(m->ctx, at,
               f->linear ? "leave out `linear`: a cubic spline has two continuous derivatives"
                         : "write the model so that no derivative beyond the third is needed",
               "derivative %u of `%s` is needed, and %s have none at their points", order, f->name,
               f->linear ? "straight lines through data" : "cubic splines");
}

void model_report_no_value(const model *m, expr what) {
    const symbol *s = expr_as_symbol(m->pool, what);
    uint32_t order = 0;
    const spline *data = expr_spline(m->pool, what, &order);
    if (data) {
        report_no_derivative(m, data, order);
        return;
    }
    if (!s) {
        diag_error(m->ctx, (span){0}, "give it a definition: function a(z) = ...",
                   "the function `%s` is abstract and has no values",
                   pool_function_at(m->pool, expr_function_index(m->pool, what))->name);
        return;
    }
    span at = {0};
    for (uint32_t i = 0; i < m->parameters_count; i++)
        if (m->parameters[i].symbol == what) at = m->parameters[i].at;
    for (uint32_t i = 0; i < m->givens_count; i++)
        if (expr_symbol_index(m->pool, m->givens[i].symbol) == s->base) at = m->givens[i].at;
    const bool rate = s->role == ROLE_COORDINATE && s->order > 0;
    diag_error(m->ctx, at,
               s->role == ROLE_MULTIPLIER || rate
                   ? "the equations of this form do not give it"
                   : "give it one in the model, or with --set name=value",
               "`%s` has no value", rate ? expr_symbol_text(m->pool, what) : s->name);
}

// --- constraints by their names ------------------------------------------------------------------

const char *model_names_in_words(const model *m, uint32_t count, const uint32_t *constraint) {
    if (!count || count > MODEL_MOST_NAMED) return "the others";
    text t = {0};
    uint32_t done = 0;
    for (uint32_t k = 0; k < m->constraints_count; k++) // in the order in which they were stated
        for (uint32_t i = 0; i < count; i++)
            if (constraint[i] == k)
                text_format(&t, "%s`%s`", text_between(done++, count), m->constraints[k].name);
    const char *result = arena_copy(&m->ctx->arena, t.bytes, t.length);
    text_free(&t);
    return result;
}

void model_warn_of_rank_loss(const model *m, uint32_t count, const uint32_t *constraint) {
    diag_warning(
        m->ctx, m->constraints[constraint[0]].at,
        "start the motion elsewhere, or expect it to be undetermined there",
        "the constraints lose rank at the initial state: %s do%s not restrict the velocities there",
        model_names_in_words(m, count, constraint), count == 1 ? "es" : "");
}

// --- multipliers that statements name, of constraints that have none, or another one -------------

// One use: `what` names the statement.
static void look_at_use(const model *m, const constraint *c, span at, const char *what) {
    const char *lambda = expr_symbol_name(m->pool, c->multiplier);
    if (c->status == CONSTRAINT_COMBINED)
        diag_warning(m->ctx, at,
                     "`check` shows the combinations that are kept: those have multipliers",
                     "%s speaks of %s, which is not determined: others depend on constraint `%s`",
                     what, lambda, c->name);
    else if (c->status != CONSTRAINT_ACTIVE)
        diag_warning(m->ctx, at, "speak of the multipliers of those it follows from",
                     "%s speaks of %s, and constraint `%s`, which says nothing of its own, has no "
                     "multiplier",
                     what, lambda, c->name);
    else if (c->stated != EXPR_NONE)
        diag_warning(m->ctx, at, NULL, "%s speaks of %s: it belongs to `%s = 0`, %s", what, lambda,
                     m->words ? m->words(m, c->phi) : "a factor", c->note);
}

void model_warn_of_lost_multipliers(const model *m) {
    for (uint32_t i = 0; i < m->constraints_count; i++) {
        const constraint *c = &m->constraints[i];
        if (c->status == CONSTRAINT_ACTIVE && c->stated == EXPR_NONE) continue;
        const expr symbol[2] = {c->multiplier, expr_symbol_derivative(m->pool, c->multiplier)};
        for (uint32_t j = 0; j < m->claims_count; j++) {
            const claim *k = &m->claims[j];
            if (k->kind != CLAIM_EQUATION) continue;
            if (expr_depends_on(m->pool, k->left, 2, symbol) ||
                expr_depends_on(m->pool, k->right, 2, symbol))
                look_at_use(m, c, k->at, arena_format(&m->ctx->arena, "claim `%s`", k->name));
        }
        for (uint32_t j = 0; j < m->observables_count; j++) {
            const named_expression *o = &m->observables[j];
            if (expr_depends_on(m->pool, o->value, 2, symbol))
                look_at_use(m, c, o->at, arena_format(&m->ctx->arena, "observable `%s`", o->name));
        }
        for (uint32_t j = 0; j < m->events_count; j++) {
            const event *e = &m->events[j];
            if (expr_depends_on(m->pool, e->value, 2, symbol))
                look_at_use(m, c, e->at, arena_format(&m->ctx->arena, "event `%s`", e->name));
        }
        model_warn_of_factors_in_forces(m, c, look_at_use);
        for (uint32_t j = 0; j < m->initial_count; j++)
            if (m->initial[j].symbol == c->multiplier)
                look_at_use(m, c, m->initial[j].at, "`initial`");
    }
}
