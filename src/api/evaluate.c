// Accelerations, multipliers, reactions, energy and residuals at a state, to as
// many digits as were asked for.
#include "api/evaluation_job.h"

#include "derive/reactive.h"

#include <string.h>

enum { GUARD_BITS = 64, MOST_DIGITS = 100000, MOST_DOUBLINGS = 6 };

// Is the number known to `digits` digits? A ball around 0 must be as small as a
// number of that many digits next to 1.
bool api_is_accurate(arb_srcptr v, unsigned digits) {
    const slong bits = (slong)(digits * 3.3219280948873623) + 4;
    if (!arb_is_finite(v)) return false;
    if (arb_rel_accuracy_bits(v) >= bits) return true;
    return arb_contains_zero(v) && mag_cmp_2exp_si(arb_radref(v), -bits - 16) <= 0;
}

static bool accurate(arb_srcptr v, uint32_t count, unsigned digits) {
    for (uint32_t i = 0; i < count; i++)
        if (!api_is_accurate(v + i, digits)) return false;
    return true;
}

static bool job_is_accurate(const evaluation_job *j) {
    const evaluation *e = &j->e;
    return accurate(e->acceleration, e->n, j->digits) && accurate(e->eta_rate, e->m, j->digits) &&
           accurate(e->multiplier, e->k, j->digits) &&
           accurate(e->multiplier_rate, e->k, j->digits) &&
           accurate(e->reaction, e->n, j->digits) && accurate(e->energy, 1, j->digits);
}

static hamel_status report(evaluation_job *j, evaluate_status status, expr missing) {
    const model *m = j->eq->system->model;
    reactive_trouble trouble;
    switch (status) {
    case EVALUATE_NO_VALUE: model_report_no_value(m, missing); return HAMEL_MODEL;
    case EVALUATE_SINGULAR:
        trouble = reactive_diagnose(j->eq->system, &j->x);
        if (trouble.what) diag_error(m->ctx, (span){0}, trouble.help, "%s", trouble.what);
        if (trouble.what) return HAMEL_NUMERICS;
        diag_error(m->ctx, (span){0}, "try another state; `hamel check` looks at the initial one",
                   "the equations cannot be solved for the accelerations at this state: their "
                   "matrix is singular");
        return HAMEL_NUMERICS;
    case EVALUATE_OUTSIDE_DOMAIN:
        diag_error(m->ctx, (span){0}, NULL,
                   "this state lies outside the domain of the equations (a root of a negative "
                   "number, a division by 0)");
        return HAMEL_NUMERICS;
    default: return HAMEL_OK;
    }
}

// Evaluate with more and more bits until every number is known well enough.
static hamel_status run(evaluation_job *j) {
    model *m = (model *)j->eq->system->model;
    dependent_constraint *idle =
        arena_array(&m->ctx->arena, dependent_constraint, m->constraints_count);
    slong bits = model_bits(m, (slong)(j->digits * 3.3219280948873623) + GUARD_BITS);
    for (int doubling = 0;; doubling++, bits *= 2) {
        uint32_t count = 0;
        expr missing = EXPR_NONE;
        state_init(&j->x, m, bits);
        hamel_status status = state_complete(&j->x, &j->where, idle, &count);
        for (uint32_t i = 0; i < count; i++) arb_clear(idle[i].residual);
        if (status) return status;
        const evaluate_status found = equations_evaluate(j->eq, &j->x, &j->e, &missing);
        if (found == EVALUATE_NO_VALUE) return report(j, found, missing);
        if (found == EVALUATE_OK && job_is_accurate(j)) return HAMEL_OK;
        if (doubling == MOST_DOUBLINGS || (found != EVALUATE_OK && doubling == 2))
            return found ? report(j, found, missing) : HAMEL_OK;
        evaluation_clear(&j->e);
        state_clear(&j->x);
    }
}

// --- output --------------------------------------------------------------------------------------

const char *api_number(context *ctx, unsigned digits, arb_srcptr v) {
    if (arb_contains_zero(v)) return "0";
    char *s = arb_get_str(v, digits, ARB_STR_NO_RADIUS);
    const char *copy = arena_copy(&ctx->arena, s, strlen(s));
    flint_free(s);
    return copy;
}

const char *evaluation_job_number(const evaluation_job *j, arb_srcptr v) {
    return api_number(j->eq->system->model->ctx, j->digits, v);
}

static const char *symbol_name(const evaluation_job *j, expr e) {
    return expr_symbol_text(j->eq->system->pool, e);
}

