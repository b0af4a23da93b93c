// What an FMU is made of beside the rate and the events: calculated values, slopes, resets.
#include "api/codegen_job.h"

#include "execute/machine.h"
#include "integrate/integration.h"
#include "integrate/integrator.h"
#include "model/contact_modes.h"

#include <math.h>
#include <string.h>

typedef codegen_job job;

// More entries than these are not written as slopes: the code would take a compiler minutes.
enum { MOST_SLOPES = 20000 };
static const double USUAL_TOLERANCE = 1e-12;

hamel_status codegen_fmu_refuse(const job *j) {
    const model *m = j->m;
    bool stated = false;
    for (uint32_t i = 0; i < m->contacts_count; i++) stated |= m->contacts[i].mode_is_stated;
    if (!m->contacts_count || (stated && !m->resets_count)) return HAMEL_OK;
    const contact *c = &m->contacts[0];
    if (stated)
        diag_error(m->ctx, m->resets[0].at, "leave out `when` and `every`",
                   "an FMU has contacts in modes that are named, or resets, and not both");
    else
        diag_error(m->ctx, c->at,
                   arena_format(&m->ctx->arena, "name a mode, such as --set mode[%s]=%s", c->name,
                                c->tangents ? "sticking" : "sliding"),
                   "an FMU does not follow contacts that open and close");
    return HAMEL_USAGE;
}

// --- calculated values ---------------------------------------------------------------------------

static bool is_of_motion(column_kind kind) {
    return kind == COLUMN_COORDINATE || kind == COLUMN_VELOCITY || kind == COLUMN_QUASI;
}

// A quasi-velocity that is a state comes back as an expression of (z, t): names tell
static bool is_state_column(const job *j, uint32_t state, const column *c) {
    return is_of_motion(c->kind) &&
           strcmp(c->name, expr_symbol_text(j->m->pool, j->sim->o->state[state])) == 0;
}

static bool is_state(const job *j, const column *c) {
    for (uint32_t i = 0; i < j->sim->o->size; i++)
        if (is_state_column(j, i, c)) return true;
    return false;
}

typedef struct {
    uint32_t count;
    expr *value;
    const char **name, **unit;
    bool *is_output;
} values;

// The columns of a run that are no states: what hosts see of the motion, and what should stay
static values list_values(const job *j) {
    const simulation *sim = j->sim;
    const uint32_t most = sim->column_count;
    values v = {.value = arena_array(j->arena, expr, most),
                .name = arena_array(j->arena, const char *, most),
                .unit = arena_array(j->arena, const char *, most),
                .is_output = arena_array(j->arena, bool, most)};
    for (uint32_t i = 0; i < most; i++) {
        const column *c = &sim->column[i];
        if (c->kind == COLUMN_TIME || is_state(j, c)) continue;
        v.value[v.count] = c->value, v.name[v.count] = c->name, v.unit[v.count] = c->unit;
        v.is_output[v.count++] =
            is_of_motion(c->kind) || c->kind == COLUMN_OBSERVABLE || c->kind == COLUMN_CONTACT;
    }
    return v;
}

// Rates, then values, by z, t and the inputs
static void add_slopes(job *j, project_fmu *u, const values *v) {
    const simulation *sim = j->sim;
    const uint32_t n = sim->o->size, rows = n + v->count, columns = n + 1 + j->input_count;
    if ((uint64_t)rows * columns > MOST_SLOPES) return;
    expr *f = arena_array(j->arena, expr, rows), *by = arena_array(j->arena, expr, columns);
    memcpy(f, sim->o->open_rate, sizeof *f * n);
    if (v->count) memcpy(f + n, v->value, sizeof *f * v->count);
    memcpy(by, sim->o->state, sizeof *by * n);
    by[n] = j->m->time;
    if (j->input_count) memcpy(by + n + 1, j->input, sizeof *by * j->input_count);
    u->slopes = codegen_add_made(
        j,
        (project_function){.id = "slopes",
                           .about = "slopes of the rate and of what is shown, by the state, the "
                                    "time and the inputs, row by row",
                           .columns = columns},
        simulation_slopes(sim, rows, f, columns, by));
}

