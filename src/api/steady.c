// Steady motions: which are asked for, and the search for them.
#include "api/steady_job.h"

#include "model/inputs.h"
#include "model/contact_modes.h"

#include <math.h>
#include <string.h>

enum { BITS = 192 };

// --- what is asked for ---------------------------------------------------------------------------

typedef struct {
    steady_job *j;
    uint32_t ranges;
    steady_range *range;
} request;

static hamel_status refuse(const model *m, const char *help, const char *words) {
    diag_error(m->ctx, (span){0}, help, "%s", words);
    return HAMEL_USAGE;
}

// --solve: parameters. How others were computed from one of them is not undone.
static hamel_status read_solved(request *r, const char *list) {
    const model *m = r->j->m;
    arena *a = &m->ctx->arena;
    const char *rest = list ? list : "", *item;
    expr *solved = arena_array(a, expr, strlen(rest) + 1);
    while ((item = listed_names_next(a, &rest)) && (*item || rest)) { // a comma may end the list
        const parameter *q = listed_names_parameter(m, item);
        if (!q)
            return refuse(m, "name parameters of the model, such as --solve \"m, k\"",
                          arena_format(a, "`%s` in --solve is no parameter of the model", item));
        if (q->decided)
            return refuse(m, NULL,
                          arena_format(a,
                                       "`%s` cannot be solved for: what the constraints say was "
                                       "decided by its value",
                                       item));
        bool again = false;
        for (uint32_t i = 0; i < r->j->solved_count; i++) again = again || solved[i] == q->symbol;
        if (!again) solved[r->j->solved_count++] = q->symbol;
    }
    r->j->solved = solved;
    return HAMEL_OK;
}

// The unknown of this name: a coordinate, a velocity, a quasi-velocity, a parameter of --solve
static expr find_unknown(const request *r, const char *name) {
    const mechanics *s = r->j->s;
    for (uint32_t i = 0; i < 2 * s->n + s->m + r->j->solved_count; i++) {
        const expr e = i < s->n              ? s->q[i]
                       : i < 2 * s->n        ? s->qd[i - s->n]
                       : i < 2 * s->n + s->m ? s->eta[i - 2 * s->n]
                                             : r->j->solved[i - 2 * s->n - s->m];
        if (listed_names_match(name, expr_symbol_text(s->pool, e))) return e;
    }
    return EXPR_NONE;
}

// A constant expression of the language, rounded down or up
static hamel_status read_bound(const request *r, const char *words, bool up, double *out) {
    completion_request read = {0};
    model *m = r->j->m;
    const hamel_status status =
        api_read_values(m, "--box", arena_format(&m->ctx->arena, "t = %s", words), &read);
    if (status || read.at_count != 1) return status ? status : HAMEL_USAGE;
    state x;
    state_init(&x, m, BITS);
    program *prog = program_create(m->pool, 1, &read.at[0].value);
    arb_t v;
    arb_init(v);
    for (uint32_t i = 0; i < m->parameters_count; i++) { // of which a bound may be made
        const parameter *q = &m->parameters[i];
        if (q->value == EXPR_NONE) continue;
        program *value = program_create(m->pool, 1, &q->value);
        program_run_arb(value, x.value, BITS, v);
        program_free(value);
        state_set(&x, q->symbol, v);
    }
    program_run_arb(prog, x.value, BITS, v);
    arf_t a;
    arf_init(a);
    if (up) arb_get_ubound_arf(a, v, BITS);
    else arb_get_lbound_arf(a, v, BITS);
    *out = arf_get_d(a, up ? ARF_RND_CEIL : ARF_RND_FLOOR);
    arf_clear(a), arb_clear(v);
    program_free(prog);
    state_clear(&x);
    return HAMEL_OK;
}

