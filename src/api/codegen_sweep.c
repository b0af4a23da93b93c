// What the target `cuda` writes beside the rate and the events: what a sweep collects of each run,
// where the choice of velocities is watched, what is varied.
#include "api/codegen_job.h"
#include "api/gpu_start.h"

#include "codegen/cuda.h"
#include "codegen/script.h"
#include "integrate/integrator.h"
#include "sweep/plan.h"

#include <inttypes.h>

typedef codegen_job job;

static const char *name_of(const job *j, expr e) { return expr_symbol_text(j->m->pool, e); }

hamel_status codegen_sweep_refuse(const job *j) {
    const model *m = j->m;
    for (uint32_t i = 0; i < m->givens_count; i++) {
        if (!m->givens[i].data) continue;
        diag_error(m->ctx, m->givens[i].at, "use a formula in its place, or --target c",
                   "a sweep on a GPU does not look up functions from data");
        return HAMEL_USAGE;
    }
    return HAMEL_OK;
}

// --- what is collected ---------------------------------------------------------------------------

typedef struct {
    uint32_t count, value_count;
    project_collected *list;
    expr *value;
} collection;

// What the model says; where it says nothing, the states at the end
static collection list_collected(const job *j) {
    const model *m = j->m;
    const ode *o = j->sim->o;
    const uint32_t most = m->collects_count + o->size;
    collection c = {.list = arena_array(j->arena, project_collected, most),
                    .value = arena_array(j->arena, expr, most)};
    for (uint32_t i = 0; i < m->collects_count; i++) {
        const collected *from = &m->collects[i];
        const bool of_event = from->kind == COLLECT_FIRST || from->kind == COLLECT_COUNT;
        c.list[c.count++] = (project_collected){from->name, (int)from->kind,
                                                of_event ? from->event : c.value_count};
        if (!of_event) c.value[c.value_count++] = from->value;
    }
    for (uint32_t i = 0; i < o->size && !m->collects_count; i++) {
        c.list[c.count++] =
            (project_collected){arena_format(j->arena, "final(%s)", name_of(j, o->state[i])),
                                COLLECT_FINAL, c.value_count};
        c.value[c.value_count++] = o->state[i];
    }
    return c;
}

static const tape *made(job *j, const char *id, tape *t) {
    return codegen_add_made(j, (project_function){.id = id, .about = id}, t)->t;
}

static bool has_extremes(const collection *c) {
    for (uint32_t i = 0; i < c->count; i++)
        if (c->list[i].kind == COLLECT_MAX || c->list[i].kind == COLLECT_MIN) return true;
    return false;
}

// --- what is varied ------------------------------------------------------------------------------

static void write_axes(const sweep_layout *p, text *out) {
    text_format(out, "static const sweep_axis hamel_axes[%u] = {\n",
                p->axis_count ? p->axis_count : 1);
    for (uint32_t i = 0; i < p->axis_count; i++) {
        const sweep_axis *x = &p->axis[i];
        text_format(out, "    {%u, %u, %" PRIu64 "u, %" PRIu64 "u, ", x->kind, x->target_count,
                    x->count, x->stride);
        const double numbers[] = {x->first, x->second, x->from, x->to, x->scale};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            script_number(numbers[k], out), text_append(out, ", ");
        text_format(out, "%" PRIu64 "u},\n", x->offset);
    }
    text_append(out,
                p->axis_count ? "};\n" : "    {0, 0, 0u, 0u, 0.0, 0.0, 0.0, 0.0, 0.0, 0u}};\n");
}

static void write_numbers(const char *type, const char *name, uint64_t count, const void *from,
                          bool is_double, size_t size, text *out) {
    if (!from) count = 0;
    text_format(out, "static const %s hamel_%s[%" PRIu64 "] = {", type, name, count ? count : 1);
    for (uint64_t i = 0; i < count; i++) {
        text_append(out, i % 8 ? " " : "\n    ");
        if (is_double) script_number(((const double *)from)[i], out);
        else if (size == 4) text_format(out, "%" PRIu32 "u", ((const uint32_t *)from)[i]);
        else text_format(out, "%" PRIu64 "u", ((const uint64_t *)from)[i]);
        text_char(out, ',');
    }
    text_append(out, count ? "\n};\n" : "0};\n");
}

static uint64_t list_numbers(const sweep_layout *p) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < p->axis_count; i++) {
        const sweep_axis *x = &p->axis[i];
        const uint64_t end = x->offset + x->count * x->target_count;
        if (x->kind == AXIS_LIST && end > count) count = end;
    }
    return count;
}

// As cuda/main.cuh reads it
static void write_layout(const sweep_layout *p, text *out) {
    const uint64_t drawn = p->drawn_count;
    write_axes(p, out);
    write_numbers("hamel_value", "numbers", list_numbers(p), p->numbers, true, 8, out);
    write_numbers("uint64_t", "direction", drawn * SOBOL_BITS, p->direction, false, 8, out);
    write_numbers("uint64_t", "shift", drawn, p->shift, false, 8, out);
    write_numbers("uint32_t", "round", drawn * PERMUTATION_ROUNDS, p->round, false, 4, out);
    text_format(out,
                "static const sweep_layout hamel_layout = {%u, %u, %u, %u, %" PRIu64 "u, %" PRIu64
                "u, {%" PRIu32 "u, %" PRIu32 "u},\n    hamel_axes, hamel_numbers, %s, %s, %s, %u, "
                "%u};\n",
                p->axis_count, p->value_count, p->drawn_count, p->how, p->runs, p->samples,
                p->key[0], p->key[1], p->direction ? "hamel_direction" : "NULL",
                p->shift ? "hamel_shift" : "NULL", p->round ? "hamel_round" : "NULL", p->half,
                p->jitter_bits);
}

