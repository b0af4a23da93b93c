// Stand-alone code from a model: everything as functions of (z, t), written into a folder by one of
// the targets of codegen/targets.def.
#include "api/codegen_job.h"
#include "api/codegen_paper.h"
#include "api/project_folder.h"
#include "print/derivation.h"
#include "equations/cheapest.h"
#include "execute/data_pieces.h"
#include "model/contact_modes.h"
#include "model/inputs.h"

#include <math.h>

enum { MOST_FUNCTIONS = 16, LONGEST_EQUATIONS = 12000 };
static const double DEFAULT_LENGTH = 10;

typedef codegen_job job;

// --- what is computed ----------------------------------------------------------------------------

static void add(job *j, project_function f) { j->function[j->g.function_count++] = f; }

const project_function *codegen_add_made(job *j, project_function f, tape *t) {
    f.t = j->made[j->g.function_count] = t;
    add(j, f);
    return &j->function[j->g.function_count - 1];
}

// A list of expressions in (q, q', q'', eta, lambda, t): a function of (z, t).
// Nothing is written for an empty list.
static void add_values(job *j, project_function f, uint32_t count, const expr *value) {
    const simulation *sim = j->sim;
    if (!count) return;
    expr *at = arena_array(j->arena, expr, count);
    ode_open_expressions(sim->o, count, value, at);
    codegen_add_made(j, f, simulation_tape(sim, count, at));
}

static const char *name_of(const job *j, expr e) { return expr_symbol_text(j->m->pool, e); }

static const char *const *names_of(const job *j, uint32_t count, const expr *symbol) {
    const char **name = arena_array(j->arena, const char *, count);
    for (uint32_t i = 0; i < count; i++) name[i] = name_of(j, symbol[i]);
    return name;
}

static const char *const *units_of(const job *j, uint32_t count, const expr *symbol) {
    const char **unit = arena_array(j->arena, const char *, count);
    for (uint32_t i = 0; i < count; i++) unit[i] = model_unit(j->m, symbol[i]);
    return unit;
}

static const expr *rates_of(const job *j, uint32_t count, const expr *symbol) {
    expr *rate = arena_array(j->arena, expr, count);
    for (uint32_t i = 0; i < count; i++) rate[i] = expr_symbol_derivative(j->m->pool, symbol[i]);
    return rate;
}

// Columns of the run of one kind: energy, invariants, observables, residuals. They
// are functions of (z, t) already.
static void add_columns(job *j, const char *id, const char *about, column_kind kind) {
    const simulation *sim = j->sim;
    expr *value = arena_array(j->arena, expr, sim->column_count);
    const char **name = arena_array(j->arena, const char *, sim->column_count),
               **unit = arena_array(j->arena, const char *, sim->column_count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < sim->column_count; i++) {
        if (sim->column[i].kind != kind) continue;
        value[count] = sim->column[i].value;
        unit[count] = sim->column[i].unit, name[count++] = sim->column[i].name;
    }
    add_values(
        j,
        (project_function){.id = id, .about = about, .entry = name, .unit = unit, .in_rows = true},
        count, value);
}

// matrix * unknown = forcing
static void add_linear_system(job *j) {
    const uint32_t n = j->eq->unknown_count;
    text about = {0};
    const expr *matrix = cheapest_matrix(j->eq);
    expr *forcing = arena_array(j->arena, expr, n);
    for (uint32_t i = 0; i < n; i++) forcing[i] = expr_neg(j->m->pool, matrix[n * n + i]);
    text_append(&about, "the matrix M, row by row, of M * u = F with u = (");
    for (uint32_t i = 0; i < n; i++)
        text_format(&about, "%s%s", i ? ", " : "", name_of(j, j->eq->unknown[i]));
    text_append(&about, ")");
    add_values(j,
               (project_function){.id = "mass",
                                  .about = arena_copy(j->arena, text_string(&about), about.length),
                                  .columns = n},
               n * n, matrix);
    add_values(j,
               (project_function){.id = "forcing", .about = "the right-hand side F of M * u = F"},
               n, forcing);
    text_free(&about);
}

static void add_reactions(job *j) {
    const mechanics *s = j->system;
    expr *value = arena_array(j->arena, expr, s->n);
    for (uint32_t i = 0; i < s->n; i++) value[i] = equations_acting_reaction(j->eq, i);
    add_values(j,
               (project_function){.id = "reactions",
                                  .about = "generalised reactions of the constraints on",
                                  .entry = names_of(j, s->n, s->q)},
               j->eq->multiplier_count ? s->n : 0, value);
}

