// Steady motions: what `steady` says, in words and as JSON.
#include "api/steady_job.h"

#include <string.h>

enum { BITS = 192, DIGITS = 30 };

// --- output --------------------------------------------------------------------------------------

const char *steady_job_number(const steady_job *j, arb_srcptr v) {
    if (arb_contains_zero(v)) return "0";
    char *s = arb_get_str(v, DIGITS, ARB_STR_NO_RADIUS);
    const char *copy = arena_copy(&j->m->ctx->arena, s, strlen(s));
    flint_free(s);
    return copy;
}

const char *steady_job_radius(const steady_job *j, const mag_t r) {
    arf_t f;
    arf_init(f);
    arf_set_mag(f, r);
    const double d = arf_get_d(f, ARF_RND_UP);
    arf_clear(f);
    return arena_format(&j->m->ctx->arena, "%.2e", d * 1.01); // two digits, rounded up
}

static const char *name_of(const steady_job *j, expr symbol) {
    return expr_symbol_text(j->s->pool, symbol);
}

// The largest radius of q, q', eta
static const char *radius(const steady_job *j) {
    const mechanics *s = j->s;
    mag_t largest;
    mag_init(largest);
    for (uint32_t i = 0; i < 2 * s->n + s->m; i++) {
        const expr e = i < s->n ? s->q[i] : i < 2 * s->n ? s->qd[i - s->n] : s->eta[i - 2 * s->n];
        mag_max(largest, largest, arb_radref(state_get((state *)&j->motion.x, e)));
    }
    const char *words = steady_job_radius(j, largest);
    mag_clear(largest);
    return words;
}

static void write_values(const steady_job *j, json *out, const char *key, uint32_t count,
                         const expr *symbol) {
    json_open(out, key, '{');
    for (uint32_t i = 0; i < count; i++) {
        const expr base = expr_symbol_of_order(j->s->pool, symbol[i], 0);
        const symbol_role role = expr_as_symbol(j->s->pool, symbol[i])->role;
        json_string(out,
                    role == ROLE_COORDINATE && key[1] == 'd' ? expr_symbol_name(j->s->pool, base)
                                                             : name_of(j, symbol[i]),
                    steady_job_number(j, state_get((state *)&j->motion.x, symbol[i])));
    }
    json_close(out, '}');
}

// Coordinates that a symmetry shifts alone: nothing depends on them
static void write_ignorable(const steady_job *j, json *out) {
    const mechanics *s = j->s;
    json_open(out, "ignorable", '[');
    for (uint32_t a = 0; a < j->group.count; a++) {
        uint32_t moved = 0, last = 0;
        for (uint32_t i = 0; i < s->n; i++)
            if (j->group.at[a].field[i] != EXPR_ZERO) moved++, last = i;
        if (j->group.at[a].is_shift && moved == 1)
            json_string(out, NULL, expr_symbol_name(s->pool, s->q[last]));
    }
    json_close(out, ']');
}

static void write_json(const void *of, json *out) {
    const steady_job *j = of;
    const mechanics *s = j->s;
    json_open(out, NULL, '{');
    api_write_symmetries(s, &j->group, out);
    write_ignorable(j, out);
    json_open(out, "motions", '[');
    json_open(out, NULL, '{');
    json_open(out, "state", '{');
    write_values(j, out, "q", s->n, s->q);
    write_values(j, out, "qd", s->n, s->qd);
    write_values(j, out, "eta", s->m, s->eta);
    json_close(out, '}');
    json_open(out, "lambda", '{');
    for (uint32_t i = 0; i < s->k; i++)
        json_string(out, j->m->constraints[s->constraint[i]].name,
                    steady_job_number(j, state_get((state *)&j->motion.x, s->multiplier[i])));
    json_close(out, '}');
    json_open(out, "speeds", '[');
    for (uint32_t a = 0; a < j->group.count; a++)
        json_string(out, NULL, steady_job_number(j, j->motion.speed + a));
    json_close(out, ']');
    if (j->motion.proved) json_string(out, "radius", radius(j));
    json_integer(out, "family_dimension", j->motion.family);
    json_close(out, '}');
    json_close(out, ']');
    json_close(out, '}');
}

