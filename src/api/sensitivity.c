// Derivatives of a motion by its data: what `sensitivity` says, in words and as JSON.
#include "api/listed_names.h"
#include "api/variation_job.h"
#include "base/decimal.h"
#include "simulate/run_memory.h"
#include "study/sensitivity.h"
#include "study/start_slopes.h"

#include <string.h>

enum { MOST_DATA = 64, MOST_SECOND = 20 };

typedef struct {
    variation_job v;
    bool second;
    uint32_t data; // by which derivatives are taken
    const datum *by;
    uint32_t functions;
    const expr *function;
    const char **name;
    variation_request columns;
    uint32_t moments;
    sensitivity *moment;
    bool *reached; // of each event
} sensitivity_job;

// --- what is asked for ---------------------------------------------------------------------------

static uint32_t count_pieces(arena *a, const char *list) {
    uint32_t count = 0;
    while (listed_names_next(a, &list)) count++;
    return count;
}

// A parameter that has a value, or a coordinate, velocity or quasi-velocity at the start
static bool find_datum(const model *m, const char *name, datum *out) {
    const parameter *q = listed_names_parameter(m, name);
    const bool has_value = q && q->value != EXPR_NONE;
    *out = (datum){has_value ? q->symbol : listed_names_state(m, name), !has_value};
    return out->symbol != EXPR_NONE;
}

static hamel_status refuse_data(const sensitivity_job *j) {
    const uint32_t most = j->second ? MOST_SECOND : MOST_DATA;
    if (j->data && j->data <= most) return HAMEL_OK;
    diag_error(j->v.m->ctx, (span){0}, "name those that matter with --to",
               j->data ? "%u parameters and values at the start are too many for derivatives at "
                         "once: at most %u"
                       : "there is nothing to take derivatives by",
               j->data, most);
    return HAMEL_USAGE;
}

static hamel_status read_data(sensitivity_job *j, const char *to) {
    model *m = j->v.m;
    arena *a = &m->ctx->arena;
    if (!to) {
        if (!start_slopes_data(j->v.run.sim, &j->v.where, &j->data, &j->by)) return HAMEL_MODEL;
        return refuse_data(j);
    }
    datum *list = arena_array(a, datum, count_pieces(a, to));
    for (const char *name; (name = listed_names_next(a, &to));) {
        if (!find_datum(m, name, &list[j->data])) {
            diag_error(m->ctx, (span){0},
                       "name parameters, coordinates, velocities and quasi-velocities, with commas "
                       "between them",
                       "--to: there is no parameter with a value and no value at the start called "
                       "`%s`",
                       name);
            return HAMEL_USAGE;
        }
        for (uint32_t i = 0; i < j->data; i++)
            if (list[i].symbol == list[j->data].symbol) {
                diag_error(m->ctx, (span){0}, NULL, "--to: `%s` is named twice", name);
                return HAMEL_USAGE;
            }
        j->data++;
    }
    j->by = list;
    return refuse_data(j);
}

// An observable or invariant by its name, or an expression
static hamel_status read_function(model *m, const char *piece, expr *out) {
    for (uint32_t i = 0; i < m->observables_count; i++)
        if (strcmp(m->observables[i].name, piece) == 0)
            return *out = m->observables[i].value, HAMEL_OK;
    for (uint32_t i = 0; i < m->invariants_count; i++)
        if (strcmp(m->invariants[i].name, piece) == 0)
            return *out = m->invariants[i].value, HAMEL_OK;
    source *text = arena_new(&m->ctx->arena, source);
    *text = (source){.name = "--of", .bytes = piece, .length = strlen(piece)};
    return parse_scalar(m, text, out);
}

static hamel_status read_functions(sensitivity_job *j, const char *of) {
    model *m = j->v.m;
    arena *a = &m->ctx->arena;
    const uint32_t n = m->coordinates_count, quasis = m->quasis_count,
                   most = of ? count_pieces(a, of) : 2 * n + quasis;
    expr *function = arena_array(a, expr, most + 1);
    j->name = arena_array(a, const char *, most + 1), j->function = function;
    for (uint32_t i = 0; i < 2 * n + quasis && !of; i++) {
        const expr e = i < 2 * n ? expr_symbol_of_order(m->pool, m->coordinates[i % n], i / n)
                                 : m->quasis[i - 2 * n].symbol;
        j->name[i] = expr_symbol_text(m->pool, e);
        function[i] = i < 2 * n ? e : m->quasis[i - 2 * n].definition;
    }
    j->functions = of ? 0 : 2 * n + quasis;
    for (const char *piece; of && (piece = listed_names_next(a, &of)); j->functions++) {
        j->name[j->functions] = piece;
        const hamel_status status = read_function(m, piece, &function[j->functions]);
        if (status) return status == HAMEL_MODEL ? HAMEL_USAGE : status;
    }
    return variation_job_knows(&j->v, j->functions, function) ? HAMEL_OK : HAMEL_MODEL;
}