static hamel_status read_range(request *r, char *item) {
    const model *m = r->j->m;
    arena *a = &m->ctx->arena;
    static const char HOW[] = "write ranges as \"theta = -1.5 .. 1.5, psi' = 0 .. 3\"";
    char *equals = strchr(item, '='), *dots = equals ? strstr(equals, "..") : NULL;
    if (!dots) return refuse(m, HOW, arena_format(a, "`%s` in --box is no range", item));
    *equals = 0, *dots = 0;
    size_t length = strlen(item);
    while (length && item[length - 1] == ' ') item[--length] = 0;
    steady_range range = {.symbol = find_unknown(r, item)};
    if (range.symbol == EXPR_NONE)
        return refuse(m,
                      "ranges are for coordinates, velocities, quasi-velocities, and parameters "
                      "that --solve names",
                      arena_format(a, "`%s` in --box is not known", item));
    for (uint32_t i = 0; i < r->ranges; i++)
        if (r->range[i].symbol == range.symbol)
            return refuse(m, NULL, arena_format(a, "`%s` has two ranges in --box", item));
    for (uint32_t i = 0; i < r->j->guess.at_count; i++)
        if (r->j->guess.at[i].symbol == range.symbol)
            return refuse(m, "leave one of them out",
                          arena_format(a, "`%s` has a value in --at and a range in --box", item));
    hamel_status status = read_bound(r, equals + 1, false, &range.low);
    if (!status) status = read_bound(r, dots + 2, true, &range.high);
    if (status) return status;
    if (!isfinite(range.low) || !isfinite(range.high) || fabs(range.low) > 1e100 ||
        fabs(range.high) > 1e100)
        return refuse(m, "give finite bounds, below 1e100",
                      arena_format(a, "the range of `%s` in --box is not finite", item));
    if (!(range.low < range.high))
        return refuse(m, "the smaller number stands first; a single value belongs into --at",
                      arena_format(a, "the range of `%s` in --box is empty", item));
    r->range[r->ranges++] = range;
    return HAMEL_OK;
}

static hamel_status read_box(request *r, const char *words) {
    const model *m = r->j->m;
    const char *rest = words, *item;
    r->range = arena_array(&m->ctx->arena, steady_range, strlen(words) + 1);
    hamel_status status = HAMEL_OK;
    while (!status && (item = listed_names_next(&m->ctx->arena, &rest)) && (*item || rest))
        status = read_range(r, (char *)item);
    if (!status && !r->ranges) status = refuse(m, "give at least one range", "--box is empty");
    return status;
}

// --- the job -------------------------------------------------------------------------------------

// Numbers need a value for each parameter in the equations; formulas do not.
static hamel_status need_values(const steady_job *j) {
    for (uint32_t i = 0; i < j->m->parameters_count && !j->asks_closed; i++) {
        const parameter *q = &j->m->parameters[i];
        bool solved = false;
        for (uint32_t k = 0; k < j->solved_count; k++) solved = solved || j->solved[k] == q->symbol;
        if (solved || q->value != EXPR_NONE || !steady_problem_holds(j->problem, q->symbol))
            continue;
        model_report_no_value(j->m, q->symbol);
        return HAMEL_MODEL;
    }
    return HAMEL_OK;
}

static hamel_status search(request *r, const state *from) {
    steady_job *j = r->j;
    j->problem = steady_problem_create(j->s, &j->group, j->solved_count, j->solved);
    const hamel_status status = need_values(j);
    if (status) return status;
    for (uint32_t i = 0; i < j->solved_count; i++)
        if (!steady_problem_holds(j->problem, j->solved[i]))
            return refuse(
                j->m, "values that the model computes from it when it is read do not follow it",
                arena_format(&j->m->ctx->arena, "`%s` in %s stands in no equation of steady motion",
                             expr_symbol_name(j->s->pool, j->solved[i]),
                             i < j->solved_count - j->trim_count ? "--solve" : "--trim"));
    if (j->asks_closed) j->closed = steady_closed_forms(j->problem);
    else if (j->in_box)
        steady_box_search(j->problem, &r->j->guess, from, r->ranges, r->range, &j->all);
    else steady_motion_find(j->problem, &r->j->guess, from, &j->motion);
    return HAMEL_OK;
}