static void add_events(job *j) {
    const model *m = j->m;
    const char **name = arena_array(j->arena, const char *, m->events_count);
    project_event *event = arena_array(j->arena, project_event, m->events_count);
    for (uint32_t i = 0; i < m->events_count; i++) {
        name[i] = m->events[i].name;
        event[i] = (project_event){m->events[i].stop, m->events[i].direction};
    }
    j->g.event = event;
    const project_function f = {.id = "events",
                                .about = "functions whose zeros are events",
                                .entry = name,
                                .t = j->sim->events};
    if (m->events_count) add(j, f);
}

static void list_rate(job *j) {
    const ode *o = j->sim->o;
    const expr *rate = rates_of(j, o->size, o->state);
    add(j, (project_function){.id = "rate",
                              .about = "z' = f(z, t)",
                              .entry = names_of(j, o->size, rate),
                              .unit = units_of(j, o->size, rate),
                              .t = j->sim->rate});
}

static void list_functions(job *j) {
    const ode *o = j->sim->o;
    list_rate(j);
    add_values(j,
               (project_function){.id = "velocities",
                                  .about = "velocities",
                                  .entry = names_of(j, j->system->n, j->system->qd),
                                  .unit = units_of(j, j->system->n, j->system->qd)},
               j->system->n, j->system->qd);
    add_linear_system(j);
    add_values(j,
               (project_function){.id = "multipliers",
                                  .about = "multipliers",
                                  .entry = names_of(j, j->eq->multiplier_count, j->eq->multiplier)},
               j->eq->multiplier_count, j->eq->multiplier);
    add_reactions(j);
    add_columns(j, "energy", "h = sum q' dL/dq' - L", COLUMN_ENERGY);
    add_columns(j, "invariants", "invariants", COLUMN_INVARIANT);
    add_columns(j, "observables", "observables", COLUMN_OBSERVABLE);
    add_columns(j, "residuals", "residuals of the constraints", COLUMN_RESIDUAL);
    add_events(j);
    add_values(j,
               (project_function){.id = "inputs",
                                  .about = "inputs as the model states them",
                                  .entry = names_of(j, j->input_count, j->input),
                                  .unit = units_of(j, j->input_count, j->input),
                                  .is_law = true},
               j->input_count, j->stated);
    add(j, (project_function){.id = "jacobian",
                              .about = "df_i/dz_j, row by row",
                              .columns = o->size,
                              .t = simulation_jacobian(j->sim)});
}

// --- names and comments --------------------------------------------------------------------------

static const char *const *identifiers(job *j, names *taken, uint32_t count,
                                      const char *const *name) {
    const char **id = arena_array(j->arena, const char *, count);
    for (uint32_t i = 0; i < count; i++)
        id[i] = identifier_make(j->arena, taken, j->target->rules, name[i]);
    return id;
}

static const char *equations_text(job *j) {
    text shown = {0};
    presentation p = presentation_create(j->eq, false);
    derivation_text(&(derivation){.form = j->form, .shown = &p}, &shown);
    presentation_free(&p);
    model_modes_write(j->m, "", "\n", &shown);
    if (shown.length > LONGEST_EQUATIONS) {
        text_clear(&shown);
        text_format(&shown, "%s (%s)\n  %s\nThe equations are too long to be shown here.\n",
                    j->form->name, j->form->id, j->form->formula);
        model_modes_write(j->m, "", "\n", &shown);
    }
    const char *result = arena_copy(j->arena, text_string(&shown), shown.length);
    text_free(&shown);
    return result;
}

// Code knows one smooth system: its title says so in every file, whatever the target.
static const char *title_of(const model *m, bool follows_resets) {
    const char *title = m->title ? m->title : m->name;
    if (!m->contacts_count && (!m->resets_count || follows_resets)) return title;
    diag_warning(
        m->ctx, m->contacts_count ? m->contacts[0].at : m->resets[0].at,
        "`hamel simulate` follows them",
        "the code is of the smooth motion: contacts, `when` and `every` are no part of it");
    return arena_format(&m->ctx->arena,
                        "%s (the smooth motion: contacts, resets and clocks are no part of it)",
                        title);
}