static const char *coordinate(const evaluation_job *j, uint32_t i) {
    return expr_symbol_name(j->eq->system->pool, j->eq->system->q[i]);
}

static const char *constraint_name(const evaluation_job *j, uint32_t i) {
    return j->eq->system->model->constraints[j->eq->system->constraint[i]].name;
}

static bool has_state_multipliers(const evaluation_job *j) {
    for (uint32_t i = 0; i < j->e.k; i++)
        if (equations_multiplier_is_state(j->eq, i)) return true;
    return false;
}

static void write_json(const void *of, json *out) {
    evaluation_job *j = *(evaluation_job *const *)of; // reading a state may make room in it
    const mechanics *s = j->eq->system;
    json_open(out, NULL, '{');
    json_string(out, "form", j->eq->form);
    json_string(out, "t", evaluation_job_number(j, state_get(&j->x, s->model->time)));
    const struct {
        const char *key;
        const expr *symbol;
    } states[] = {{"q", s->q}, {"qd", s->qd}};
    for (int g = 0; g < 2; g++) {
        json_open(out, states[g].key, '{');
        for (uint32_t i = 0; i < s->n; i++)
            json_string(out, coordinate(j, i),
                        evaluation_job_number(j, state_get(&j->x, states[g].symbol[i])));
        json_close(out, '}');
    }
    json_open(out, "qdd", '{');
    for (uint32_t i = 0; i < s->n; i++)
        json_string(out, coordinate(j, i), evaluation_job_number(j, j->e.acceleration + i));
    json_close(out, '}');
    json_open(out, "eta", '{');
    for (uint32_t i = 0; i < s->m; i++)
        json_string(out, symbol_name(j, s->eta[i]), evaluation_job_number(j, j->e.eta + i));
    json_close(out, '}');
    json_open(out, "etad", '{');
    for (uint32_t i = 0; i < s->m; i++)
        json_string(out, symbol_name(j, s->eta[i]), evaluation_job_number(j, j->e.eta_rate + i));
    json_close(out, '}');
    json_open(out, "lambda", '{');
    for (uint32_t i = 0; i < j->e.k; i++)
        json_string(out, constraint_name(j, i), evaluation_job_number(j, j->e.multiplier + i));
    json_close(out, '}');
    if (has_state_multipliers(j)) {
        json_open(out, "lambdad", '{');
        for (uint32_t i = 0; i < j->e.k; i++)
            if (equations_multiplier_is_state(j->eq, i))
                json_string(out, constraint_name(j, i),
                            evaluation_job_number(j, j->e.multiplier_rate + i));
        json_close(out, '}');
    }
    json_open(out, "reaction", '{');
    for (uint32_t i = 0; i < s->n; i++)
        json_string(out, coordinate(j, i), evaluation_job_number(j, j->e.reaction + i));
    json_close(out, '}');
    json_string(out, "energy", evaluation_job_number(j, j->e.energy));
    json_open(out, "residual", '{');
    for (uint32_t i = 0; i < j->e.k; i++)
        json_string(out, constraint_name(j, i), evaluation_job_number(j, j->e.residual + i));
    json_close(out, '}');
    json_close(out, '}');
}

static void write_row(text *out, const char *name, const char *value) {
    text_format(out, "  %-20s %s\n", name, value);
}

