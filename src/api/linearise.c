// The linear motion around a steady one: the job behind `linearise`.
#include "api/linear_job.h"

#include "equations/linear.h"
#include "derive/formalism.h"
#include "model/inputs.h"
#include "normal/normal.h"
#include "study/definite_energy.h"
#include "study/even_spectrum.h"

#include <string.h>

enum { LONGEST_ENTRY = 3000 }; // expr_weight() of an entry that is still written

// --- names of --split ----------------------------------------------------------------------------

// A parameter, a velocity or a quasi-velocity
static expr find_symbol(const model *m, const char *name) {
    const parameter *q = listed_names_parameter(m, name);
    if (q) return q->symbol;
    const expr x = listed_names_state(m, name);
    for (uint32_t i = 0; i < m->coordinates_count; i++)
        if (x == m->coordinates[i]) return EXPR_NONE;
    return x;
}

static hamel_status read_split(linear_job *j, const char *names) {
    const model *m = j->steady.m;
    expr *symbol = arena_array(&m->ctx->arena, expr, strlen(names) + 1);
    for (const char *name; (name = listed_names_next(&m->ctx->arena, &names));) {
        if (!*name) continue;
        const expr e = find_symbol(m, name);
        if (e == EXPR_NONE) {
            diag_error(m->ctx, (span){0}, "name parameters and velocities, such as \"x', g\"",
                       "--split: `%s` is neither a parameter nor a velocity", name);
            return HAMEL_USAGE;
        }
        symbol[j->split_count++] = e;
    }
    j->split_symbol = symbol;
    if (j->split_count) return HAMEL_OK;
    diag_error(j->steady.m->ctx, (span){0}, "name parameters and velocities, such as \"x', g\"",
               "--split names nothing");
    return HAMEL_USAGE;
}

// --- the closed form -----------------------------------------------------------------------------

static bool simplify(const linear_job *j, grid g) {
    const normal_budget budget = normal_budget_default();
    pool *p = j->steady.s->pool;
    for (uint32_t i = 0; i < g.rows * g.columns; i++) {
        if (!expr_is_heavier(p, g.at[i], LONGEST_ENTRY))
            g.at[i] = normal_simplify(p, g.at[i], &budget);
        if (expr_is_heavier(p, g.at[i], LONGEST_ENTRY)) return false;
    }
    return true;
}

// sum_k c_k s^k, factored
static void write_polynomial(linear_job *j) {
    const exact_linear *e = &j->exact;
    const normal_budget budget = normal_budget_default();
    pool *p = j->steady.s->pool;
    j->polynomial = EXPR_NONE;
    if (!e->coefficients) return;
    const expr s = expr_symbol(p, "s", ROLE_LOCAL);
    expr sum = EXPR_ZERO, power = EXPR_ONE;
    for (uint32_t i = 0; i <= e->reduced.rows; i++) {
        if (expr_is_heavier(p, e->coefficients[i], LONGEST_ENTRY)) return;
        sum = expr_add_product(p, sum, normal_simplify(p, e->coefficients[i], &budget), power);
        power = expr_mul(p, power, s);
    }
    j->polynomial = normal_factored(p, sum, EXPR_NONE, &budget);
}

static hamel_status refuse_closed_form(const linear_job *j, const char *why) {
    diag_error(j->steady.m->ctx, (span){0}, "without it the matrices are given in numbers",
               "%s: %s", j->symbolic ? "--symbolic" : "--split", why);
    return HAMEL_MODEL;
}

static hamel_status close_form(linear_job *j) {
    exact_linear *e = &j->exact;
    *e = exact_linear_create(j->steady.problem, &j->steady.motion, j->o, j->steady.stated,
                             &j->linear, &j->response, &j->second, j->split_count, j->split_symbol);
    if (e->refusal) return refuse_closed_form(j, e->refusal);
    if (j->split_count) {
        j->split = split_create(e, j->steady.m, j->split_count, j->split_symbol);
        if (j->split.refusal) return refuse_closed_form(j, j->split.refusal);
    }
    if (!j->symbolic) return HAMEL_OK;
    bool shown = simplify(j, e->a) && simplify(j, e->b);
    if (e->has_second)
        shown = shown && simplify(j, e->m) && simplify(j, e->c) && simplify(j, e->k) &&
                simplify(j, e->f);
    for (uint32_t i = 0; i < j->split.terms_count && shown; i++)
        for (int k = 0; k < SPLIT_MATRICES; k++)
            if (j->split.terms[i].has[k]) shown = shown && simplify(j, j->split.terms[i].part[k]);
    if (!shown)
        return refuse_closed_form(
            j, "an entry is too long to be written; --split gives its parts in numbers");
    write_polynomial(j);
    j->has_conditions = e->coefficients && !e->at.stated && e->reduced.rows;
    if (j->has_conditions)
        j->conditions = exact_stability_create(j->steady.m, e->reduced.rows, e->coefficients,
                                               exact_linear_is_even(e, j->steady.s->pool));
    return context_status(j->steady.m->ctx);
}