// --- the motion ----------------------------------------------------------------------------------

// Events and their times, by a run without derivatives
static void find_events(sensitivity_job *j) {
    run *r = &j->v.run.r;
    const model *m = j->v.m;
    j->reached = arena_array(&m->ctx->arena, bool, m->events_count + 1);
    if (!m->events_count) return;
    run_status status = run_begin(r);
    if (!status) status = run_integrate(r);
    if (status == RUN_EVENT) r->asked.end = r->state.t;
    memcpy(j->v.run.sim->z0, j->v.z0, sizeof(double) * j->v.run.sim->o->size);
}

static const event *event_of(const model *m, const char *name, bool *reached) {
    for (uint32_t i = 0; i < m->events_count; i++)
        if (m->events[i].name == name) return reached[i] = true, &m->events[i];
    return NULL;
}

static hamel_status look(sensitivity_job *j, const event *at) {
    if (sensitivity_look(j->v.flow, &j->columns, j->functions, j->function, at,
                         &j->moment[j->moments]))
        return j->moments++, HAMEL_OK;
    diag_error(j->v.m->ctx, (span){0}, NULL,
               "what is asked for has no finite value or derivative at t = %.10g",
               flow_time(j->v.flow));
    return HAMEL_NUMERICS;
}

static hamel_status follow(sensitivity_job *j) {
    run *r = &j->v.run.r;
    const uint32_t events = r->record.events_count;
    const model *m = j->v.m;
    j->moment = arena_array(&m->ctx->arena, sensitivity, events + 1);
    for (uint32_t i = 0; i <= events; i++) {
        const run_status status =
            flow_run(j->v.flow, i < events ? r->record.events[i].t : r->asked.end);
        if (status) return variation_job_stopped(&j->v, status);
        const event *at = i < events ? event_of(m, r->record.events[i].name, j->reached) : NULL;
        const bool ends = i == events && events && r->record.events[events - 1].t == r->asked.end;
        const hamel_status looked = ends ? HAMEL_OK : look(j, at);
        if (looked) return looked;
    }
    return HAMEL_OK;
}

static hamel_status differentiate(sensitivity_job *j) {
    const simulation *sim = j->v.run.sim;
    arena *a = &j->v.m->ctx->arena;
    const uint32_t pairs = j->second ? variation_pairs(j->data) : 0;
    expr *parameter = arena_array(a, expr, j->data);
    for (uint32_t i = 0; i < j->data; i++)
        parameter[i] = j->by[i].is_start ? EXPR_NONE : j->by[i].symbol;
    const followers f = start_slopes_followers(j->v.m, j->data, j->by);
    j->columns = (variation_request){.columns = j->data,
                                     .by = parameter,
                                     .second = j->second,
                                     .follow_count = f.count,
                                     .follow = f.symbol,
                                     .meaning = f.meaning};
    double *start = arena_array(a, double, (size_t)sim->o->size *(j->data + pairs) + 1);
    const hamel_status status = start_slopes(sim, &j->v.where, j->data, j->by, j->second, start);
    if (status) return status;
    j->columns.start = start;
    find_events(j);
    run *r = &j->v.run.r;
    run_rewind(r);
    r->state.shifts = NULL; // what is asked for may see whole turns
    j->v.flow = flow_create(r, &j->columns, j->v.asked.execute, r->asked.end);
    const hamel_status made = context_status(j->v.m->ctx);
    if (made) return made;
    flow_start(j->v.flow, sim->t0, j->v.z0, start);
    return follow(j);
}

// --- output --------------------------------------------------------------------------------------

static const char *by_name(const sensitivity_job *j, uint32_t a) {
    const char *name = expr_symbol_text(j->v.m->pool, j->by[a].symbol);
    return j->by[a].is_start ? arena_format(&j->v.m->ctx->arena, "%s(0)", name) : name;
}

static void write_number(text *out, const char *name, double value) {
    text_format(out, "    %-16s ", name);
    decimal_append(value, out);
    text_char(out, '\n');
}

static void write_moment(const sensitivity_job *j, const sensitivity *m, text *out) {
    text_format(out, m->event ? "event %s at t = " : "the end at t = ", m->event);
    decimal_append(m->t, out);
    text_char(out, '\n');
    if (m->grazes) {
        text_append(out, "  it is touched, not crossed: its time has no derivatives\n");
        return;
    }
    if (m->event) text_append(out, "  the time of the event, its derivatives by\n");
    for (uint32_t a = 0; a < j->data && m->event; a++) write_number(out, by_name(j, a), m->time[a]);
    for (uint32_t i = 0; i < j->functions; i++) {
        text_format(out, "  %s = ", j->name[i]);
        decimal_append(m->value[i], out);
        text_append(out, ", its derivatives by\n");
        for (uint32_t a = 0; a < j->data; a++)
            write_number(out, by_name(j, a), m->slope[i * j->data + a]);
        for (uint32_t a = 0, pair = 0; a < j->data && m->bend; a++)
            for (uint32_t b = a; b < j->data; b++, pair++)
                write_number(
                    out, arena_format(&j->v.m->ctx->arena, "%s, %s", by_name(j, a), by_name(j, b)),
                    m->bend[i * variation_pairs(j->data) + pair]);
    }
}