static void write_text(const void *of, text *out) {
    evaluation_job *j = *(evaluation_job *const *)of;
    const mechanics *s = j->eq->system;
    text_format(out, "%s (%s), %u digits\nstate\n", formalism_find(j->eq->form)->name, j->eq->form,
                j->digits);
    write_row(out, "t", evaluation_job_number(j, state_get(&j->x, s->model->time)));
    for (uint32_t i = 0; i < s->n; i++)
        write_row(out, symbol_name(j, s->q[i]),
                  evaluation_job_number(j, state_get(&j->x, s->q[i])));
    for (uint32_t i = 0; i < s->n; i++)
        write_row(out, symbol_name(j, s->qd[i]),
                  evaluation_job_number(j, state_get(&j->x, s->qd[i])));
    for (uint32_t i = 0; i < s->m && s->has_quasi; i++)
        write_row(out, symbol_name(j, s->eta[i]), evaluation_job_number(j, j->e.eta + i));
    text_append(out, "accelerations\n");
    for (uint32_t i = 0; i < s->n; i++)
        write_row(out, symbol_name(j, s->qdd[i]), evaluation_job_number(j, j->e.acceleration + i));
    for (uint32_t i = 0; i < s->m && s->has_quasi; i++)
        write_row(out, symbol_name(j, expr_symbol_derivative(s->pool, s->eta[i])),
                  evaluation_job_number(j, j->e.eta_rate + i));
    const uint32_t k = j->e.k;
    if (k) text_append(out, "multipliers\n");
    for (uint32_t i = 0; i < k; i++)
        write_row(out, symbol_name(j, s->multiplier[i]),
                  evaluation_job_number(j, j->e.multiplier + i));
    for (uint32_t i = 0; i < k; i++)
        if (equations_multiplier_is_state(j->eq, i))
            write_row(out, symbol_name(j, expr_symbol_derivative(s->pool, s->multiplier[i])),
                      evaluation_job_number(j, j->e.multiplier_rate + i));
    if (k) text_append(out, "reactions\n");
    for (uint32_t i = 0; i < s->n && k; i++)
        write_row(out, coordinate(j, i), evaluation_job_number(j, j->e.reaction + i));
    text_append(out, "energy\n");
    write_row(out, "h", evaluation_job_number(j, j->e.energy));
    if (k) text_append(out, "residuals of the constraints\n");
    for (uint32_t i = 0; i < k; i++)
        write_row(out, constraint_name(j, i), evaluation_job_number(j, j->e.residual + i));
}

// --- the public call -----------------------------------------------------------------------------

hamel_status api_read_state(model *m, const char *at, completion_request *out) {
    return api_read_values(m, "--at", at, out);
}

hamel_status api_read_values(model *m, const char *option, const char *at,
                             completion_request *out) {
    if (!at || !*at) return HAMEL_OK;
    source *text = arena_new(&m->ctx->arena, source);
    *text = (source){
        .name = option, .bytes = arena_copy(&m->ctx->arena, at, strlen(at)), .length = strlen(at)};
    assignment *items;
    const hamel_status status = parse_assignments(m, text, &items, &out->at_count);
    out->at = items;
    return status;
}

hamel_status api_check_digits(context *ctx, unsigned digits) {
    if (digits >= 1 && digits <= MOST_DIGITS) return HAMEL_OK;
    diag_error(ctx, (span){0}, NULL, "the number of digits must be from 1 to %d", MOST_DIGITS);
    return HAMEL_USAGE;
}

hamel_status evaluation_job_prepare(model *m, const char *form, const char *at, unsigned digits,
                                    const formalism **f, evaluation_job *out) {
    *out = (evaluation_job){.digits = digits,
                            .where = {.mode = COMPLETE_STRICT, .zero_defaults = true}};
    *f = form ? api_find_form(m->ctx, form) : NULL; // NULL: the default, once the system is known
    if (form && !*f) return HAMEL_USAGE;
    const hamel_status status = api_check_digits(m->ctx, digits);
    return status ? status : api_read_state(m, at, &out->where);
}

hamel_status evaluation_job_run(model *m, const formalism *f, evaluation_job *j) {
    mechanics *s;
    hamel_status status = mechanics_create(m, &j->where, &s);
    if (status) return status;
    if (!f) f = formalism_default(s);
    status = api_derive(f, s, &j->eq);
    if (!status) status = run(j);
    if (!status && j->e.velocities_replaced)
        diag_note(m->ctx, (span){0}, NULL,
                  "in this form the velocities follow from the coordinates: those of the state are "
                  "not used");
    return status;
}

void evaluation_job_close(evaluation_job *j) {
    evaluation_clear(&j->e);
    state_clear(&j->x);
    equations_free(j->eq);
}

static hamel_status evaluate(hamel_model *m, const char *form, const char *at, unsigned digits,
                             hamel_format format, char **result) {
    const struct format *as = api_find_format(m->ctx, format, WRITES_RESULT);
    if (!as) return HAMEL_USAGE;
    const formalism *f;
    evaluation_job j;
    hamel_status status = evaluation_job_prepare(m, form, at, digits, &f, &j);
    if (!status) status = evaluation_job_run(m, f, &j);
    if (!status)
        api_finish_result(as, &(printable){&(evaluation_job *){&j}, write_text, write_json, m},
                          result);
    evaluation_job_close(&j);
    return status;
}

hamel_status hamel_model_evaluate(hamel_model *m, const char *form, const char *at, unsigned digits,
                                  hamel_format format, char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, evaluate(m, form, at, digits, format, result),
             "evaluating `%s` at a state", m->name);
}
