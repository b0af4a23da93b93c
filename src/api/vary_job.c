// A path of steady motions along what --vary names.
#include "api/vary_job.h"

#include "base/decimal.h"
#include "base/names.h"
#include "expr/program.h"
#include "parse/parse.h"
#include "model/contact_modes.h"

#include <math.h>
#include <string.h>

enum { BITS = 256 };

// --- words ---------------------------------------------------------------------------------------

static const char *trimmed(arena *a, const char *from, size_t length) {
    while (length && *from == ' ') from++, length--;
    while (length && from[length - 1] == ' ') length--;
    return arena_copy(a, from, length);
}

// A decimal as it was written, in all its digits; or an expression of numbers, pi and parameters
static bool read_number(model *m, const char *words, arb_t out) {
    double value;
    if (hamel_number_read(words, &value))
        return !arb_set_str(out, words, BITS) && arb_is_finite(out);
    source *text = arena_new(&m->ctx->arena, source);
    *text = (source){.name = "--vary", .bytes = words, .length = strlen(words)};
    expr e;
    if (parse_scalar(m, text, &e)) return false;
    expr *from = arena_array(&m->ctx->arena, expr, m->parameters_count + 1),
         *to = arena_array(&m->ctx->arena, expr, m->parameters_count + 1);
    uint32_t defined = 0;
    for (uint32_t i = 0; i < m->parameters_count; i++)
        if (m->parameters[i].value != EXPR_NONE)
            from[defined] = m->parameters[i].symbol, to[defined++] = m->parameters[i].value;
    expr_resolve(m->pool, defined, from, to);
    e = expr_replace(m->pool, e, defined, from, to);
    program *prog = program_create(m->pool, 1, &e);
    bool *known = memory_zeros(bool, pool_symbol_count(m->pool) + 1);
    const bool is_number = program_first_unknown(prog, known) == EXPR_NONE;
    if (is_number) program_run_arb(prog, NULL, BITS, out);
    memory_free(known);
    program_free(prog);
    return is_number && arb_is_finite(out);
}

hamel_status vary_read(model *m, const char *words, vary *out) {
    context *ctx = m->ctx;
    arena *a = &ctx->arena;
    *out = (vary){0};
    arb_init(out->low), arb_init(out->high);
    const char *equal = strchr(words, '='), *dots = equal ? strstr(equal, "..") : NULL;
    out->name = ""; // so that it is cleared
    if (!dots) {
        diag_error(ctx, (span){0}, "write NAME=FROM..TO, such as v=1..10",
                   "`%s` does not say what is varied, and from where to where", words);
        return HAMEL_USAGE;
    }
    out->name = trimmed(a, words, (size_t)(equal - words));
    const char *low = trimmed(a, equal + 1, (size_t)(dots - equal - 1)),
               *high = trimmed(a, dots + 2, strlen(dots + 2));
    const bool has_low = read_number(m, low, out->low);
    if (!has_low || !read_number(m, high, out->high)) {
        diag_error(ctx, (span){0}, "give a number, or an expression of numbers and parameters",
                   "`%s` in `%s` is not a number", has_low ? high : low, words);
        return HAMEL_USAGE;
    }
    if (arb_lt(out->low, out->high)) return HAMEL_OK;
    diag_error(ctx, (span){0}, "give the smaller value first", "there is nothing from %s to %s",
               low, high);
    return HAMEL_USAGE;
}

void vary_clear(vary *v) {
    if (!v->name) return;
    arb_clear(v->low), arb_clear(v->high);
}

// --- what it names -------------------------------------------------------------------------------

static hamel_status say_there_is_no(const model *m, const char *name) {
    names known = {0};
    for (uint32_t i = 0; i < m->parameters_count; i++)
        names_put(&known, expr_symbol_name(m->pool, m->parameters[i].symbol), i);
    for (uint32_t order = 0; order < 2; order++)
        for (uint32_t i = 0; i < m->coordinates_count; i++)
            names_put(
                &known,
                expr_symbol_text(m->pool, expr_symbol_of_order(m->pool, m->coordinates[i], order)),
                i);
    const char *near = names_nearest(&known, name, NULL);
    diag_error(m->ctx, (span){0},
               near ? arena_format(&m->ctx->arena, "did you mean `%s`?", near)
                    : "name a param, a coordinate, a velocity or a quasi-velocity",
               "there is no `%s` to vary", name);
    names_free(&known);
    return HAMEL_USAGE;
}

// --- a first motion ------------------------------------------------------------------------------

static const char *digits(arena *a, double v) {
    char buffer[64];
    snprintf(buffer, sizeof buffer, "%.17g", v);
    return arena_copy(a, buffer, strlen(buffer));
}

