// The completed initial state: what was given, what was guessed, what the constraints made of it.
#include "api/evaluation_job.h"

#include "model/branches.h"

#include <math.h>

enum { GUARD_BITS = 64, MOST_DOUBLINGS = 4 };

typedef struct {
    const mechanics *s;
    completion_request where;
    unsigned digits;
    state x;
    arb_ptr residual; // of the k constraints
    other_branches others;
} assembly_job;

static const model *model_of(const assembly_job *j) { return j->s->model; }

static const char *number(const assembly_job *j, arb_srcptr v) {
    return api_number(model_of(j)->ctx, j->digits, v);
}

// --- where a value comes from --------------------------------------------------------------------

typedef enum {
    FROM_NOWHERE,
    FROM_GUESS,
    FROM_DEFINITION, // a quasi-velocity that follows from the velocities
    FROM_CONSTRAINTS,
    FROM_INITIAL,
    FROM_AT,
} origin;

static const assignment *find(uint32_t count, const assignment *list, expr symbol) {
    const assignment *found = NULL; // the last one wins
    for (uint32_t i = 0; i < count; i++)
        if (list[i].symbol == symbol) found = &list[i];
    return found;
}

static bool was_solved(const assembly_job *j, expr symbol) {
    for (uint32_t i = 0; i < j->x.solved_count; i++)
        if (j->x.solved[i].variable == symbol) return true;
    return false;
}

static const assignment *guess_of(const assembly_job *j, expr symbol) {
    return find(model_of(j)->guesses_count, model_of(j)->guesses, symbol);
}

static origin origin_of(const assembly_job *j, expr symbol) {
    const model *m = model_of(j);
    const bool solved = was_solved(j, symbol);
    if (find(j->where.at_count, j->where.at, symbol)) return FROM_AT;
    // where a state is asked for, `initial` is only where solving starts
    if (find(m->initial_count, m->initial, symbol) && !(solved && j->where.at_count))
        return FROM_INITIAL;
    if (expr_as_symbol(j->s->pool, symbol)->role == ROLE_QUASI) return FROM_DEFINITION;
    return solved ? FROM_CONSTRAINTS : guess_of(j, symbol) ? FROM_GUESS : FROM_NOWHERE;
}

static const char *origin_words(const assembly_job *j, expr symbol) {
    static const char *const words[] = {[FROM_NOWHERE] = "not stated: 0",
                                        [FROM_GUESS] = "guessed",
                                        [FROM_DEFINITION] = "by its definition",
                                        [FROM_CONSTRAINTS] = "solved",
                                        [FROM_INITIAL] = "given",
                                        [FROM_AT] = "given by --at"};
    const origin from = origin_of(j, symbol);
    if (from != FROM_CONSTRAINTS || !guess_of(j, symbol)) return words[from];
    text t = {0};
    text_append(&t, "solved, from the guess ");
    const assignment *guess = guess_of(j, symbol);
    if (guess->decimal) text_append(&t, guess->decimal);
    else api_write_expression(model_of(j), guess->value, &t);
    const char *made = arena_copy(&model_of(j)->ctx->arena, t.bytes, t.length);
    text_free(&t);
    return made;
}

// --- output --------------------------------------------------------------------------------------

// t, q, q' and the quasi-velocities, in this order
static uint32_t list_symbols(const assembly_job *j, expr *out) {
    const mechanics *s = j->s;
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->n; i++) out[count++] = s->q[i];
    for (uint32_t i = 0; i < s->n; i++) out[count++] = s->qd[i];
    for (uint32_t i = 0; i < model_of(j)->quasis_count; i++)
        out[count++] = model_of(j)->quasis[i].symbol;
    return count;
}

static const char *constraint_name(const assembly_job *j, uint32_t i) {
    return model_of(j)->constraints[j->s->constraint[i]].name;
}

// Newton's method does not always end at the solution that is nearest to where it starts.
static bool is_nearer(const assembly_job *j, uint32_t which) {
    const other_branches *b = &j->others;
    double there = 0, taken = 0;
    for (uint32_t i = 0; i < b->variables; i++) {
        const assignment *guess = guess_of(j, b->variable[i]);
        const double from = guess ? model_constant(model_of(j), guess->value) : NAN;
        if (isnan(from)) continue;
        const expr x = b->variable[i];
        const double own = ball_middle(j->x.value + expr_symbol_index(j->s->pool, x));
        there += pow(b->value[(size_t)which * b->variables + i] - from, 2);
        taken += pow(own - from, 2);
    }
    return there < taken;
}

