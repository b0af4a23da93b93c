// What doubling a constant changes: how fast a system cut off at N, such as one with a
// countable set of constraints, settles.
#include "api/evaluation_job.h"

#include "derive/formalism.h"

#include <string.h>

enum { LEVELS = 4 };

typedef struct {
    const char *constant, *form, *at;
    unsigned digits;
    int64_t value[LEVELS];
    evaluation_job job[LEVELS];
    uint32_t shared;         // coordinates independent at every level
    const char **name;       // shared
    uint32_t *index[LEVELS]; // shared: which coordinate of that level
} doubling;

// The coordinate of this name among the independent ones; n if it is not there.
static uint32_t independent_called(const mechanics *s, const char *name) {
    for (uint32_t i = 0; i < s->m; i++)
        if (strcmp(expr_symbol_name(s->pool, s->q[s->independent[i]]), name) == 0)
            return s->independent[i];
    return s->n;
}

static void find_shared(context *ctx, doubling *d) {
    const mechanics *first = d->job[0].eq->system;
    d->name = arena_array(&ctx->arena, const char *, first->m);
    for (int l = 0; l < LEVELS; l++) d->index[l] = arena_array(&ctx->arena, uint32_t, first->m);
    for (uint32_t i = 0; i < first->m; i++) {
        const char *name = expr_symbol_name(first->pool, first->q[first->independent[i]]);
        bool everywhere = true;
        for (int l = 0; l < LEVELS; l++) {
            const uint32_t at = d->index[l][d->shared] =
                independent_called(d->job[l].eq->system, name);
            everywhere = everywhere && at < d->job[l].eq->system->n;
        }
        d->name[d->shared] = name;
        d->shared += everywhere;
    }
}

// The model again with the constant at each of its values, evaluated.
static hamel_status run_levels(model *m, doubling *d) {
    context *ctx = m->ctx;
    hamel_status status = HAMEL_OK;
    for (int l = 0; l < LEVELS && !status; l++) {
        const parse_override more = {d->constant,
                                     arena_format(&ctx->arena, "%lld", (long long)d->value[l])};
        const formalism *f;
        model *again;
        status = api_read_model(ctx, m->text, 1, &more, &again);
        if (!status)
            status = evaluation_job_prepare(again, d->form, d->at, d->digits, &f, &d->job[l]);
        if (!status) status = evaluation_job_run(again, f, &d->job[l]);
    }
    return status;
}

static arb_srcptr acceleration(const doubling *d, int level, uint32_t i) {
    return d->job[level].e.acceleration + d->index[level][i];
}

static const char *change(const doubling *d, int level, uint32_t i) {
    arb_t gap;
    arb_init(gap);
    arb_sub(gap, acceleration(d, level, i), acceleration(d, level - 1, i),
            d->job[level].x.precision);
    const char *number = evaluation_job_number(&d->job[level], gap);
    arb_clear(gap);
    return number;
}

static void write_text(const void *of, text *out) {
    const doubling *d = of;
    const char *form = d->job[0].eq->form;
    text_format(out, "%s (%s), %u digits, %s doubled\n", formalism_find(form)->name, form,
                d->digits, d->constant);
    for (uint32_t i = 0; i < d->shared; i++) {
        text_format(out, "%s''\n", d->name[i]);
        for (int l = 0; l < LEVELS; l++) {
            const char *value = evaluation_job_number(&d->job[l], acceleration(d, l, i));
            text_format(out, "  %s = %-8lld ", d->constant, (long long)d->value[l]);
            if (l) text_format(out, "%-*s change %s\n", (int)d->digits + 8, value, change(d, l, i));
            else text_format(out, "%s\n", value);
        }
    }
}

static void write_json(const void *of, json *out) {
    const doubling *d = of;
    json_open(out, NULL, '{');
    json_string(out, "form", d->job[0].eq->form);
    json_string(out, "double", d->constant);
    json_open(out, "levels", '[');
    for (int l = 0; l < LEVELS; l++) {
        json_open(out, NULL, '{');
        json_integer(out, "value", d->value[l]);
        json_open(out, "qdd", '{');
        for (uint32_t i = 0; i < d->shared; i++)
            json_string(out, d->name[i], evaluation_job_number(&d->job[l], acceleration(d, l, i)));
        json_close(out, '}');
        if (l) json_open(out, "change", '{');
        for (uint32_t i = 0; i < d->shared && l; i++) json_string(out, d->name[i], change(d, l, i));
        if (l) json_close(out, '}');
        json_close(out, '}');
    }
    json_close(out, ']');
    json_close(out, '}');
}

static hamel_status double_constant(hamel_model *m, const char *constant, const char *form,
                                    const char *at, unsigned digits, hamel_format format,
                                    char **result) {
    enum { MOST = 1 << 24 };
    const struct format *as = api_find_format(m->ctx, format, WRITES_RESULT);
    if (!as) return HAMEL_USAGE;
    doubling d = {.constant = constant, .form = form, .at = at, .digits = digits};
    if (!parse_constant(m, constant, &d.value[0])) {
        diag_error(m->ctx, (span){0}, "only what the model declares with `const` can be doubled",
                   "the model has no constant `%s`", constant);
        return HAMEL_USAGE;
    }
    if (d.value[0] < 1 || d.value[0] > MOST) {
        diag_error(m->ctx, (span){0}, NULL, "`%s` is %lld; to be doubled it must be from 1 to %d",
                   constant, (long long)d.value[0], MOST);
        return HAMEL_USAGE;
    }
    for (int l = 1; l < LEVELS; l++) d.value[l] = 2 * d.value[l - 1];
    const hamel_status status = run_levels(m, &d);
    if (!status) {
        find_shared(m->ctx, &d);
        api_finish_result(as, &(printable){&d, write_text, write_json, m}, result);
    }
    for (int l = 0; l < LEVELS; l++) evaluation_job_close(&d.job[l]);
    return status;
}

hamel_status hamel_model_double(hamel_model *m, const char *constant, const char *form,
                                const char *at, unsigned digits, hamel_format format,
                                char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, constant);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, double_constant(m, constant, form, at, digits, format, result),
             "doubling `%s` of `%s`", constant, m->name);
}