// The value that the model has, or --at; NaN if there is none inside
static double own_value(model *m, const char *at, const vary *v, const parameter *q) {
    completion_request guess = {.mode = COMPLETE_STRICT, .zero_defaults = true};
    expr value = q ? q->value : EXPR_NONE;
    if (!q) {
        const expr x = listed_names_state(m, v->name);
        if (api_read_state(m, at, &guess)) return NAN;
        for (uint32_t i = 0; i < m->initial_count; i++)
            if (m->initial[i].symbol == x) value = m->initial[i].value;
        for (uint32_t i = 0; i < guess.at_count; i++)
            if (guess.at[i].symbol == x) value = guess.at[i].value;
    }
    if (value == EXPR_NONE) return NAN;
    double *symbols = memory_zeros(double, pool_symbol_count(m->pool) + 1);
    for (uint32_t i = 0; i < pool_symbol_count(m->pool); i++) symbols[i] = NAN;
    for (uint32_t pass = 0; pass < 4; pass++)
        for (uint32_t i = 0; i < m->parameters_count; i++)
            if (m->parameters[i].value != EXPR_NONE)
                symbols[expr_symbol_index(m->pool, m->parameters[i].symbol)] =
                    expr_value(m->pool, m->parameters[i].value, symbols);
    const double found = expr_value(m->pool, value, symbols);
    memory_free(symbols);
    const double low = ball_middle(v->low), high = ball_middle(v->high);
    return found > low && found < high ? found : NAN;
}

// The model with a parameter at this value, or the state with this value written behind it
static hamel_status put(const vary *v, bool is_parameter, double value, model **m,
                        const char **words) {
    arena *a = &(*m)->ctx->arena;
    const char *number = digits(a, value), *at = *words;
    if (is_parameter) {
        const parse_override more = {v->name, number};
        return api_read_model((*m)->ctx, (*m)->text, 1, &more, m);
    }
    *words =
        arena_format(a, "%s%s%s = %s", at && *at ? at : "", at && *at ? ", " : "", v->name, number);
    return HAMEL_OK;
}

static bool is_parameter(const model *m, const vary *v) {
    return listed_names_parameter(m, v->name) != NULL;
}

static hamel_status look_at(model *m, const char *at, double value, vary_job *j) {
    const char *words = at;
    hamel_status status = HAMEL_OK;
    model *there = m;
    if (j->also.name) {
        const parse_override more[2] = {{j->what.name, digits(&m->ctx->arena, value)},
                                        {j->also.name, digits(&m->ctx->arena, j->start_also)}};
        const bool first = is_parameter(m, &j->what), second = is_parameter(m, &j->also);
        if (first || second)
            status = api_read_model(m->ctx, m->text, (uint32_t)first + second,
                                    first ? more : more + 1, &there);
        if (!first && !status) status = put(&j->what, false, value, &there, &words);
        if (!second && !status) status = put(&j->also, false, j->start_also, &there, &words);
    } else {
        status = put(&j->what, is_parameter(m, &j->what), value, &there, &words);
    }
    if (!status) status = steady_job_look(there, words, &j->steady);
    if (!status && j->steady.s->k && !j->steady.s->m) {
        diag_error(m->ctx, (span){0}, "`hamel steady` shows where it rests, and its reactions",
                   "the constraints prescribe the motion: nothing is free to lose its stability");
        status = HAMEL_MODEL;
    }
    j->start = value;
    return status;
}

enum { PLACES = 4 };

// The model's own value first, if it is inside
static void choose_places(model *m, const char *at, const vary *v, double place[PLACES]) {
    const double low = ball_middle(v->low), high = ball_middle(v->high);
    place[0] = own_value(m, at, v, listed_names_parameter(m, v->name));
    place[1] = low + 0.3819660113 * (high - low), place[2] = low + 0.7236067977 * (high - low);
    place[3] = low + 0.0901699437 * (high - low);
}

// At a fold or a branch point equations lose rank: where another start has its full rank, that one
// is taken for a path that is to pass there (`whole`).
static hamel_status find_first(model *m, const char *at, bool whole, vary_job *j) {
    double place[PLACES], place_also[PLACES] = {0};
    choose_places(m, at, &j->what, place);
    if (j->also.name) choose_places(m, at, &j->also, place_also);
    const int all = PLACES * (j->also.name ? PLACES : 1);
    int singular = -1; // the first place where it loses rank
    for (int i = 0; i <= all; i++) {
        const bool again = i == all; // there is no better one
        const int k = again ? singular : i;
        if (k < 0 || isnan(place[k % PLACES]) || isnan(place_also[k / PLACES])) continue;
        j->start_also = place_also[k / PLACES];
        steady_job_close(&j->steady);
        j->steady = (steady_job){0};
        const hamel_status status = look_at(m, at, place[k % PLACES], j);
        const steady_motion *found = &j->steady.motion;
        if (status || (found->found && (again || !whole || found->rank == found->functions)))
            return status;
        if (found->found && singular < 0) singular = i;
    }
    diag_error(m->ctx, (span){0}, model_modes_help(m, "give another guess with --at"),
               "no steady motion was found near this state for any `%s` that was tried",
               j->what.name);
    return HAMEL_NUMERICS;
}

