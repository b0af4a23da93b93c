// What `linearise` says, in words and as JSON.
#include "api/linear_job.h"

#include "print/expression.h"

#include <string.h>

static const char *const VERDICT[] = {"undecided", "yes", "no", "marginal"};

// |z|, and -Re z/|z|: natural frequency and damping ratio
static void frequency_and_damping(const linear_job *j, const acb_t z, const char **frequency,
                                  const char **damping) {
    arb_t size, ratio;
    arb_init(size), arb_init(ratio);
    acb_abs(size, z, j->steady.motion.x.precision);
    arb_div(ratio, acb_realref(z), size, j->steady.motion.x.precision);
    arb_neg(ratio, ratio);
    *frequency = steady_job_number(&j->steady, size);
    *damping = arb_is_finite(ratio) ? steady_job_number(&j->steady, ratio) : NULL;
    arb_clear(size), arb_clear(ratio);
}

// --- data ----------------------------------------------------------------------------------------

static void write_json_matrix(const sheet *s, const sheet_matrix *a, json *out) {
    json_open(out, a->name, '[');
    for (uint32_t i = 0; i < a->rows; i++) {
        json_open(out, NULL, '[');
        for (uint32_t k = 0; k < a->columns; k++) {
            text entry = {0};
            sheet_write_entry(s, a, i, k, STYLE_SYMPY, &entry);
            json_string(out, NULL, text_string(&entry));
            text_free(&entry);
        }
        json_close(out, ']');
    }
    json_close(out, ']');
}

static void write_json_names(const linear_job *j, json *out, const char *key, uint32_t count,
                             const expr *symbol) {
    json_open(out, key, '[');
    for (uint32_t i = 0; i < count; i++)
        json_string(out, NULL, expr_symbol_text(j->steady.s->pool, symbol[i]));
    json_close(out, ']');
}