static void write_text(const void *of, text *out) {
    const sensitivity_job *j = of;
    const model *m = j->v.m;
    for (uint32_t i = 0; i < j->moments; i++) write_moment(j, &j->moment[i], out);
    for (uint32_t i = 0; i < m->events_count; i++)
        if (!j->reached[i]) text_format(out, "event %s was not reached\n", m->events[i].name);
    if (j->second && m->events_count)
        text_append(out, "second derivatives are those at a fixed time, at the end\n");
}

static void write_slopes(const sensitivity_job *j, const sensitivity *m, uint32_t i, json *out) {
    json_open(out, j->name[i], '{');
    for (uint32_t a = 0; a < j->data; a++)
        json_number(out, by_name(j, a), m->slope[i * j->data + a]);
    json_close(out, '}');
}

static void write_bends(const sensitivity_job *j, const sensitivity *m, uint32_t i, json *out) {
    const double *bend = m->bend + (size_t)i * variation_pairs(j->data);
    json_open(out, j->name[i], '{');
    for (uint32_t a = 0; a < j->data; a++) {
        json_open(out, by_name(j, a), '{');
        for (uint32_t b = 0; b < j->data; b++)
            json_number(
                out, by_name(j, b),
                bend[a < b ? variation_pair(j->data, a, b) : variation_pair(j->data, b, a)]);
        json_close(out, '}');
    }
    json_close(out, '}');
}

static void write_moment_json(const sensitivity_job *j, const sensitivity *m, json *out) {
    json_open(out, NULL, '{');
    if (m->event) json_string(out, "event", m->event);
    json_number(out, "t", m->t);
    if (m->grazes) json_bool(out, "grazes", true);
    if (m->event && !m->grazes) {
        json_open(out, "time", '{');
        for (uint32_t a = 0; a < j->data; a++) json_number(out, by_name(j, a), m->time[a]);
        json_close(out, '}');
    }
    json_open(out, "value", '{');
    for (uint32_t i = 0; i < j->functions; i++) json_number(out, j->name[i], m->value[i]);
    json_close(out, '}');
    if (!m->grazes) {
        json_open(out, "derivatives", '{');
        for (uint32_t i = 0; i < j->functions; i++) write_slopes(j, m, i, out);
        json_close(out, '}');
    }
    if (m->bend) {
        json_open(out, "second", '{');
        for (uint32_t i = 0; i < j->functions; i++) write_bends(j, m, i, out);
        json_close(out, '}');
    }
    json_close(out, '}');
}

static void write_json(const void *of, json *out) {
    const sensitivity_job *j = of;
    const model *m = j->v.m;
    json_open(out, NULL, '{');
    json_open(out, "by", '[');
    for (uint32_t a = 0; a < j->data; a++) json_string(out, NULL, by_name(j, a));
    json_close(out, ']');
    json_open(out, "moments", '[');
    for (uint32_t i = 0; i < j->moments; i++) write_moment_json(j, &j->moment[i], out);
    json_close(out, ']');
    json_open(out, "not_reached", '[');
    for (uint32_t i = 0; i < m->events_count; i++)
        if (!j->reached[i]) json_string(out, NULL, m->events[i].name);
    json_close(out, ']');
    json_integer(out, "steps", (int64_t)flow_steps(j->v.flow));
    api_write_warnings(m->ctx, out);
    json_close(out, '}');
}

static hamel_status sensitivities(hamel_model *m, const hamel_run *asked, const char *of,
                                  const char *to, int second, hamel_format format, char **result) {
    const struct format *as = api_find_format(m->ctx, format, WRITES_RESULT);
    if (!as) return HAMEL_USAGE;
    sensitivity_job j = {.second = second != 0};
    hamel_status status = variation_job_prepare(&j.v, m, asked);
    if (!status) status = read_data(&j, to);
    if (!status) status = read_functions(&j, of);
    if (!status) status = differentiate(&j);
    if (!status)
        status = api_finish_result(as, &(printable){&j, write_text, write_json, m}, result);
    variation_job_close(&j.v);
    return status;
}

hamel_status hamel_model_sensitivity(hamel_model *m, const hamel_run *asked, const char *of,
                                     const char *to, int second, hamel_format format,
                                     char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, asked);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, sensitivities(m, asked, of, to, second, format, result),
             "taking derivatives along a motion of `%s`", m->name);
}