static void write_branch_text(const assembly_job *j, uint32_t which, text *out) {
    const other_branches *b = &j->others;
    text_append(out, "  ");
    for (uint32_t i = 0; i < b->variables; i++)
        text_format(out, "%s%s = %.9g", i ? ", " : "", expr_symbol_text(j->s->pool, b->variable[i]),
                    b->value[(size_t)which * b->variables + i]);
    text_append(out, is_nearer(j, which) ? "  (nearer to the guess)\n" : "\n");
}

static void write_text(const void *of, text *out) {
    assembly_job *j = *(assembly_job *const *)of; // reading a state may make room in it
    expr *symbol =
        arena_array(&model_of(j)->ctx->arena, expr, 2 * j->s->n + model_of(j)->quasis_count);
    const uint32_t count = list_symbols(j, symbol);
    int width = (int)j->digits + 7;
    if (width > 60) width = 60;
    text_format(out, "state, %u digits\n  %-20s %s%s\n", j->digits, "t",
                number(j, state_get(&j->x, model_of(j)->time)),
                api_unit_in_brackets(model_of(j), model_of(j)->time));
    for (uint32_t i = 0; i < count; i++)
        text_format(out, "  %-20s %-*s %s\n", expr_symbol_text(j->s->pool, symbol[i]), width,
                    arena_format(&model_of(j)->ctx->arena, "%s%s",
                                 number(j, state_get(&j->x, symbol[i])),
                                 api_unit_in_brackets(model_of(j), symbol[i])),
                    origin_words(j, symbol[i]));
    if (j->s->k) text_append(out, "residuals of the constraints\n");
    for (uint32_t i = 0; i < j->s->k; i++)
        text_format(out, "  %-20s %s\n", constraint_name(j, i), number(j, j->residual + i));
    if (!j->others.looked) return;
    text_append(out, j->others.count ? "other ways to satisfy the constraints on coordinates\n"
                                     : "no other way to satisfy the constraints on coordinates was "
                                       "found\n");
    for (uint32_t i = 0; i < j->others.count; i++) write_branch_text(j, i, out);
}

static void write_json_values(assembly_job *j, const char *key, uint32_t count, const expr *symbol,
                              bool by_coordinate, json *out) {
    json_open(out, key, '{');
    for (uint32_t i = 0; i < count; i++)
        json_string(out,
                    by_coordinate ? expr_symbol_name(j->s->pool, j->s->q[i])
                                  : expr_symbol_text(j->s->pool, symbol[i]),
                    number(j, state_get(&j->x, symbol[i])));
    json_close(out, '}');
}

static void write_json_origins(const assembly_job *j, json *out) {
    static const struct {
        const char *key;
        origin first, last;
    } groups[] = {{"given", FROM_INITIAL, FROM_AT},
                  {"guessed", FROM_GUESS, FROM_GUESS},
                  {"solved", FROM_DEFINITION, FROM_CONSTRAINTS},
                  {"default", FROM_NOWHERE, FROM_NOWHERE}};
    expr *symbol =
        arena_array(&model_of(j)->ctx->arena, expr, 2 * j->s->n + model_of(j)->quasis_count);
    const uint32_t count = list_symbols(j, symbol);
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        json_open(out, groups[g].key, '[');
        for (uint32_t i = 0; i < count; i++) {
            const origin from = origin_of(j, symbol[i]);
            if (from >= groups[g].first && from <= groups[g].last)
                json_string(out, NULL, expr_symbol_text(j->s->pool, symbol[i]));
        }
        json_close(out, ']');
    }
}

