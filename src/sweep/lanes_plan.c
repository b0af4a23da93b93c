// What a sweep in lanes is: which systems have one, what is looked at in their steps, their code.
#include "base/processor.h"
#include "codegen/emit_lanes.h"
#include "codegen/jet_plan.h"
#include "integrate/conserved.h"
#include "integrate/lookout.h"
#include "integrate/rank_watch.h"
#include "model/model.h"
#include "sweep/lanes_host.h"
#include "sweep/panels.h"

enum { LONGEST = 4000 }; // steps of rates that are compiled in lanes

static const lanes_along ALONG = {.looks = PANEL_LOOKS,
                                  .nodes = PANEL_NODES,
                                  .panels = PANELS_OF_RUN,
                                  .deepest = PANEL_DEEPEST,
                                  .splits = PANEL_SPLITS,
                                  .splits_a_step = PANEL_SPLITS_A_STEP,
                                  .nudge = PANEL_NUDGE,
                                  .node = panel_node,
                                  .fine = panel_fine,
                                  .coarse = panel_coarse,
                                  .odd = panel_odd};

// --- is it a system for lanes? -------------------------------------------------------------------

static bool has_holonomic(const simulation *sim) {
    const mechanics *s = sim->eq->system;
    for (uint32_t i = 0; i < s->k; i++)
        if (sim->m->constraints[s->constraint[i]].order == 0) return true;
    return false;
}

// As charts_create() has it: are other velocities ever chosen?
static bool has_charts(const lanes_asked *asked) {
    const simulation *sim = asked->system->sim;
    const mechanics *s = sim->eq->system;
    return !asked->keeps_velocities && sim->eq->explicit_velocities && s->k && !s->h &&
           !s->has_quasi && !sim->eq->auxiliaries_count && sim->rows;
}

// Why not; NULL: it is one
static const char *refusal(const lanes_asked *asked) {
    const sweep_system *s = asked->system;
    const simulation *sim = s->sim;
    if (!s->method->tableau && !s->method->series)
        return "the method is no explicit Runge-Kutta pair and no series";
    if (s->method->series && sim->rate->system_count) return "the rates solve linear systems";
    if (s->method->series && jet_kink(sim->rate)) return "the rates have kinks";
    if (s->method->fixed_step) return "steps are of one length";
    if (!sim->o->size) return "there is no state";
    if (sim->data) return "there are functions from data";
    if (sim->leading) return "derivatives are computed with the motion";
    if (has_holonomic(sim)) return "coordinates are brought back onto holonomic constraints";
    if (sim->rate->step_count > LONGEST) return "the rates are too long";
    if (has_charts(asked) && sim->eq->system->k > MOST_CHART_ROWS)
        return "many constraints choose their velocities";
    if (sim->m->contacts_count || sim->m->resets_count)
        return "contacts, resets and clocks make pieces of the motion";
    return NULL;
}

// --- the plan ------------------------------------------------------------------------------------

static bool is_in_steps(collect_kind k) { return k == COLLECT_MAX || k == COLLECT_MIN; }

// The outputs of these kinds as a tape of its own; false: they need the solution of a system
static bool take_part(const lanes_plan *plan, const tape *of, uint32_t from, uint32_t count,
                      tape **out) {
    *out = NULL;
    if (!count) return true;
    uint32_t *reg = memory_array(uint32_t, count);
    for (uint32_t i = 0; i < count; i++) reg[i] = of->output[plan->which[from + i]];
    *out = tape_part(of, count, reg);
    memory_free(reg);
    return *out != NULL;
}

static bool divide_collected(lanes_plan *plan) {
    const sweep_system *s = plan->system;
    plan->which = memory_array(uint32_t, s->collected_count + 1);
    plan->is_max = memory_zeros(bool, s->collected_count + 1);
    uint32_t at = 0;
    for (uint32_t i = 0; i < s->collected_count; i++)
        if (is_in_steps(s->collected[i].kind))
            plan->is_max[at] = s->collected[i].kind == COLLECT_MAX, plan->which[at++] = i;
    plan->extremes = at;
    for (uint32_t i = 0; i < s->collected_count; i++)
        if (s->collected[i].kind == COLLECT_MEAN) plan->which[at++] = i;
    plan->means = at - plan->extremes;
    for (uint32_t i = 0; i < s->collected_count; i++)
        if (s->collected[i].kind == COLLECT_FINAL) plan->which[at++] = i;
    plan->finals = at - plan->extremes - plan->means;
    return take_part(plan, s->value, 0, plan->extremes, &plan->extreme) &&
           take_part(plan, s->slope, 0, plan->extremes, &plan->slope) &&
           take_part(plan, s->value, plan->extremes, plan->means, &plan->mean) &&
           take_part(plan, s->value, plan->extremes + plan->means, plan->finals, &plan->final);
}