static void write_row(const steady_job *j, text *out, expr symbol) {
    text_format(out, "  %-20s %s\n", name_of(j, symbol),
                steady_job_number(j, state_get((state *)&j->motion.x, symbol)));
}

static void write_text(const void *of, text *out) {
    const steady_job *j = of;
    const mechanics *s = j->s;
    text_append(out, "steady motion\n");
    for (uint32_t i = 0; i < s->n; i++) write_row(j, out, s->q[i]);
    for (uint32_t i = 0; i < s->n; i++) write_row(j, out, s->qd[i]);
    for (uint32_t i = 0; i < s->m && s->has_quasi; i++) write_row(j, out, s->eta[i]);
    if (s->k) text_append(out, "multipliers\n");
    for (uint32_t i = 0; i < s->k; i++) write_row(j, out, s->multiplier[i]);
    if (j->group.count) text_append(out, "speeds of the symmetries that carry it\n");
    for (uint32_t a = 0; a < j->group.count; a++)
        text_format(out, "  %-34s %s\n", j->group.at[a].name,
                    steady_job_number(j, j->motion.speed + a));
    if (j->motion.family)
        text_format(out, "family         of dimension %u, moved copies not counted\n",
                    j->motion.family);
    if (j->motion.proved)
        text_format(out,
                    "proved         it exists within %s of these numbers, and is the only one with "
                    "the values that were not solved for\n",
                    radius(j));
    else text_append(out, "not proved     the numbers satisfy the equations to their digits\n");
}

// --- the job -------------------------------------------------------------------------------------

static hamel_status find(steady_job *j, const completion_request *guess) {
    state from;
    dependent_constraint *idle =
        arena_array(&j->m->ctx->arena, dependent_constraint, j->m->constraints_count);
    uint32_t count = 0;
    state_init(&from, j->m, BITS);
    hamel_status status = state_complete(&from, guess, idle, &count);
    dependent_constraint_clear(count, idle);
    if (!status) {
        j->problem = steady_problem_create(j->s, &j->group);
        steady_motion_find(j->problem, guess, &from, &j->motion);
    }
    state_clear(&from);
    if (!status && !j->motion.found) {
        diag_error(j->m->ctx, (span){0}, "give another guess with --at",
                   "no steady motion was found near this state");
        status = HAMEL_NUMERICS;
    }
    return status;
}

hamel_status steady_job_run(model *m, const char *at, steady_job *j) {
    completion_request guess = {.mode = COMPLETE_STRICT, .zero_defaults = true};
    *j = (steady_job){.m = m};
    mechanics *s = NULL;
    hamel_status status = api_read_state(m, at, &guess);
    if (!status) status = mechanics_create(m, &guess, &s);
    if (status) return status;
    const char *refusal = steady_refusal(s);
    if (refusal) {
        diag_error(m->ctx, (span){0}, NULL, "there is no steady motion to look for: %s", refusal);
        return HAMEL_MODEL;
    }
    j->s = s;
    j->group = symmetries_of(s);
    return find(j, &guess);
}

void steady_job_close(steady_job *j) {
    if (j->motion.s) steady_motion_clear(&j->motion);
}

static hamel_status steady(hamel_model *m, const char *at, hamel_format format, char **result) {
    const struct format *as = api_find_format(m->ctx, format, WRITES_RESULT);
    if (!as) return HAMEL_USAGE;
    steady_job j;
    hamel_status status = steady_job_run(m, at, &j);
    if (!status) status = api_finish_result(as, &(printable){&j, write_text, write_json}, result);
    steady_job_close(&j);
    return status;
}

hamel_status hamel_model_steady(hamel_model *m, const char *at, hamel_format format,
                                char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, steady(m, at, format, result), "steady motions of `%s`", m->name);
}