static void write_json(const void *of, json *out) {
    assembly_job *j = *(assembly_job *const *)of;
    const model *m = model_of(j);
    const mechanics *s = j->s;
    expr *quasi = arena_array(&m->ctx->arena, expr, m->quasis_count);
    for (uint32_t i = 0; i < m->quasis_count; i++) quasi[i] = m->quasis[i].symbol;
    json_open(out, NULL, '{');
    json_string(out, "t", number(j, state_get(&j->x, m->time)));
    write_json_values(j, "q", s->n, s->q, true, out);
    write_json_values(j, "qd", s->n, s->qd, true, out);
    write_json_values(j, "eta", m->quasis_count, quasi, false, out);
    write_json_origins(j, out);
    json_open(out, "residual", '{');
    for (uint32_t i = 0; i < s->k; i++)
        json_string(out, constraint_name(j, i), number(j, j->residual + i));
    json_close(out, '}');
    json_open(out, "branches", '[');
    for (uint32_t b = 0; b < j->others.count; b++) {
        json_open(out, NULL, '{');
        for (uint32_t i = 0; i < j->others.variables; i++)
            json_string(out, expr_symbol_text(s->pool, j->others.variable[i]),
                        arena_format(&m->ctx->arena, "%.12g",
                                     j->others.value[(size_t)b * j->others.variables + i]));
        json_close(out, '}');
    }
    json_close(out, ']');
    json_close(out, '}');
}

// --- the public call -----------------------------------------------------------------------------

static void find_residuals(assembly_job *j) {
    const mechanics *s = j->s;
    expr *phi = arena_array(&model_of(j)->ctx->arena, expr, s->k);
    for (uint32_t i = 0; i < s->k; i++) {
        const constraint *c = &model_of(j)->constraints[s->constraint[i]];
        phi[i] = c->order == 0 ? c->phi : s->phi[i];
    }
    model_concrete(model_of(j), false, s->k, phi, phi);
    state_reserve(&j->x);
    program *prog = program_create(s->pool, s->k, phi);
    program_run_arb(prog, j->x.value, j->x.precision, j->residual);
    program_free(prog);
}

static bool is_accurate(assembly_job *j) {
    const model *m = model_of(j);
    for (uint32_t i = 0; i < j->s->n; i++)
        if (!api_is_accurate(state_get(&j->x, j->s->q[i]), j->digits) ||
            !api_is_accurate(state_get(&j->x, j->s->qd[i]), j->digits))
            return false;
    for (uint32_t i = 0; i < m->quasis_count; i++)
        if (!api_is_accurate(state_get(&j->x, m->quasis[i].symbol), j->digits)) return false;
    return true;
}

// With more and more bits until every number is known well enough
static hamel_status complete(assembly_job *j) {
    const model *m = model_of(j);
    dependent_constraint *idle =
        arena_array(&m->ctx->arena, dependent_constraint, m->constraints_count);
    slong bits = model_bits(m, (slong)(j->digits * 3.3219280948873623) + GUARD_BITS);
    for (int doubling = 0;; doubling++, bits *= 2) {
        uint32_t count = 0;
        state_init(&j->x, m, bits);
        const hamel_status status = state_complete(&j->x, &j->where, idle, &count);
        dependent_constraint_clear(count, idle);
        if (status || is_accurate(j) || doubling == MOST_DOUBLINGS) return status;
        state_clear(&j->x);
    }
}

static hamel_status assemble(hamel_model *m, const char *at, unsigned digits, hamel_format format,
                             char **result) {
    const struct format *as = api_find_format(m->ctx, format, WRITES_RESULT);
    if (!as) return HAMEL_USAGE;
    assembly_job j = {.digits = digits, .where = {.mode = COMPLETE_STRICT, .zero_defaults = true}};
    hamel_status status = api_check_digits(m->ctx, digits);
    if (!status) status = api_read_state(m, at, &j.where);
    mechanics *s = NULL;
    if (!status) status = mechanics_create(m, &j.where, &s);
    if (status) return status;
    j.s = s;
    status = complete(&j);
    if (!status) {
        j.residual = _arb_vec_init(s->k);
        find_residuals(&j);
        j.others = state_other_branches(&j.x);
        api_finish_result(as, &(printable){&(assembly_job *){&j}, write_text, write_json, m},
                          result);
        _arb_vec_clear(j.residual, s->k);
    }
    state_clear(&j.x);
    return status;
}

hamel_status hamel_model_assemble(hamel_model *m, const char *at, unsigned digits,
                                  hamel_format format, char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, assemble(m, at, digits, format, result),
             "completing the initial state of `%s`", m->name);
}