void lanes_plan_mark(const tape *t, bool *matters) {
    for (uint32_t i = 0; i < t->step_count; i++)
        for (uint32_t j = 0; j < tape_operand_count(t, i); j++)
            if (tape_operand(t, i, j) <= t->state_count) matters[tape_operand(t, i, j)] = true;
    for (uint32_t i = 0; i < t->output_count; i++)
        if (t->output[i] <= t->state_count) matters[t->output[i]] = true;
}

// The inputs of which boxes are kept: what hides in the rates, events, rows that become dependent
static void choose_inputs(lanes_plan *plan, lookout *look) {
    bool *matters = memory_zeros(bool, plan->size + 1);
    const clear_box *known = look ? lookout_known_box(look) : NULL;
    for (uint32_t i = 0; known && i < known->count; i++) matters[known->input[i]] = true;
    if (plan->searches) lanes_plan_mark(plan->sim->events, matters);
    if (plan->watches_rank) lanes_plan_mark(plan->sim->rows, matters);
    plan->input = memory_array(uint32_t, plan->size + 1);
    for (uint32_t i = 0; i <= plan->size; i++)
        if (matters[i]) plan->input[plan->input_count++] = i;
    memory_free(matters);
}

static void take_energy(lanes_plan *plan) {
    const simulation *sim = plan->sim;
    if (!plan->hides || !simulation_keeps_energy(sim)) return;
    for (uint32_t k = 0; k < sim->watched_count; k++)
        if (sim->column[sim->watched[k]].kind == COLUMN_ENERGY)
            plan->energy = tape_part(sim->watch, 1, &sim->watch->output[k]);
    plan->keeps_energy = plan->energy != NULL;
}

// Two groups of lanes give the processor work while it waits. A series of many products is work
// enough, and that of one group stays in the cache next to it.
static uint32_t group_count(const lanes_plan *plan) {
    enum { MOST_STEPS = 20 };
    return plan->pair || plan->sim->rate->step_count <= MOST_STEPS ? MOST_GROUPS : 1;
}

static bool make_plan(lanes_plan *plan, const lanes_asked *asked, const char **why) {
    const sweep_system *s = asked->system;
    const simulation *sim = s->sim;
    lookout *look = lookout_create(sim->rate, sim->parameter_value, false);
    rank_watch *rank = rank_watch_create(sim, s->tolerance);
    *plan = (lanes_plan){.asked = *asked,
                         .system = s,
                         .sim = sim,
                         .pair = s->method->tableau,
                         .shifts = asked->shifts,
                         .size = sim->o->size,
                         .parameters = sim->parameter_count,
                         .collected_count = s->collected_count,
                         .hides = look != NULL,
                         .watches_rank = rank != NULL,
                         .searches = sim->m->events_count != 0};
    if (!plan->pair) {
        plan->series = s->method->series(sim, s->tolerance, plan->hides);
        plan->usual_series = taylor_usual(s->tolerance, TAYLOR_MOST_ORDER);
    }
    plan->stages = plan->pair ? plan->pair->stages : plan->series.order + 1;
    plan->row = plan->pair ? (uint32_t)tableau_row(plan->size) : plan->size;
    plan->usual = memory_array(double, sim->parameter_count + 1);
    for (uint32_t i = 0; i < sim->parameter_count; i++) plan->usual[i] = sim->parameter_value[i];
    plan->width = asked->width ? asked->width : processor_lanes();
    plan->groups = group_count(plan);
    plan->lanes = plan->groups * plan->width;
    const bool never = look && !lookout_known_box(look);
    if (never) *why = "long divisors are looked at in every step";
    if (!divide_collected(plan)) *why = "what is collected needs the solution of a linear system";
    choose_inputs(plan, look), take_energy(plan);
    lookout_free(look), rank_watch_free(rank);
    return !*why;
}

// --- code ----------------------------------------------------------------------------------------

