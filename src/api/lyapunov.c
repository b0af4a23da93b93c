// Lyapunov exponents: what `lyapunov` says, in words and as JSON.
#include "api/variation_job.h"
#include "base/budget.h"
#include "base/decimal.h"
#include "study/lyapunov.h"
#include "study/tangent_space.h"

typedef struct {
    variation_job v;
    variation_request columns;
    lyapunov found;
    bool autonomous;
} lyapunov_job;

static const double BARS = 3; // an exponent is told from 0 where it is so many error bars away

static uint32_t count_zeros(const lyapunov *l) {
    uint32_t zeros = 0;
    for (uint32_t i = 0; i < l->count; i++) zeros += !(fabs(l->exponent[i]) > BARS * l->error[i]);
    return zeros;
}

static void write_text(const void *of, text *out) {
    const lyapunov_job *j = of;
    const lyapunov *l = &j->found;
    text_format(out, "Lyapunov exponents from t = %.10g to %.10g, with their error bars\n", l->from,
                l->to);
    for (uint32_t i = 0; i < l->count; i++)
        text_format(out, "  %13.6e  +- %.1e%s\n", l->exponent[i], l->error[i],
                    fabs(l->exponent[i]) > BARS * l->error[i] ? "" : "  0 within it");
    text_format(out, "sum            %.6e +- %.1e\n", l->sum, l->sum_error);
    text_format(out, "dimension      %.4f of %u (Kaplan and Yorke)\n", l->dimension, l->count);
    if (l->cut)
        text_format(out, "%s at t = %.10g: a longer run makes the error bars smaller\n",
                    l->cut == RUN_LIMIT ? "the time was over" : "interrupted", l->to);
    if (j->autonomous)
        text_append(out, "one of them is 0 for every motion that is no equilibrium: that along the "
                         "motion itself\n");
}

static void write_json(const void *of, json *out) {
    const lyapunov_job *j = of;
    const lyapunov *l = &j->found;
    json_open(out, NULL, '{');
    json_open(out, "exponents", '[');
    for (uint32_t i = 0; i < l->count; i++) {
        json_open(out, NULL, '{');
        json_number(out, "value", l->exponent[i]);
        json_number(out, "error", l->error[i]);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_number(out, "sum", l->sum);
    json_number(out, "sum_error", l->sum_error);
    json_number(out, "dimension", l->dimension);
    json_integer(out, "zeros", count_zeros(l));
    json_bool(out, "autonomous", j->autonomous);
    json_number(out, "from", l->from);
    json_number(out, "to", l->to);
    if (l->cut) json_string(out, "cut", l->cut == RUN_LIMIT ? "time" : "interrupted");
    api_write_warnings(j->v.m->ctx, out);
    json_close(out, '}');
}

static hamel_status find(lyapunov_job *j) {
    variation_job *v = &j->v;
    const simulation *sim = v->run.sim;
    const uint32_t count = tangent_space_refusal(sim) ? 0 : lyapunov_count(sim);
    hamel_status status = variation_job_whole(v, &j->columns, count);
    if (status) return status;
    double *zero = arena_array(&v->m->ctx->arena, double, (size_t)sim->o->size *count + 1);
    j->autonomous = variation_job_is_autonomous(v);
    flow_start(v->flow, sim->t0, v->z0, zero);
    budget_hold(); // exponents up to where it ended are better than none
    lyapunov_find(v->flow, v->run.r.asked.end, &j->found);
    const run_status why = j->found.status;
    if (j->found.cut || why == RUN_INTERRUPTED || why == RUN_LIMIT) budget_settle();
    budget_release();
    if (!why) return HAMEL_OK;
    return variation_job_stopped(v, why), why == RUN_LIMIT ? HAMEL_LIMIT : HAMEL_NUMERICS;
}

static hamel_status exponents(hamel_model *m, const hamel_run *asked, hamel_format format,
                              char **result) {
    const struct format *as = api_find_format(m->ctx, format, WRITES_RESULT);
    if (!as) return HAMEL_USAGE;
    lyapunov_job j = {0};
    hamel_status status = variation_job_prepare(&j.v, m, asked);
    if (!status) status = find(&j);
    if (!status)
        status = api_finish_result(as, &(printable){&j, write_text, write_json, m}, result);
    variation_job_close(&j.v);
    if (status || !j.found.cut) return status;
    return j.found.cut == RUN_LIMIT ? HAMEL_LIMIT : HAMEL_NUMERICS;
}

hamel_status hamel_model_lyapunov(hamel_model *m, const hamel_run *asked, hamel_format format,
                                  char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, asked);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, exponents(m, asked, format, result),
             "finding Lyapunov exponents of `%s`", m->name);
}