static hamel_status find(request *r) {
    steady_job *j = r->j;
    state from;
    dependent_constraint *idle =
        arena_array(&j->m->ctx->arena, dependent_constraint, j->m->constraints_count);
    uint32_t count = 0;
    state_init(&from, j->m, BITS);
    hamel_status status = state_complete(&from, &r->j->guess, idle, &count);
    dependent_constraint_clear(count, idle);
    if (!status) {
        steady_job_start_trim(j, &from);
        status = search(r, &from);
    }
    if (!status) status = steady_job_check_trim(j, &from);
    state_clear(&from);
    return status;
}

// Everything that `asked` says; that there is no motion near the state is no error yet.
static hamel_status look(model *m, const hamel_steady *asked, steady_job *j) {
    *j = (steady_job){.m = m,
                      .guess = {.mode = COMPLETE_STRICT, .zero_defaults = true},
                      .in_box = asked->box != NULL,
                      .asks_closed = asked->closed != 0};
    request r = {.j = j};
    if (asked->closed && asked->box)
        return refuse(m, "ask for one of them", "formulas are not for a box: --closed and --box");
    mechanics *s = NULL;
    hamel_status status = api_read_state(m, asked->at, &j->guess);
    if (!status) status = mechanics_create(m, &j->guess, &s);
    if (status) return status;
    j->stated = s;
    status = read_solved(&r, asked->solve);
    if (!status) status = steady_job_read_trim(j, asked->trim);
    if (status) return status;
    const char *refusal = steady_refusal(j->s);
    if (refusal) {
        diag_error(m->ctx, (span){0}, NULL, "there is no steady motion to look for: %s", refusal);
        return HAMEL_MODEL;
    }
    if (asked->box) status = read_box(&r, asked->box);
    if (status) return status;
    j->group = symmetries_of(j->s);
    return find(&r);
}

hamel_status steady_job_look(model *m, const char *at, steady_job *j) {
    const hamel_status status = look(m, &(hamel_steady){.at = at}, j);
    if (j->motion.kink) j->motion.found = false; // nothing is linear there
    return status ? status : steady_job_choose_velocities(j, false);
}

static hamel_status run_asked(model *m, const hamel_steady *asked, steady_job *j) {
    hamel_status status = API_KNOWS(m->ctx, asked);
    if (!status) status = look(m, asked, j);
    if (status || j->in_box || j->asks_closed || j->motion.found) return status;
    diag_error(m->ctx, (span){0},
               model_modes_help(m, "give another guess with --at, or ranges with --box"),
               "no steady motion was found near this state");
    return HAMEL_NUMERICS;
}

hamel_status steady_job_run(model *m, const char *at, steady_job *j) {
    const hamel_status status = run_asked(m, &(hamel_steady){.at = at}, j);
    return status ? status : steady_job_choose_velocities(j, false);
}

void steady_job_close(steady_job *j) {
    if (j->motion.s) steady_motion_clear(&j->motion);
    steady_motions_clear(&j->all);
}

static hamel_status steady(hamel_model *m, const hamel_steady *asked, hamel_format format,
                           char **result) {
    const struct format *as = api_find_format(m->ctx, format, WRITES_RESULT);
    if (!as) return HAMEL_USAGE;
    steady_job j = {0};
    hamel_status status = run_asked(m, asked ? asked : &(hamel_steady){0}, &j);
    if (!status)
        status = api_finish_result(
            as, &(printable){&j, steady_job_write_text, steady_job_write_json, m}, result);
    steady_job_close(&j);
    return status;
}

hamel_status hamel_model_steady(hamel_model *m, const hamel_steady *asked, hamel_format format,
                                char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, steady(m, asked, format, result), "steady motions of `%s`", m->name);
}