// All eigenvalues that are not settled may lie on the imaginary axis: they do where the
// characteristic polynomial is even, by the structure of the system or as an expression.
static void settle_on_axis(linear_job *j) {
    if (j->linear.stable != STABLE_UNDECIDED || !j->linear.enclosed || !j->linear.count) return;
    if (!j->exact.coefficients)
        j->exact = exact_linear_create(j->steady.problem, &j->steady.motion, j->o, j->steady.stated,
                                       &j->linear, &j->response, &j->second, 0, NULL);
    bool even = exact_linear_is_even(&j->exact, j->steady.s->pool);
    if (!even && j->linear.count % 2 == 0)
        even = even_spectrum_at(j->steady.problem, &j->steady.motion, j->o, &j->steady.guess);
    if (even) modes_settle_on_axis(&j->linear);
    if (j->linear.stable != STABLE_UNDECIDED ||
        !definite_energy_at(&j->steady.motion, &j->linear, &j->second))
        return;
    for (uint32_t i = 0; i < j->linear.count; i++) arb_zero(acb_realref(j->linear.eigenvalue + i));
    j->linear.stable = STABLE_MARGINAL;
}

// --- the job -------------------------------------------------------------------------------------

// First-order form of the system in z = (q, eta), which linearisation needs
static hamel_status first_order(const mechanics *s, equations **eq, const ode **o) {
    *eq = NULL;
    hamel_status status = api_derive(formalism_find("maggi"), s, eq);
    if (status) return status;
    *o = ode_create(*eq);
    status = context_status(s->model->ctx);
    if (!status && (*o)->is_undetermined) status = linear_refuse_singular(*eq);
    if (!status && ((*o)->size != s->n + s->m || !(*eq)->explicit_velocities)) {
        diag_error(s->model->ctx, (span){0}, NULL,
                   "the velocities are not found in closed form: nothing is linearised here");
        status = HAMEL_MODEL;
    }
    return status;
}

hamel_status steady_job_ode(const steady_job *j, equations **eq, const ode **o) {
    return first_order(j->s, eq, o);
}

static hamel_status find_matrices(linear_job *j) {
    const mechanics *s = mechanics_with_open_inputs(j->steady.stated);
    equations_free(j->eq);
    const hamel_status status = first_order(s, &j->eq, &j->o);
    if (status) return status;
    response_inputs(&j->steady.motion, j->steady.stated);
    linearisation_clear(&j->linear);
    linearisation_create(j->steady.problem, &j->steady.motion, j->o, &j->linear);
    return HAMEL_OK;
}

static hamel_status run(linear_job *j) {
    hamel_status status = find_matrices(j);
    if (!status && !j->linear.eigenvalue) { // pivots chosen where the search began may vanish here
        status = steady_job_choose_velocities(&j->steady, true);
        if (!status) status = find_matrices(j);
    }
    if (status) return status;
    const ode *o = j->o;
    if (!j->linear.eigenvalue || j->steady.motion.kink) {
        diag_error(j->steady.m->ctx, (span){0}, "try another state",
                   "the rates have no derivatives at this steady motion%s",
                   j->steady.motion.kink ? ": a function jumps or bends there" : "");
        return HAMEL_NUMERICS;
    }
    response_create(&j->linear, &j->steady.motion, o, j->steady.stated, &j->response);
    second_order_create(&j->linear, &j->response, &j->steady.motion, j->eq, &j->second);
    if (j->symbolic || j->split_count) status = close_form(j);
    if (!status) settle_on_axis(j);
    modes_create(&j->linear, j->steady.motion.x.precision, &j->modes);
    j->has_modes = true;
    return status ? status : context_status(j->steady.m->ctx);
}

static void close(linear_job *j) {
    if (j->has_modes) modes_clear(&j->modes);
    split_free(&j->split);
    second_order_clear(&j->second);
    response_clear(&j->response);
    linearisation_clear(&j->linear);
    equations_free(j->eq);
    steady_job_close(&j->steady);
}

static hamel_status linearise(hamel_model *m, const char *at, const char *split, unsigned flags,
                              hamel_format format, char **result) {
    const struct format *as = api_find_format(m->ctx, format, WRITES_MATRICES);
    if (!as) return HAMEL_USAGE;
    linear_job j = {.symbolic = (flags & HAMEL_LINEARISE_SYMBOLIC) != 0, .polynomial = EXPR_NONE};
    hamel_status status = steady_job_run(m, at, &j.steady);
    if (!status && split) status = read_split(&j, split);
    if (!status) status = run(&j);
    if (!status && as->result) {
        status =
            api_finish_result(as, &(printable){&j, linear_job_words, linear_job_data, m}, result);
    } else if (!status) {
        text out = {0};
        const sheet s = linear_job_sheet(&j);
        as->matrices(&s, &out);
        status = api_finish_text(&out, result);
    }
    close(&j);
    return status;
}

hamel_status hamel_model_linearise(hamel_model *m, const char *at, const char *split,
                                   unsigned flags, hamel_format format, char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, linearise(m, at, split, flags, format, result), "linearising `%s`",
             m->name);
}