static void write_code(const lanes_plan *plan, bool sleef, text *out) {
    const mechanics *s = plan->sim->eq->system;
    const bool charts = has_charts(&plan->asked);
    uint32_t *leader = memory_array(uint32_t, plan->size + 1);
    double *far = memory_array(double, plan->size + 1);
    const uint32_t shifts = plan->shifts ? plan->shifts->list_count : 0;
    for (uint32_t k = 0; k < shifts; k++)
        leader[k] = plan->shifts->list[k].leader, far[k] = plan->shifts->list[k].far;
    emit_lanes(&(lanes_request){.width = plan->width,
                                .groups = plan->groups,
                                .fused = processor_fuses(),
                                .sleef = sleef,
                                .rate = plan->sim->rate,
                                .pair = plan->pair,
                                .order = plan->series.order,
                                .usual_order = plan->usual_series.order,
                                .reach = plan->series.reach,
                                .usual_reach = plan->usual_series.reach,
                                .looks_ahead = plan->hides,
                                .extreme = plan->extreme,
                                .slope = plan->slope,
                                .mean = plan->mean,
                                .final = plan->final,
                                .is_max = plan->is_max,
                                .along = &ALONG,
                                .energy = plan->energy,
                                .input_count = plan->input_count,
                                .input = plan->input,
                                .looks_inside = plan->searches || plan->watches_rank,
                                .coordinate_count = s->n,
                                .shift_count = shifts,
                                .period = shifts ? plan->shifts->period : NULL,
                                .leader = leader,
                                .far = far,
                                .rows = charts ? plan->sim->rows : NULL,
                                .k = charts ? s->k : 0,
                                .n = charts ? s->n : 0,
                                .dependent = s->dependent},
               out);
    memory_free(leader), memory_free(far);
}

// What the compiler is told beside what it is told of every module: on a processor with AVX-512
// code in four lanes does without it
static const char *words(const lanes_plan *plan, bool sleef) {
#ifdef __x86_64__
    if (plan->width == 8 && processor_lanes() == 8)
        return sleef ? "-mavx512f -lsleef -lm" : "-mavx512f -lm";
    if (processor_lanes() == 8) return sleef ? "-mno-avx512f -lsleef -lm" : "-mno-avx512f -lm";
#endif
    return sleef ? "-lsleef -lm" : "-lm";
}

// SLEEF is linked where it is there; elsewhere the functions are the C library's
static bool compile(lanes_plan *plan, context *ctx, const char **why) {
    const bool may = !plan->asked.libm && plan->width <= processor_lanes() && processor_fuses();
    const char *error = NULL;
    for (int sleef = may; sleef >= 0 && !plan->code; sleef--) {
        text source = {0};
        write_code(plan, sleef, &source);
        plan->code = module_load(ctx, text_string(&source), words(plan, sleef), &error);
        plan->sleef = sleef && plan->code;
        text_free(&source);
    }
    if (!plan->code) return *why = error, false;
    size_t (*bytes)(void) = (size_t(*)(void))module_symbol(plan->code, "hamel_lanes_bytes"),
           (*job_bytes)(void) = (size_t(*)(void))module_symbol(plan->code, "hamel_lanes_job_bytes");
    plan->run = (int (*)(lanes_job *, void *))module_symbol(plan->code, "hamel_lanes_run");
    if (!bytes || !job_bytes || !plan->run || job_bytes() != sizeof(lanes_job))
        return *why = "the compiled code cannot be called", false;
    plan->bytes = bytes();
    return true;
}

// --- the plan as a whole -------------------------------------------------------------------------

void lanes_plan_free(lanes_plan *plan) {
    tape_free(plan->extreme), tape_free(plan->slope), tape_free(plan->mean), tape_free(plan->final),
        tape_free(plan->energy);
    memory_free(plan->usual), memory_free(plan->is_max), memory_free(plan->which),
        memory_free(plan->input);
    module_free(plan->code);
    memory_free(plan);
}

lanes_plan *lanes_plan_create(context *ctx, const lanes_asked *asked, const char **why) {
    *why = refusal(asked);
    if (*why) return NULL;
    lanes_plan *plan = memory_new(lanes_plan);
    if (make_plan(plan, asked, why) && compile(plan, ctx, why)) return plan;
    lanes_plan_free(plan);
    return NULL;
}

static bool is_plain(const lanes_plan *plan) {
    return plan->width > processor_lanes() || !processor_fuses();
}

const char *lanes_plan_arithmetic(const lanes_plan *plan) {
    return is_plain(plan) ? "lanes, plain C" : plan->sleef ? "lanes, SLEEF" : "lanes, C library";
}

const char *lanes_plan_words(const lanes_plan *plan, context *ctx) {
    const char *by = is_plain(plan) ? "plain C" : plan->width == 8 ? "AVX-512" : "AVX2";
    return arena_format(&ctx->arena, "%u lanes (%s%s), %s", plan->width, by,
                        plan->sleef ? ", SLEEF" : "", plan->system->method->id);
}