// The symbol that is varied; EXPR_NONE after saying that it cannot be
static expr varied(const vary_job *j, const vary *v) {
    model *m = j->steady.m;
    const parameter *q = listed_names_parameter(m, v->name);
    if (q) return q->symbol;
    const expr x = listed_names_state(m, v->name);
    if (steady_path_holds(j->steady.problem, &j->steady.motion, x)) return x;
    diag_error(m->ctx, (span){0},
               "leave open more values with --at, or vary one that the others leave free",
               "`%s` cannot be varied: steady motions near this state determine it", v->name);
    return EXPR_NONE;
}

void vary_job_path(const vary_job *j, bool whole, steady_path *out) {
    steady_path_create(j->steady.problem, &j->steady.motion, j->o, &j->steady.guess, j->symbol,
                       whole, out);
}

static hamel_status prepare(vary_job *j, bool whole) {
    j->symbol = varied(j, &j->what);
    const expr second = j->also.name ? varied(j, &j->also) : EXPR_NONE;
    if (j->symbol == EXPR_NONE || (j->also.name && second == EXPR_NONE)) return HAMEL_USAGE;
    const hamel_status status = steady_job_ode(&j->steady, &j->eq, &j->o);
    if (status) return status;
    if (second == EXPR_NONE) vary_job_path(j, whole, &j->path);
    else
        steady_path_create_plane(j->steady.problem, &j->steady.motion, j->o, &j->steady.guess,
                                 j->symbol, second, &j->path);
    return context_status(j->steady.m->ctx);
}

// --- the words of --vary -------------------------------------------------------------------------

// The comma between two of them, outside of brackets; NULL: there is none
static const char *comma(const char *words) {
    int depth = 0;
    for (; *words; words++) {
        depth += (*words == '(' || *words == '[') - (*words == ')' || *words == ']');
        if (*words == ',' && depth == 0) return words;
    }
    return NULL;
}

bool vary_is_plane(const char *words) { return comma(words) != NULL; }

// How the constraints are to be read was decided by its value, and would be for another one again.
static hamel_status check_name(const model *m, const vary *v) {
    const parameter *q = listed_names_parameter(m, v->name);
    if (!q && listed_names_state(m, v->name) == EXPR_NONE) return say_there_is_no(m, v->name);
    if (!q || !q->decided) return HAMEL_OK;
    diag_error(m->ctx, (span){0}, "vary another one, or look at single values with --set",
               "`%s` cannot be varied: how the constraints are to be taken was decided by the "
               "values of the parameters",
               v->name);
    return HAMEL_USAGE;
}

hamel_status vary_job_run(model *m, const char *at, const char *words, bool whole, vary_job *j) {
    *j = (vary_job){0};
    const char *second = comma(words);
    const char *first =
        second ? arena_copy(&m->ctx->arena, words, (size_t)(second - words)) : words;
    hamel_status status = vary_read(m, first, &j->what);
    if (!status && second) status = vary_read(m, second + 1, &j->also);
    if (!status) status = check_name(m, &j->what);
    if (!status && second) status = check_name(m, &j->also);
    if (!status && second && strcmp(j->what.name, j->also.name) == 0) {
        diag_error(m->ctx, (span){0}, "name two that differ", "`%s` is varied twice", j->what.name);
        status = HAMEL_USAGE;
    }
    if (!status) status = find_first(m, at, whole, j);
    return status ? status : prepare(j, whole);
}

hamel_status vary_job_from(const steady_job *known, const ode *o, const char *words, vary_job *j) {
    *j = (vary_job){.steady = *known, .borrowed = true, .o = o};
    hamel_status status = vary_read(known->m, words, &j->what);
    if (!status) status = check_name(known->m, &j->what);
    if (status) return status;
    j->symbol = varied(j, &j->what);
    if (j->symbol == EXPR_NONE) return HAMEL_USAGE;
    const state *x = &known->motion.x;
    j->start = ball_middle(state_get((state *)x, j->symbol));
    vary_job_path(j, false, &j->path);
    return context_status(known->m->ctx);
}

void vary_job_close(vary_job *j) {
    steady_path_clear(&j->path);
    equations_free(j->eq);
    if (!j->borrowed) steady_job_close(&j->steady);
    vary_clear(&j->what), vary_clear(&j->also);
}
