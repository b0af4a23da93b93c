// The linear motion around a steady one: what `linearise` says, in words and as JSON.
#include "api/steady_job.h"

#include "derive/formalism.h"
#include "study/linearise.h"

typedef struct {
    steady_job steady;
    linearisation linear;
} linear_job;

static const char *const VERDICT[] = {"undecided", "yes", "no", "marginal"};

static void write_json_matrix(const linear_job *j, json *out, const char *key, const arb_mat_t a) {
    json_open(out, key, '[');
    for (slong r = 0; r < arb_mat_nrows(a); r++) {
        json_open(out, NULL, '[');
        for (slong c = 0; c < arb_mat_ncols(a); c++)
            json_string(out, NULL, steady_job_number(&j->steady, arb_mat_entry(a, r, c)));
        json_close(out, ']');
    }
    json_close(out, ']');
}

static const char *radius(const linear_job *j, const acb_t z) {
    mag_t r;
    mag_init(r);
    mag_hypot(r, arb_radref(acb_realref(z)), arb_radref(acb_imagref(z)));
    const char *words = steady_job_radius(&j->steady, r);
    mag_clear(r);
    return words;
}

static void write_json(const void *of, json *out) {
    const linear_job *j = of;
    const linearisation *l = &j->linear;
    json_open(out, NULL, '{');
    json_open(out, "states", '[');
    for (uint32_t i = 0; i < l->size; i++)
        json_string(out, NULL, expr_symbol_text(j->steady.s->pool, l->state[i]));
    json_close(out, ']');
    json_open(out, "inputs", '['), json_close(out, ']');
    write_json_matrix(j, out, "A", l->a);
    json_open(out, "eigenvalues", '[');
    for (uint32_t i = 0; i < l->count; i++) {
        const acb_ptr z = l->eigenvalue + i;
        json_open(out, NULL, '{');
        json_string(out, "re", steady_job_number(&j->steady, acb_realref(z)));
        json_string(out, "im", steady_job_number(&j->steady, acb_imagref(z)));
        if (l->enclosed) json_string(out, "radius", radius(j, z));
        json_close(out, '}');
    }
    json_close(out, ']');
    json_integer(out, "neutral", l->neutral);
    json_string(out, "stable", VERDICT[l->stable]);
    json_close(out, '}');
}

static void write_text(const void *of, text *out) {
    const linear_job *j = of;
    const linearisation *l = &j->linear;
    text_append(out, "states        ");
    for (uint32_t i = 0; i < l->size; i++)
        text_format(out, " %s", expr_symbol_text(j->steady.s->pool, l->state[i]));
    text_format(out, "\nneutral        %u\neigenvalues\n", l->neutral);
    for (uint32_t i = 0; i < l->count; i++) {
        const acb_ptr z = l->eigenvalue + i;
        text_format(out, "  %34s  %34s i\n", steady_job_number(&j->steady, acb_realref(z)),
                    steady_job_number(&j->steady, acb_imagref(z)));
    }
    text_format(out, "stable         %s\n", VERDICT[l->stable]);
}

static hamel_status run(linear_job *j) {
    const mechanics *s = j->steady.s;
    equations *eq = NULL;
    hamel_status status = api_derive(formalism_find("maggi"), s, &eq);
    if (status) return status;
    const ode *o = ode_create(eq);
    status = context_status(s->model->ctx);
    if (!status && (o->size != s->n + s->m || !eq->explicit_velocities)) {
        diag_error(s->model->ctx, (span){0}, NULL,
                   "the velocities are not found in closed form: nothing is linearised here");
        status = HAMEL_MODEL;
    }
    if (!status) linearisation_create(j->steady.problem, &j->steady.motion, o, &j->linear);
    if (!status && !j->linear.eigenvalue) {
        diag_error(s->model->ctx, (span){0}, "try another state",
                   "the rates have no derivatives at this steady motion");
        status = HAMEL_NUMERICS;
    }
    equations_free(eq);
    return status;
}

static hamel_status linearise(hamel_model *m, const char *at, hamel_format format, char **result) {
    const struct format *as = api_find_format(m->ctx, format, WRITES_RESULT);
    if (!as) return HAMEL_USAGE;
    linear_job j = {0};
    hamel_status status = steady_job_run(m, at, &j.steady);
    if (!status) status = run(&j);
    if (!status) status = api_finish_result(as, &(printable){&j, write_text, write_json}, result);
    linearisation_clear(&j.linear);
    steady_job_close(&j.steady);
    return status;
}

hamel_status hamel_model_linearise(hamel_model *m, const char *at, hamel_format format,
                                   char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, linearise(m, at, format, result), "linearising `%s`", m->name);
}