static void write_json_split(const linear_job *j, const sheet *s, json *out) {
    if (!j->split_count) return;
    json_open(out, "polynomial", '[');
    for (uint32_t i = 0; i < j->split.terms_count; i++) {
        const split_term *t = &j->split.terms[i];
        json_open(out, NULL, '{');
        json_string(out, "factor", linear_job_factor(j, t));
        for (int k = 0; k < SPLIT_MATRICES; k++) {
            if (!t->has[k]) continue;
            const sheet_matrix a = linear_job_term(j, t, k);
            write_json_matrix(s, &a, out);
        }
        json_close(out, '}');
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

static void write_json_shape(const linear_job *j, uint32_t i, json *out) {
    const linearisation *l = &j->linear;
    if (!j->modes.found) return;
    json_open(out, "mode", '{');
    for (uint32_t k = 0; k < l->count; k++) {
        acb_srcptr z = acb_mat_entry(j->modes.shape, k, i);
        json_open(out, expr_symbol_text(j->steady.s->pool, l->state[l->rest->remaining[k]]), '{');
        json_string(out, "re", steady_job_number(&j->steady, acb_realref(z)));
        json_string(out, "im", steady_job_number(&j->steady, acb_imagref(z)));
        json_close(out, '}');
    }
    json_close(out, '}');
}

static void write_json_eigenvalues(const linear_job *j, json *out) {
    const linearisation *l = &j->linear;
    json_open(out, "eigenvalues", '[');
    for (uint32_t i = 0; i < l->count; i++) {
        const acb_ptr z = l->eigenvalue + i;
        const char *frequency, *damping;
        frequency_and_damping(j, z, &frequency, &damping);
        json_open(out, NULL, '{');
        json_string(out, "re", steady_job_number(&j->steady, acb_realref(z)));
        json_string(out, "im", steady_job_number(&j->steady, acb_imagref(z)));
        if (l->enclosed) json_string(out, "radius", radius(j, z));
        json_string(out, "frequency", frequency);
        if (damping) json_string(out, "damping", damping);
        else json_null(out, "damping");
        write_json_shape(j, i, out);
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void write_json_expression(const model *m, const char *key, expr e, json *out) {
    text t = {0};
    print_expression(m->pool, e, STYLE_SYMPY, &t);
    json_text(out, key, &t);
    text_free(&t);
}

static void write_json_list(const model *m, const char *key, uint32_t count, const expr *e,
                            json *out) {
    json_open(out, key, '[');
    for (uint32_t i = 0; i < count; i++) write_json_expression(m, NULL, e[i], out);
    json_close(out, ']');
}

void linear_job_conditions_data(const model *m, const exact_stability *c, json *out) {
    json_open(out, "conditions", '{');
    json_string(out, "of", c->even ? "marginal" : "stable");
    if (c->refusal) {
        json_string(out, "refused", c->refusal);
    } else {
        json_bool(out, "never", c->never);
        write_json_list(m, "positive", c->count, c->positive, out);
        write_json_list(m, "nonzero", c->nonzeros, c->nonzero, out);
        write_json_list(m, "given_positive", c->assumed, c->assumption, out);
    }
    json_close(out, '}');
}

void linear_job_data(const void *job, json *out) {
    const linear_job *j = job;
    const linearisation *l = &j->linear;
    const sheet s = linear_job_sheet(j);
    json_open(out, NULL, '{');
    write_json_names(j, out, "states", l->size, l->state);
    write_json_names(j, out, "inputs", j->response.inputs, j->response.input);
    json_open(out, "outputs", '[');
    for (uint32_t i = 0; i < j->response.outputs; i++)
        json_string(out, NULL, j->response.output[i].name);
    json_close(out, ']');
    write_json_names(j, out, "coordinates", j->second.count, j->second.coordinate);
    for (uint32_t i = 0; i < s.count; i++) write_json_matrix(&s, &s.matrix[i], out);
    if (j->second.refusal) {
        json_null(out, "M"), json_null(out, "C"), json_null(out, "K"), json_null(out, "F");
        json_string(out, "no_second_order", j->second.refusal);
    }
    write_json_split(j, &s, out);
    if (j->symbolic) {
        json_string(out, "holds", j->exact.at.stated ? "for the stated parameters" : "in general");
        if (j->polynomial != EXPR_NONE)
            write_json_expression(j->steady.m, "characteristic", j->polynomial, out);
        if (j->has_conditions) linear_job_conditions_data(j->steady.m, &j->conditions, out);
    }
    write_json_eigenvalues(j, out);
    json_integer(out, "neutral", l->neutral);
    json_string(out, "stable", VERDICT[l->stable]);
    json_close(out, '}');
}

// --- words ---------------------------------------------------------------------------------------

enum { LARGEST_SHOWN = 6, NARROW = 16 }; // rows of a matrix; digits of its numbers

// Sixteen digits of a decimal, or an expression
static const char *entry_words(const linear_job *j, const sheet *s, const sheet_matrix *a,
                               uint32_t row, uint32_t column) {
    text t = {0};
    sheet_write_entry(s, a, row, column, STYLE_TEXT, &t);
    const char *words = arena_copy(&j->steady.m->ctx->arena, text_string(&t), t.length);
    text_free(&t);
    if (a->entry || strlen(words) <= NARROW) return words;
    arb_t v;
    arb_init(v);
    arb_set_str(v, words, j->steady.motion.x.precision);
    char *shorter = arb_get_str(v, NARROW, ARB_STR_NO_RADIUS);
    words = arena_copy(&j->steady.m->ctx->arena, shorter, strlen(shorter));
    flint_free(shorter);
    arb_clear(v);
    return words;
}

static void write_matrix(const linear_job *j, const sheet *s, const sheet_matrix *a,
                         const char *name, text *out) {
    size_t width = 1;
    for (uint32_t i = 0; i < a->rows * a->columns; i++) {
        const size_t w = strlen(entry_words(j, s, a, i / a->columns, i % a->columns));
        if (w > width) width = w;
    }
    for (uint32_t i = 0; i < a->rows; i++) {
        text_format(out, "%-14s", i ? "" : name);
        for (uint32_t k = 0; k < a->columns; k++)
            text_format(out, " %*s", (int)width + 1, entry_words(j, s, a, i, k));
        text_char(out, '\n');
    }
}

static void write_sheet(const linear_job *j, text *out) {
    const sheet s = linear_job_sheet(j);
    for (uint32_t i = 0; i < s.count; i++) {
        const sheet_matrix *a = &s.matrix[i];
        const bool second = strlen(a->name) == 1 && strchr("MCKF", a->name[0]);
        if (!a->rows || !a->columns) continue;
        if (a->name[0] == 'M') {
            text_append(out, "second order   M p'' + C p' + K p = F u with p =");
            for (uint32_t k = 0; k < j->second.count; k++)
                text_format(out, " %s",
                            expr_symbol_text(j->steady.s->pool, j->second.coordinate[k]));
            text_char(out, '\n');
        }
        if (a->rows > LARGEST_SHOWN || a->columns > LARGEST_SHOWN)
            text_format(out, "%-14s %u x %u: --json and --format show it\n", a->name, a->rows,
                        a->columns);
        else if (!second || !j->split_count) write_matrix(j, &s, a, a->name, out);
    }
    for (uint32_t i = 0; i < j->split.terms_count; i++)
        for (int k = 0; k < SPLIT_MATRICES; k++) {
            const split_term *t = &j->split.terms[i];
            if (!t->has[k]) continue;
            const sheet_matrix a = linear_job_term(j, t, k);
            const char *factor = linear_job_factor(j, t);
            write_matrix(j, &s, &a,
                         strcmp(factor, "1") == 0
                             ? a.name
                             : arena_format(&j->steady.m->ctx->arena, "%s: %s *", a.name, factor),
                         out);
        }
    if (j->second.refusal) text_format(out, "second order   none: %s\n", j->second.refusal);
}

static void write_eigenvalues(const linear_job *j, text *out) {
    const linearisation *l = &j->linear;
    text_append(out, j->steady.m->dimensions ? "eigenvalues    [1/s]\n" : "eigenvalues\n");
    for (uint32_t i = 0; i < l->count; i++) {
        const acb_ptr z = l->eigenvalue + i;
        const char *frequency, *damping;
        frequency_and_damping(j, z, &frequency, &damping);
        text_format(out, "  %34s  %34s i", steady_job_number(&j->steady, acb_realref(z)),
                    steady_job_number(&j->steady, acb_imagref(z)));
        if (!arb_contains_zero(acb_imagref(z)))
            text_format(out, "   frequency %.8s, damping %.9s", frequency, damping ? damping : "?");
        text_char(out, '\n');
    }
}

// How each part of a mode moves: its size and phase, relative to the largest
static void write_modes(const linear_job *j, text *out) {
    const linearisation *l = &j->linear;
    if (!j->modes.found || !l->count) return;
    bool left_out = false;
    text_append(out, "modes         ");
    for (uint32_t k = 0; k < l->count; k++)
        text_format(out, " %22s",
                    expr_symbol_text(j->steady.s->pool, l->state[l->rest->remaining[k]]));
    text_char(out, '\n');
    for (uint32_t i = 0; i < l->count; i++) {
        arb_srcptr frequency = acb_imagref(l->eigenvalue + i);
        if (arf_sgn(arb_midref(frequency)) < 0 && !arb_contains_zero(frequency)) {
            left_out = true; // the conjugate
            continue;
        }
        text_format(out, "  %-12u", i + 1);
        for (uint32_t k = 0; k < l->count; k++) {
            acb_srcptr z = acb_mat_entry(j->modes.shape, k, i);
            text_format(out, "  %10.6f%+10.6fi", ball_middle(acb_realref(z)),
                        ball_middle(acb_imagref(z)));
        }
        text_char(out, '\n');
    }
    if (left_out)
        text_append(out, "  numbered as the eigenvalues; a conjugate has the conjugate mode\n");
}

static void write_relations(const model *m, uint32_t count, const expr *e, const char *relation,
                            bool *first, text *out) {
    for (uint32_t i = 0; i < count; i++) {
        text_append(out, *first ? "" : ", ");
        api_write_expression(m, e[i], out);
        text_append(out, relation);
        *first = false;
    }
}

// "marginal where 3*r*w2^2 - g > 0, given r > 0"
void linear_job_conditions_words(const model *m, const exact_stability *c, text *out) {
    const char *kind = c->even ? "marginal" : "stable";
    bool first = true;
    if (c->refusal) {
        text_format(out, "%-14s where: %s\n", kind, c->refusal);
        return;
    }
    text_format(out, "%-8s %s", kind, c->never ? "nowhere" : "where ");
    if (!c->never) {
        write_relations(m, c->count, c->positive, " > 0", &first, out);
        write_relations(m, c->nonzeros, c->nonzero, " != 0", &first, out);
        if (first) text_append(out, "all is real");
    }
    first = true;
    if (c->assumed) text_append(out, ", given ");
    write_relations(m, c->assumed, c->assumption, " > 0", &first, out);
    text_char(out, '\n');
}

void linear_job_words(const void *job, text *out) {
    const linear_job *j = job;
    const linearisation *l = &j->linear;
    text_append(out, "states        ");
    for (uint32_t i = 0; i < l->size; i++)
        text_format(out, " %s%s", expr_symbol_text(j->steady.s->pool, l->state[i]),
                    api_unit_in_brackets(j->steady.m, l->state[i]));
    if (j->response.inputs) text_append(out, "\ninputs        ");
    for (uint32_t i = 0; i < j->response.inputs; i++)
        text_format(out, " %s%s", expr_symbol_text(j->steady.s->pool, j->response.input[i]),
                    api_unit_in_brackets(j->steady.m, j->response.input[i]));
    if (j->response.outputs) text_append(out, "\noutputs       ");
    for (uint32_t i = 0; i < j->response.outputs; i++)
        text_format(out, " %s", j->response.output[i].name);
    text_char(out, '\n');
    write_sheet(j, out);
    if (j->symbolic && j->polynomial != EXPR_NONE) {
        text_append(out, "det(s - A)     ");
        api_write_expression(j->steady.m, j->polynomial, out);
        text_append(out, ", neutral directions divided out\n");
    }
    if (j->symbolic && j->exact.at.stated)
        text_append(out, "holds          for the stated values of the parameters only\n");
    if (j->has_conditions) linear_job_conditions_words(j->steady.m, &j->conditions, out);
    text_format(out, "neutral        %u\n", l->neutral);
    write_eigenvalues(j, out);
    write_modes(j, out);
    if (!j->steady.motion.proved)
        text_format(out,
                    "not enclosed   the steady motion is not proved%s: the eigenvalues are "
                    "approximate, and nothing is said of stability\n",
                    j->steady.motion.multiple   ? " (a multiple root)"
                    : j->steady.motion.singular ? " (the coordinates fail there)"
                                                : "");
    text_format(out, "stable         %s\n", VERDICT[l->stable]);
}
