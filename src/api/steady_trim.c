// Trim: the constants with which inputs hold a state.
#include "api/steady_job.h"

#include "model/inputs.h"

#include <math.h>
#include <string.h>

static const given_function *find_input(const model *m, const char *name) {
    for (uint32_t i = 0; i < m->givens_count; i++)
        if (m->givens[i].is_input &&
            strcmp(expr_symbol_name(m->pool, m->givens[i].symbol), name) == 0)
            return &m->givens[i];
    return NULL;
}

static hamel_status refuse_input(const model *m, const char *name) {
    bool any = false;
    for (uint32_t i = 0; i < m->givens_count; i++) any = any || m->givens[i].is_input;
    diag_error(m->ctx, (span){0},
               any ? "name inputs of the model, such as --trim \"u, w\"; parameters are solved for "
                     "with --solve"
                   : "the model has no inputs: state them with `input u`",
               "`%s` in --trim is no input of the model", name);
    return HAMEL_USAGE;
}

hamel_status steady_job_read_trim(steady_job *j, const char *list) {
    const model *m = j->m;
    arena *a = &m->ctx->arena;
    const char *rest = list ? list : "", *item;
    const size_t most = strlen(rest) + 1;
    expr *input = arena_array(a, expr, most),
         *solved = arena_array(a, expr, most + j->solved_count);
    for (uint32_t i = 0; i < j->solved_count; i++) solved[i] = j->solved[i];
    while ((item = listed_names_next(a, &rest)) && (*item || rest)) {
        const given_function *g = find_input(m, item);
        bool again = false;
        if (!g) return refuse_input(m, item);
        for (uint32_t i = 0; i < j->trim_count; i++) again = again || input[i] == g->symbol;
        if (again) continue;
        input[j->trim_count++] = g->symbol;
        solved[j->solved_count++] = expr_symbol(m->pool, item, ROLE_PARAMETER);
    }
    if (list && !j->trim_count) {
        diag_error(m->ctx, (span){0}, "name inputs, such as --trim \"u, w\"", "--trim is empty");
        return HAMEL_USAGE;
    }
    j->solved = solved;
    j->s = mechanics_with_constant_inputs(j->stated, j->trim_count, input,
                                          solved + j->solved_count - j->trim_count);
    return HAMEL_OK;
}

// As stated there; 0 where nothing is
void steady_job_start_trim(const steady_job *j, state *x) {
    const model *m = j->m;
    for (uint32_t i = j->solved_count - j->trim_count; i < j->solved_count; i++) {
        const given_function *g = find_input(m, expr_symbol_name(m->pool, j->solved[i]));
        const double v = state_doubles(x, 1, &g->definition)[0];
        arb_t start;
        arb_init(start);
        if (isfinite(v)) arb_set_d(start, v);
        state_reserve(x);
        state_set(x, j->solved[i], start);
        arb_clear(start);
    }
}

static bool has_moved(const steady_job *j, const state *from, expr symbol) {
    static const double KEPT = 1e-12; // relative to the larger of 1 and the value
    const double before = ball_middle(state_get((state *)from, symbol)),
                 now = ball_middle(state_get((state *)&j->motion.x, symbol));
    return fabs(now - before) > KEPT * fmax(1, fabs(before));
}

hamel_status steady_job_check_trim(steady_job *j, const state *from) {
    const mechanics *s = j->s;
    const model *m = j->m;
    if (!j->trim_count || !j->motion.found) return HAMEL_OK;
    for (uint32_t i = 0; i < j->guess.at_count; i++) {
        const expr e = j->guess.at[i].symbol;
        const symbol *named = expr_as_symbol(s->pool, e);
        if (!named || named->role == ROLE_TIME || !has_moved(j, from, e)) continue;
        diag_error(m->ctx, (span){0},
                   "leave it out of --at, so that it is solved for, or name more inputs",
                   "these inputs do not hold this state: `%s` would have to be %s",
                   expr_symbol_text(s->pool, e), steady_job_number(j, state_get(&j->motion.x, e)));
        return HAMEL_NUMERICS;
    }
    expr *moved = arena_array(&m->ctx->arena, expr, m->initial_count + 1);
    for (uint32_t i = 0; i < m->initial_count; i++)
        if (has_moved(j, from, m->initial[i].symbol))
            moved[j->moved_count++] = m->initial[i].symbol;
    j->moved = moved;
    return HAMEL_OK;
}

// --- in words and as JSON ------------------------------------------------------------------------

// Was the i-th of what is solved for not needed? Then its place among the directions
static bool is_free(const steady_job *j, const steady_motion *m, uint32_t i, uint32_t *place) {
    const mechanics *s = j->s;
    const uint32_t before = 2 * s->n + (s->has_quasi ? s->m : 0) + j->group.count + s->k;
    *place = 0;
    if (!m->solved || m->multiple || m->solved[before + i]) return false;
    for (uint32_t k = 0; k < before + i; k++) *place += !m->solved[k];
    return *place < m->directions;
}

void steady_job_write_trim_text(const steady_job *j, const steady_motion *m, text *out) {
    const uint32_t first = j->solved_count - j->trim_count, row = 2 * j->s->n + j->s->m;
    uint32_t place;
    for (uint32_t i = first; i < j->solved_count; i++) {
        if (!is_free(j, m, i, &place)) continue;
        const char *comma = "; with it change ";
        text_format(out, "free           %s may have any value",
                    expr_symbol_name(j->s->pool, j->solved[i]));
        for (uint32_t k = first; k < j->solved_count; k++) {
            arb_srcptr slope = m->direction + (size_t)(row + k) * m->directions + place;
            if (k == i || arb_contains_zero(slope)) continue;
            text_format(out, "%s%s by %s", comma, expr_symbol_name(j->s->pool, j->solved[k]),
                        steady_job_number(j, slope));
            comma = ", ";
        }
        text_append(out, "\n");
    }
    for (uint32_t i = 0; i < j->moved_count; i++)
        text_format(out, "%s%s", i ? ", " : "moved          ",
                    expr_symbol_text(j->s->pool, j->moved[i]));
    if (j->moved_count)
        text_append(out, ": the inputs do not hold the initial state, but this one\n");
}

void steady_job_write_trim_json(const steady_job *j, const steady_motion *m, json *out) {
    uint32_t place;
    if (!j->trim_count) return;
    json_open(out, "free", '[');
    for (uint32_t i = j->solved_count - j->trim_count; i < j->solved_count; i++)
        if (is_free(j, m, i, &place))
            json_string(out, NULL, expr_symbol_name(j->s->pool, j->solved[i]));
    json_close(out, ']');
    json_open(out, "moved", '[');
    for (uint32_t i = 0; i < j->moved_count; i++)
        json_string(out, NULL, expr_symbol_text(j->s->pool, j->moved[i]));
    json_close(out, ']');
}
