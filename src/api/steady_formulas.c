// Formulas of steady motions in words and as JSON.
#include "api/steady_job.h"

static const char *words_of(const steady_job *j, expr e) {
    text t = {0};
    api_write_expression(j->m, e, &t);
    const char *copy = arena_copy(&j->m->ctx->arena, t.bytes, t.length);
    text_free(&t);
    return copy;
}

static void write_equations(const steady_job *j, text *out, uint32_t count,
                            const closed_solution *of) {
    for (uint32_t i = 0; i < count; i++)
        text_format(out, "  %s = %s\n", words_of(j, of[i].left), words_of(j, of[i].right));
}

// In which unknown what is left has the lowest degree
static const char *degree_words(const steady_job *j, const closed_form *f) {
    uint32_t lowest = EXPR_NOT_POLYNOMIAL, best = 0;
    for (uint32_t i = 0; i < f->rests + (f->relation != EXPR_NONE); i++)
        for (uint32_t k = 0; k < f->free; k++) {
            const uint32_t degree = expr_degree(j->s->pool, i < f->rests ? f->rest[i] : f->relation,
                                                1, &f->parameter[k], NULL);
            if (degree > 2 && degree < lowest) lowest = degree, best = k;
        }
    if (lowest == EXPR_NOT_POLYNOMIAL) return "";
    return arena_format(&j->m->ctx->arena, ": %u in %s", lowest, words_of(j, f->parameter[best]));
}

static void write_form(const steady_job *j, const closed_form *f, text *out) {
    write_equations(j, out, f->values, f->value);
    if (f->relation != EXPR_NONE) {
        text_format(out, "  where 0 = %s%s\n", words_of(j, f->relation),
                    f->solutions ? ", that is" : "");
        for (uint32_t i = 0; i < f->solutions; i++)
            text_format(out, "    %s = %s\n", words_of(j, f->solution[i].left),
                        words_of(j, f->solution[i].right));
    }
    for (uint32_t i = 0; i < f->rests; i++)
        text_format(out, "  where 0 = %s\n", words_of(j, f->rest[i]));
    if (f->singular)
        text_append(out, "  singular: the coordinates fail there, and it may be no motion\n");
    if (f->unsolved)
        text_format(out, "  not solved: the degree is too high%s\n", degree_words(j, f));
    text_append(out, f->free ? "  free: " : "  nothing is free");
    for (uint32_t i = 0; i < f->free; i++)
        text_format(out, "%s%s", i ? ", " : "", words_of(j, f->parameter[i]));
    text_append(out, f->free && f->relation != EXPR_NONE ? " but for this relation\n" : "\n");
}

void steady_job_write_closed_text(const steady_job *j, text *out) {
    const closed_forms *c = &j->closed;
    text_append(out, "steady motions as formulas");
    for (uint32_t i = 0; i < c->gauges; i++)
        text_format(out, "%s%s",
                    i ? ", " : "; moved copies are left out: ", words_of(j, c->gauge[i]));
    text_append(out, c->gauges ? " = 0\n" : "\n");
    for (uint32_t i = 0; i < c->count; i++) {
        text_format(out, "branch %u\n", i + 1);
        write_form(j, &c->form[i], out);
    }
    if (c->count)
        text_append(out, "verified       each solves all equations identically, where denominators "
                         "are not 0 and roots are real\n");
    if (c->reason) text_format(out, "not all        %s\n", c->reason);
}

static void write_solutions(const steady_job *j, json *out, const char *key, uint32_t count,
                            const closed_solution *of) {
    json_open(out, key, '[');
    for (uint32_t i = 0; i < count; i++) {
        json_open(out, NULL, '{');
        json_string(out, "left", words_of(j, of[i].left));
        json_string(out, "right", words_of(j, of[i].right));
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void write_names(const steady_job *j, json *out, const char *key, uint32_t count,
                        const expr *e) {
    json_open(out, key, '[');
    for (uint32_t i = 0; i < count; i++) json_string(out, NULL, words_of(j, e[i]));
    json_close(out, ']');
}

void steady_job_write_closed_json(const steady_job *j, json *out) {
    const closed_forms *c = &j->closed;
    write_names(j, out, "at_zero", c->gauges, c->gauge);
    json_open(out, "closed", '[');
    for (uint32_t i = 0; i < c->count; i++) {
        const closed_form *f = &c->form[i];
        json_open(out, NULL, '{');
        write_solutions(j, out, "values", f->values, f->value);
        if (f->relation != EXPR_NONE) json_string(out, "relation", words_of(j, f->relation));
        write_solutions(j, out, "solutions", f->solutions, f->solution);
        write_names(j, out, "unsolved", f->rests, f->rest);
        write_names(j, out, "parameters", f->free, f->parameter);
        if (f->singular) json_bool(out, "singular", true);
        json_close(out, '}');
    }
    json_close(out, ']');
    if (c->reason) json_string(out, "closed_reason", c->reason);
}