// --- all of them ---------------------------------------------------------------------------------

static project_fmu *fmu_of(job *j) {
    project_fmu *u = arena_new(j->arena, project_fmu);
    j->g.fmu = u;
    return u;
}

hamel_status codegen_fmu_list(job *j) {
    project_fmu *u = fmu_of(j);
    const values v = list_values(j);
    if (v.count)
        u->shown = codegen_add_made(j,
                                    (project_function){.id = "shown",
                                                       .about = "what is shown of the motion",
                                                       .entry = v.name,
                                                       .unit = v.unit},
                                    simulation_tape(j->sim, v.count, v.value));
    u->shown_is_output = v.is_output;
    add_slopes(j, u, &v);
    return codegen_resets_list(j, u);
}

// --- beside the functions ------------------------------------------------------------------------

static bool stands_in(const job *j, expr symbol, expr e) {
    return e != EXPR_NONE && expr_depends_on(j->m->pool, e, 1, &symbol);
}

static fmu_parameter kind_of(const job *j, expr symbol) {
    const model *m = j->m;
    for (uint32_t i = 0; i < m->resets_count; i++) {
        for (uint32_t k = 0; k < m->resets[i].count; k++)
            if (m->resets[i].values[k].symbol == symbol) return PARAMETER_DISCRETE;
    }
    for (uint32_t i = 0; i < m->resets_count; i++) // a period is a number of the code
        if (stands_in(j, symbol, m->resets[i].period)) return PARAMETER_CONSTANT;
    for (uint32_t i = 0; i < m->parameters_count; i++)
        if (m->parameters[i].symbol == symbol && m->parameters[i].decided)
            return PARAMETER_CONSTANT;
    return PARAMETER_TUNABLE;
}

// What the model states for its inputs, at the start
static const double *inputs_at_start(const job *j) {
    const simulation *sim = j->sim;
    double *value = arena_array(j->arena, double, j->input_count + 1);
    if (!j->input_count) return value;
    expr *at = arena_array(j->arena, expr, j->input_count);
    ode_open_expressions(sim->o, j->input_count, j->stated, at);
    tape *t = simulation_tape(sim, j->input_count, at);
    machine law;
    machine_init(&law, t, sim->parameter_value);
    machine_run(&law, sim->t0, sim->z0, value);
    for (uint32_t i = 0; i < j->input_count; i++)
        if (!isfinite(value[i])) value[i] = 0;
    machine_free(&law);
    tape_free(t);
    return value;
}

// The names that parameters have in the model: an input that is held, not the parameter for it
static const char *const *names_of_parameters(const job *j) {
    const uint32_t count = j->sim->parameter_count;
    const char **name = arena_array(j->arena, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++) name[i] = reset_target_name(j->m, j->sim->parameter[i]);
    return name;
}

void codegen_fmu_describe(job *j) {
    const simulation *sim = j->sim;
    const model *m = j->m;
    project_fmu *u = (project_fmu *)(uintptr_t)j->g.fmu;
    fmu_parameter *kind = arena_array(j->arena, fmu_parameter, j->g.parameter_count + 1);
    bool *is_output = arena_array(j->arena, bool, sim->o->size + 1);
    for (uint32_t i = 0; i < j->g.parameter_count; i++) kind[i] = kind_of(j, sim->parameter[i]);
    for (uint32_t i = 0; i < sim->o->size; i++)
        for (uint32_t k = 0; k < sim->column_count; k++)
            is_output[i] |= is_state_column(j, i, &sim->column[k]);
    u->kind = kind, u->state_is_output = is_output, u->input = inputs_at_start(j);
    u->pair = integrator_find("dop853")->tableau;
    const double stated =
        m->simulate.tolerance == EXPR_NONE ? NAN : model_constant(m, m->simulate.tolerance);
    u->tolerance = stated > 0 ? fmin(fmax(stated, 1e-13), USUAL_TOLERANCE) : USUAL_TOLERANCE;
    u->interval = m->simulate.output == EXPR_NONE ? 0 : model_constant(m, m->simulate.output);
    u->guid = "";
    j->g.parameter = names_of_parameters(j);
}
