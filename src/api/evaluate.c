// Accelerations, multipliers, reactions, energy and residuals at a state, to as
// many digits as were asked for.
#include "api/evaluation_job.h"

#include "derive/reactive.h"
#include "model/inputs.h"

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

// What an input is at the state: as stated, or as held there
static const char *input_value(evaluation_job *j, uint32_t i) {
    const model *m = j->eq->system->model;
    expr u = m->givens[i].symbol;
    arb_t value;
    arb_init(value);
    model_concrete(m, false, 1, &u, &u);
    program *prog = program_create(m->pool, 1, &u);
    state_reserve(&j->x);
    program_run_arb(prog, j->x.value, j->x.precision, value);
    program_free(prog);
    const char *shown = evaluation_job_number(j, value);
    arb_clear(value);
    return shown;
}

static bool has_inputs(const model *m) {
    for (uint32_t i = 0; i < m->givens_count; i++)
        if (m->givens[i].is_input) return true;
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
    if (has_inputs(s->model)) {
        json_open(out, "input", '{');
        for (uint32_t i = 0; i < s->model->givens_count; i++)
            if (s->model->givens[i].is_input)
                json_string(out, symbol_name(j, s->model->givens[i].symbol), input_value(j, i));
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

static void write_row(text *out, const char *name, const char *value, const char *unit) {
    text_format(out, unit ? "  %-20s %s [%s]\n" : "  %-20s %s\n", name, value, unit);
}

// A symbol and its value, with its unit
static void write_symbol(text *out, const evaluation_job *j, expr symbol, arb_srcptr v) {
    write_row(out, symbol_name(j, symbol), evaluation_job_number(j, v),
              model_unit(j->eq->system->model, symbol));
}

// Forces: energy over the coordinate
static const char *reaction_unit(const model *m, expr coordinate) {
    const dimension energy = dimension_make(2, 1, -2);
    const uint32_t i = expr_symbol_index(m->pool, coordinate);
    if (i >= m->dimensions_count || !m->dimensions[i].known) return NULL;
    dimension d = energy;
    if (dimension_is_none(&m->dimensions[i].dimension)) return "N*m";
    return dimension_multiply(&d, &m->dimensions[i].dimension, -DIMENSION_WHOLE)
               ? dimension_unit(&m->ctx->arena, &d)
               : NULL;
}

static void write_multipliers(evaluation_job *j, text *out) {
    const mechanics *s = j->eq->system;
    const model *m = s->model;
    const uint32_t k = j->e.k;
    text_append(out, "multipliers\n");
    for (uint32_t i = 0; i < k; i++)
        write_row(out, symbol_name(j, s->multiplier[i]),
                  evaluation_job_number(j, j->e.multiplier + i),
                  equations_multiplier_is_state(j->eq, i) ? NULL : model_unit(m, s->multiplier[i]));
    for (uint32_t i = 0; i < k; i++)
        if (equations_multiplier_is_state(j->eq, i))
            write_row(out, symbol_name(j, expr_symbol_derivative(s->pool, s->multiplier[i])),
                      evaluation_job_number(j, j->e.multiplier_rate + i), NULL);
    text_append(out, "reactions\n");
    for (uint32_t i = 0; i < s->n; i++)
        write_row(out, coordinate(j, i), evaluation_job_number(j, j->e.reaction + i),
                  reaction_unit(m, s->q[i]));
}

static void write_text(const void *of, text *out) {
    evaluation_job *j = *(evaluation_job *const *)of;
    const mechanics *s = j->eq->system;
    const model *m = s->model;
    text_format(out, "%s (%s), %u digits\nstate\n", formalism_find(j->eq->form)->name, j->eq->form,
                j->digits);
    write_symbol(out, j, m->time, state_get(&j->x, m->time));
    for (uint32_t i = 0; i < s->n; i++) write_symbol(out, j, s->q[i], state_get(&j->x, s->q[i]));
    for (uint32_t i = 0; i < s->n; i++) write_symbol(out, j, s->qd[i], state_get(&j->x, s->qd[i]));
    for (uint32_t i = 0; i < s->m && s->has_quasi; i++)
        write_symbol(out, j, s->eta[i], j->e.eta + i);
    if (has_inputs(m)) text_append(out, "inputs\n");
    for (uint32_t i = 0; i < m->givens_count; i++)
        if (m->givens[i].is_input)
            write_row(out, symbol_name(j, m->givens[i].symbol), input_value(j, i),
                      model_unit(m, m->givens[i].symbol));
    text_append(out, "accelerations\n");
    for (uint32_t i = 0; i < s->n; i++) write_symbol(out, j, s->qdd[i], j->e.acceleration + i);
    for (uint32_t i = 0; i < s->m && s->has_quasi; i++)
        write_symbol(out, j, expr_symbol_derivative(s->pool, s->eta[i]), j->e.eta_rate + i);
    const uint32_t k = j->e.k;
    if (k) write_multipliers(j, out);
    text_append(out, "energy\n");
    write_row(out, "h", evaluation_job_number(j, j->e.energy), m->dimensions ? "J" : NULL);
    if (k) text_append(out, "residuals of the constraints\n");
    for (uint32_t i = 0; i < k; i++)
        write_row(out, constraint_name(j, i), evaluation_job_number(j, j->e.residual + i),
                  m->constraints[s->constraint[i]].unit);
}

// --- the public call -----------------------------------------------------------------------------

hamel_status api_read_state(model *m, const char *at, completion_request *out) {
    return api_read_values(m, "--at", at, out);
}

// Values of inputs apart from those of the state
static hamel_status take_inputs(model *m, uint32_t count, assignment *items,
                                completion_request *out) {
    assignment *held = arena_array(&m->ctx->arena, assignment, count);
    out->at = items, out->held = held;
    for (uint32_t i = 0; i < count; i++) {
        if (expr_as_symbol(m->pool, items[i].symbol)->role != ROLE_GIVEN) {
            items[out->at_count++] = items[i];
            continue;
        }
        held[out->held_count++] = items[i];
        if (out->holds_inputs) continue;
        diag_error(m->ctx, items[i].at,
                   "`input u = E` in the model says what it is; `eval --at` holds inputs at values",
                   "`%s` is an input, which is no part of the state",
                   expr_symbol_name(m->pool, items[i].symbol));
    }
    return context_status(m->ctx);
}

hamel_status api_read_values(model *m, const char *option, const char *at,
                             completion_request *out) {
    if (!at || !*at) return HAMEL_OK;
    source *text = arena_new(&m->ctx->arena, source);
    *text = (source){
        .name = option, .bytes = arena_copy(&m->ctx->arena, at, strlen(at)), .length = strlen(at)};
    assignment *items;
    uint32_t count;
    const hamel_status status = parse_assignments(m, text, &items, &count);
    return status ? status : take_inputs(m, count, items, out);
}

hamel_status api_check_digits(context *ctx, unsigned digits) {
    if (digits >= 1 && digits <= MOST_DIGITS) return HAMEL_OK;
    diag_error(ctx, (span){0}, NULL, "the number of digits must be from 1 to %d", MOST_DIGITS);
    return HAMEL_USAGE;
}

hamel_status evaluation_job_prepare(model *m, const char *form, const char *at, unsigned digits,
                                    const formalism **f, evaluation_job *out) {
    *out = (evaluation_job){
        .digits = digits,
        .where = {.mode = COMPLETE_STRICT, .zero_defaults = true, .holds_inputs = true}};
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
    const inputs_taken stated = model_hold_inputs(m, j.where.held_count, j.where.held);
    if (!status) status = evaluation_job_run(m, f, &j);
    if (!status)
        api_finish_result(as, &(printable){&(evaluation_job *){&j}, write_text, write_json, m},
                          result);
    evaluation_job_close(&j);
    model_return_inputs(m, &stated);
    return status;
}

hamel_status hamel_model_evaluate(hamel_model *m, const char *form, const char *at, unsigned digits,
                                  hamel_format format, char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, evaluate(m, form, at, digits, format, result),
             "evaluating `%s` at a state", m->name);
}