static const char NOTHING_VARIED[] = "static const sweep_layout hamel_layout = sweep_layout();\n"
                                     "static const int hamel_layout_target[1] = {0};\n"
                                     "static const char *const hamel_layout_name[1] = {NULL};\n";

static hamel_status list_varied(const job *j, const gpu_start *start, project_sweep *to) {
    const collected *what;
    uint32_t count;
    const sweep_texts nothing = {0};
    to->layout = NOTHING_VARIED;
    if (!j->m->sweeps_count) return HAMEL_OK;
    const sweep_plan *plan = sweep_plan_create(j->m, &nothing, &what, &count);
    if (!plan) return context_status(j->m->ctx);
    const uint32_t values = sweep_plan_values(plan);
    text out = {0}, names = {0};
    write_layout(sweep_plan_layout(plan), &out);
    text_format(&out, "static const int hamel_layout_target[%u] = {", values ? values : 1);
    text_format(&names, "static const char *const hamel_layout_name[%u] = {", values ? values : 1);
    hamel_status status = HAMEL_OK;
    for (uint32_t i = 0; i < values && !status; i++) {
        const char *name = sweep_plan_name(plan, i);
        const int target = gpu_start_target(start, j->sim, name);
        const bool is_state = target >= 0 && target < (int)j->sim->o->size;
        if (target < 0 || (is_state && !gpu_start_is_stated(start, j->sim))) {
            diag_error(j->m->ctx, j->m->sweeps[0].at,
                       "`hamel sweep` begins runs by solving the constraints",
                       "code for a GPU cannot begin runs from other values of `%s`", name);
            status = HAMEL_USAGE;
        }
        text_format(&out, "%s%d", i ? ", " : "", target);
        text_append(&names, i ? ", " : ""), script_string(name, &names);
    }
    text_append(&names, values ? "};\n" : "NULL};\n");
    text_format(&out, values ? "};\n%s" : "0};\n%s", text_string(&names));
    to->layout = arena_copy(j->arena, text_string(&out), out.length);
    text_free(&out), text_free(&names);
    return status;
}

// --- all of it -----------------------------------------------------------------------------------

// As simulate/charts.c: where there is a choice of velocities that can get worse
static bool watches_chart(const simulation *sim) {
    const mechanics *s = sim->eq->system;
    return sim->eq->explicit_velocities && s->k && !s->h && !s->has_quasi &&
           !sim->eq->auxiliaries_count && sim->rows;
}

// The code stays in one mode of each contact.
static hamel_status refuse_contact_events(const model *m) {
    for (uint32_t i = 0; i < m->collects_count; i++) {
        const collected *c = &m->collects[i];
        if (!c->event_name || c->event != UINT32_MAX) continue;
        diag_error(m->ctx, c->at, "`hamel sweep` follows contacts",
                   "the code is of the smooth motion, which has no `%s`", c->event_name);
        return HAMEL_USAGE;
    }
    return HAMEL_OK;
}

hamel_status codegen_sweep_list(job *j) {
    const hamel_status refused = refuse_contact_events(j->m);
    if (refused) return refused;
    const simulation *sim = j->sim;
    const mechanics *s = sim->eq->system;
    const collection c = list_collected(j);
    project_sweep *to = arena_new(j->arena, project_sweep);
    const char **event = arena_array(j->arena, const char *, j->m->events_count);
    for (uint32_t i = 0; i < j->m->events_count; i++) event[i] = j->m->events[i].name;
    *to = (project_sweep){.rate = sim->rate,
                          .events = sim->events,
                          .collected_count = c.count,
                          .collected = c.list,
                          .event_name = event,
                          .tsit5 = integrator_find("tsit5")->tableau,
                          .dop853 = integrator_find("dop853")->tableau};
    if (c.value_count) {
        expr *open = arena_array(j->arena, expr, c.value_count);
        ode_open_expressions(sim->o, c.value_count, c.value, open);
        to->values = made(j, "values", simulation_tape(sim, c.value_count, open));
        if (has_extremes(&c))
            to->slopes = made(j, "slopes", simulation_slopes_along(sim, c.value_count, open));
    }
    if (watches_chart(sim))
        to->rows = sim->rows, to->dependent_count = s->k, to->dependent = s->dependent;
    gpu_start start = gpu_start_list(j->m, sim);
    if (start.given) {
        to->given = made(j, "given", start.given), to->start = made(j, "start", start.start);
        to->given_name = start.name;
    }
    const uint32_t n = sim->o->size;
    bool *may = arena_array(j->arena, bool, n + sim->parameter_count);
    for (uint32_t i = 0; i < n; i++) may[i] = gpu_start_may_vary_state(&start, sim, i);
    for (uint32_t i = 0; i < sim->parameter_count; i++)
        may[n + i] = gpu_start_may_vary(&start, sim, i);
    to->may_vary = may;
    j->g.sweep = to;
    return list_varied(j, &start, to);
}