static void describe(job *j) {
    const simulation *sim = j->sim;
    const simulate_defaults *d = &j->m->simulate;
    names taken = {0}, programs = {0};
    project *g = &j->g;
    const target *to = j->target;
    g->name =
        identifier_make(j->arena, &programs, to->program ? to->program : to->rules, j->m->name);
    g->title = title_of(j->m, to->is_fmu);
    g->equations = equations_text(j);
    if (to->is_paper)
        g->about = codegen_paper(
            &(paper_request){j->m, j->system, j->form, j->eq, j->input_count, j->input, j->stated});
    g->version = hamel_version();
    g->state_count = sim->o->size, g->argument_count = sim->parameter_count;
    g->input_count = j->input_count, g->parameter_count = sim->stated_count - j->input_count;
    if (sim->data) g->data_count = sim->data->count, g->data = sim->data->function;
    g->state = names_of(j, sim->o->size, sim->o->state),
    g->parameter = names_of(j, sim->parameter_count, sim->parameter);
    g->state_unit = units_of(j, sim->o->size, sim->o->state),
    g->parameter_unit = units_of(j, sim->parameter_count, sim->parameter);
    g->state_id = identifiers(j, &taken, g->state_count, g->state),
    g->parameter_id = identifiers(j, &taken, g->argument_count, g->parameter);
    for (uint32_t i = 0; i < g->function_count; i++) {
        project_function *f = &j->function[i];
        if (f->entry) f->entry_id = identifiers(j, &taken, f->t->output_count, f->entry);
    }
    g->start = sim->z0, g->value = sim->parameter_value;
    g->t0 = sim->t0, g->t1 = d->to == EXPR_NONE ? NAN : model_constant(j->m, d->to);
    double from, last = INFINITY;
    if (!model_data_range(j->m, &from, &last) || last <= sim->t0) last = INFINITY;
    if (!isfinite(g->t1)) g->t1 = fmin(sim->t0 + DEFAULT_LENGTH, last);
    g->function = j->function;
    names_free(&taken), names_free(&programs);
}

// --- the public call -----------------------------------------------------------------------------

static hamel_status derive(job *j, const char *id, const char *at) {
    hamel_status status = api_mechanics(j->m, &j->system);
    if (status) return status;
    if (!id) id = j->m->simulate.form;
    j->form = id ? api_find_form(j->m->ctx, id) : api_cheapest_form(j->system);
    if (!j->form) return HAMEL_USAGE;
    completion_request where = {.mode = COMPLETE_STRICT, .zero_defaults = true};
    status = api_derive(j->form, j->system, &j->eq);
    if (!status) status = api_read_state(j->m, at, &where);
    return status ? status : simulation_create(j->m, j->system, j->eq, &where, &j->sim);
}

// Before inputs become arguments: what they are otherwise
static void list_inputs(job *j) {
    const model *m = j->m;
    expr *input = arena_array(j->arena, expr, m->givens_count + 1),
         *stated = arena_array(j->arena, expr, m->givens_count + 1);
    for (uint32_t i = 0; i < m->givens_count; i++)
        if (m->givens[i].is_input && !(j->target->is_fmu && model_input_is_held(m, &m->givens[i])))
            input[j->input_count++] = m->givens[i].symbol;
    model_concrete(m, false, j->input_count, input, stated);
    j->input = input, j->stated = stated;
}

static hamel_status make_project(job *j) {
    hamel_status status = HAMEL_OK;
    if (j->target->is_fmu || j->target->is_sweep) list_rate(j), add_events(j);
    else list_functions(j);
    if (j->target->is_fmu) status = codegen_fmu_list(j);
    if (j->target->is_sweep) status = codegen_sweep_list(j);
    if (status) return status;
    describe(j);
    if (j->target->is_fmu) codegen_fmu_describe(j);
    return context_status(j->m->ctx);
}

static hamel_status generate(hamel_model *m, const char *id, const char *form, const char *at,
                             const char *folder, char **result) {
    const target *to = id ? target_find(id) : target_at(0);
    if (!to) return api_refuse_unknown(m->ctx, "targets", "target", id);
    const uint32_t most = MOST_FUNCTIONS + m->resets_count;
    job j = {.m = m, .arena = &m->ctx->arena, .target = to};
    hamel_status status = to->is_fmu     ? codegen_fmu_refuse(&j)
                          : to->is_sweep ? codegen_sweep_refuse(&j)
                                         : HAMEL_OK;
    if (status) return status;
    j.function = arena_array(j.arena, project_function, most);
    j.made = arena_array(j.arena, tape *, most);
    if (!to->is_sweep) list_inputs(&j); // whose runs have the inputs that the model states
    const inputs_taken inputs = to->is_sweep ? model_hold_inputs(m, 0, NULL)
                                : to->is_fmu ? model_take_open_inputs(m)
                                             : model_take_inputs(m);
    status = derive(&j, form, at);
    if (!status) status = make_project(&j);
    if (!status)
        status = to->is_fmu ? project_archive_write(m->ctx, to, &j.g, folder, result)
                            : project_folder_write(m->ctx, to, &j.g, folder, result);
    for (uint32_t i = 0; i < most; i++) tape_free(j.made[i]);
    simulation_free(j.sim);
    equations_free(j.eq);
    model_return_inputs(m, &inputs);
    return status;
}

hamel_status hamel_model_codegen(hamel_model *m, const char *target, const char *form,
                                 const char *at, const char *folder, char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, generate(m, target, form, at, folder, result), "writing code for `%s`",
             m->name);
}
