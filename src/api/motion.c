// Making motions: a model made ready once, to be run many times; and its parameters.
#include "api/motion.h"

#include "api/pieces.h"

#include "base/decimal.h"
#include "model/contact_modes.h"
#include "print/expression.h"

#include <math.h>
#include <string.h>

// --- making --------------------------------------------------------------------------------------

static const char *kept(context *ctx, const char *text) {
    return text ? arena_copy(&ctx->arena, text, strlen(text)) : NULL;
}

static const char *symbol_words(const hamel_motion *w, expr symbol) {
    text name = {0};
    print_symbol_name(w->m->pool, symbol, STYLE_TEXT, &name);
    const char *words = arena_copy(&w->ctx->arena, text_string(&name), name.length);
    text_free(&name);
    return words;
}

static bool has_parameter(const simulation *sim, expr e) {
    return expr_depends_on(sim->m->pool, e, sim->parameter_count, sim->parameter);
}

// Does another value of a parameter change the usual start?
static bool start_depends(const hamel_motion *w) {
    const model *m = w->m;
    bool depends = w->where.at_count > 0 || w->asked->project ||
                   (m->simulate.from != EXPR_NONE && has_parameter(w->j->sim, m->simulate.from));
    for (uint32_t i = 0; i < m->initial_count && !depends; i++)
        depends = has_parameter(w->j->sim, m->initial[i].value);
    for (uint32_t i = 0; i < m->guesses_count && !depends; i++)
        depends = has_parameter(w->j->sim, m->guesses[i].value);
    for (uint32_t i = 0; i < m->constraints_count && !depends; i++)
        depends = has_parameter(w->j->sim, m->constraints[i].phi);
    for (uint32_t i = 0; i < w->j->sim->o->size && !depends; i++)
        depends = has_parameter(w->j->sim, w->j->sim->o->start[i]);
    return depends;
}

static bool is_held(const hamel_motion *w, const char *name) {
    for (uint32_t k = 0; k < w->held_count; k++)
        if (strcmp(w->held[k].name, name) == 0) return true;
    return false;
}

static void list_knobs(hamel_motion *w) {
    const model *m = w->m;
    const simulation *sim = w->j->sim;
    arena *a = &w->ctx->arena;
    w->knob_count = sim->stated_count;
    w->knobs = arena_array(a, knob, sim->stated_count);
    w->value = arena_array(a, double, sim->stated_count);
    w->by_symbol = arena_array(a, double, pool_symbol_count(m->pool) + 1);
    uint32_t k = 0;
    for (uint32_t i = 0; i < m->parameters_count; i++) {
        const parameter *p = &m->parameters[i];
        if (p->value == EXPR_NONE) continue;
        w->knobs[k] = (knob){
            .name = symbol_words(w, p->symbol), .value = sim->parameter_value[k], .declared = i};
        w->knobs[k].is_input = is_held(w, w->knobs[k].name);
        if (has_parameter(sim, p->value))
            w->knobs[k].follows = program_create(m->pool, 1, &p->value);
        k++;
    }
}

void motion_take_usual(hamel_motion *w) {
    const simulation *sim = w->j->sim;
    w->usual_t = sim->t0;
    memcpy(w->usual, sim->z0, sizeof(double) * sim->o->size);
}

// An input that is held is a parameter of the model.
static void hold_inputs(hamel_motion *w) {
    model *m = w->m;
    for (uint32_t i = 0; i < m->givens_count; i++)
        for (uint32_t k = 0; k < w->held_count; k++) {
            given_function *g = &m->givens[i];
            const char *name = expr_symbol_name(m->pool, g->symbol);
            if (!g->is_input || strcmp(name, w->held[k].name) != 0) continue;
            const expr u = expr_symbol(m->pool, name, ROLE_PARAMETER);
            const expr value = expr_exact(m->pool, w->held[k].value);
            g->definition = u, g->data = NULL;
            list_push(m, parameters,
                      (parameter){.symbol = u, .value = value, .at = g->at, .is_signal = true});
        }
}

static hamel_status prepare(hamel_motion *w, const model *like) {
    hamel_status status = api_copy_model(w->ctx, like, 0, NULL, &w->m);
    if (status) return status;
    hold_inputs(w);
    w->j = arena_new(&w->ctx->arena, run_job);
    *w->j = (run_job){.m = w->m, .asked = w->asked, .of_pieces = w->of_pieces};
    status = w->of_pieces ? pieces_check_modes(w->m) : HAMEL_OK;
    if (!status) status = run_job_prepare(w->j);
    if (status) return status;
    arena *a = &w->ctx->arena;
    const simulation *sim = w->j->sim;
    w->where = (completion_request){.mode = COMPLETE_STRICT, .zero_defaults = true};
    status = api_read_state(w->m, w->asked->at, &w->where);
    if (status) return status;
    list_knobs(w);
    w->z = arena_array(a, double, sim->o->size), w->usual = arena_array(a, double, sim->o->size);
    w->state_name = arena_array(a, const char *, sim->o->size);
    for (uint32_t i = 0; i < sim->o->size; i++)
        w->state_name[i] = symbol_words(w, sim->o->state[i]);
    motion_take_usual(w);
    w->nodes = pool_size(w->m->pool);
    w->usual_depends = start_depends(w);
    memcpy(w->z, w->usual, sizeof(double) * sim->o->size);
    run_open(&w->j->r, w->j->r.state.f, sim->t0, w->z);
    return HAMEL_OK;
}

static void close(hamel_motion *w) {
    for (uint32_t i = 0; i < w->knob_count; i++) program_free(w->knobs[i].follows);
    memory_free(w->times), memory_free(w->numbers), memory_free(w->held);
    if (w->j) run_job_close(w->j);
}

static hamel_status enter_and_hand_over(const hamel_motion *w, const model *like) {
    API_CALL(like->ctx, NULL, api_hand_over(w->ctx, w->m, like), "preparing `%s`", like->name);
}

void motion_hand_over(const hamel_motion *w, const model *like) { enter_and_hand_over(w, like); }

// What it is made from beside the model: a run as it was asked for, and inputs that are held
typedef struct {
    const hamel_run *run;
    uint32_t held_count;
    const held_input *held;
    bool silent, of_pieces;
} motion_request;

static hamel_status set_up(hamel_motion *w, const motion_request *asked, const model *like) {
    const hamel_run *run = asked->run;
    for (uint32_t k = 0; k < asked->held_count; k++)
        list_push(w, held, (held_input){kept(w->ctx, asked->held[k].name), asked->held[k].value});
    w->of_pieces = asked->of_pieces;
    w->ctx->keeps_open = true;
    w->ctx->limits = like->ctx->limits;
    w->ctx->budget.seconds = like->ctx->budget.seconds;
    w->ctx->budget.memory = like->ctx->budget.memory;
    w->ctx->budget.interrupted = like->ctx->budget.interrupted;
    w->asked = arena_new(&w->ctx->arena, hamel_run);
    *w->asked = (hamel_run){.form = kept(w->ctx, run->form),
                            .method = kept(w->ctx, run->method),
                            .at = kept(w->ctx, run->at),
                            .execute = kept(w->ctx, run->execute ? run->execute : "compiled"),
                            .until = run->until,
                            .tolerance = run->tolerance,
                            .step = run->step,
                            .project = run->project,
                            .interrupted = run->interrupted};
    memcpy(w->asked->later, run->later, sizeof run->later);
    return prepare(w, like);
}

static hamel_status enter_and_set_up(hamel_motion *w, const motion_request *asked,
                                     const model *like) {
    API_CALL(w->ctx, NULL, set_up(w, asked, like), "preparing `%s`", like->name);
}

// The motion itself lies outside of its context, which may be left in the middle of a call.
static hamel_status create(const model *like, const motion_request *asked, hamel_motion **out) {
    hamel_motion *w = memory_try(sizeof *w);
    if (!w) return HAMEL_LIMIT;
    *w = (hamel_motion){.ctx = hamel_context_create()};
    hamel_status status = w->ctx ? enter_and_set_up(w, asked, like) : HAMEL_LIMIT;
    if (!status) {
        // from here on, for it may outlive the model and the flag that the model has
        if (asked->run->interrupted) w->ctx->budget.interrupted = asked->run->interrupted;
        *out = w;
    } else {
        if (w->ctx && !asked->silent) enter_and_hand_over(w, like);
        hamel_motion_free(w);
    }
    return status;
}

hamel_status motion_create(const model *like, const hamel_run *run, bool tells,
                           hamel_motion **out) {
    const motion_request asked = {
        .run = run, .silent = !tells, .of_pieces = model_is_in_pieces(like)};
    return create(like, &asked, out);
}

hamel_status hamel_model_prepare(hamel_model *m, const hamel_run *run, hamel_motion **out) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, run);
    API_NEEDS(m->ctx, out);
    *out = NULL;
    return m->ctx->dead ? HAMEL_LIMIT : create(m, &(motion_request){.run = run}, out);
}

static hamel_status enter_and_close(hamel_motion *w) {
    API_CALL(w->ctx, NULL, (close(w), HAMEL_OK), "closing a motion");
}

void hamel_motion_free(hamel_motion *w) {
    if (!w) return;
    if (w->ctx) enter_and_close(w); // of a dead one there is nothing left
    hamel_context_destroy(w->ctx);
    memory_free(w);
}

// --- parameters ----------------------------------------------------------------------------------

static void tell_values(hamel_motion *w) {
    const expr *symbol = w->j->sim->parameter;
    for (uint32_t i = 0; i < w->knob_count; i++)
        w->by_symbol[expr_symbol_index(w->m->pool, symbol[i])] = w->knobs[i].value;
}

double motion_value(hamel_motion *w, const program *of) {
    double value;
    tell_values(w);
    program_run_double(of, w->by_symbol, &value);
    return value;
}

// Those that follow from others, in as many rounds as it takes: they are few.
static void follow(hamel_motion *w) {
    for (uint32_t round = 0; round <= w->knob_count; round++) {
        bool same = true;
        tell_values(w);
        for (uint32_t i = 0; i < w->knob_count; i++) {
            knob *k = &w->knobs[i];
            if (!k->follows || k->is_set) continue;
            double value;
            program_run_double(k->follows, w->by_symbol, &value);
            if (value != k->value) k->value = value, same = false;
        }
        if (same) return;
    }
}

static int sign_of(double x) { return (x > 0) - (x < 0); }

// Was it decided by values of parameters how the constraints are to be taken? Signs always may.
static bool is_decided(const hamel_motion *w) {
    for (uint32_t i = 0; i < w->m->constraints_count; i++)
        if (w->m->constraints[i].special) return true;
    for (uint32_t i = 0; i < w->knob_count; i++) {
        const double now = w->knobs[i].value, before = w->j->sim->parameter_value[i];
        const parameter *p = &w->m->parameters[w->knobs[i].declared];
        if (p->decided ? now != before : !p->is_signal && sign_of(now) != sign_of(before))
            return true;
    }
    return false;
}

// Each value that was ever set is a number among the expressions.
bool motion_is_full(const hamel_motion *w) {
    enum { MOST = 1000000 };
    return pool_size(w->m->pool) > w->nodes + MOST;
}

static knob *find_knob(const hamel_motion *w, const char *name) {
    for (uint32_t i = 0; i < w->knob_count; i++)
        if (strcmp(w->knobs[i].name, name) == 0) return &w->knobs[i];
    return NULL;
}

static bool is_input(const model *m, const char *name) {
    for (uint32_t i = 0; i < m->givens_count; i++)
        if (m->givens[i].is_input &&
            strcmp(expr_symbol_name(m->pool, m->givens[i].symbol), name) == 0)
            return true;
    return false;
}

// The value at which an input is held, from the next start on
static void hold(hamel_motion *w, const char *name, double value) {
    for (uint32_t k = 0; k < w->held_count; k++)
        if (strcmp(w->held[k].name, name) == 0) {
            w->held[k].value = value;
            return;
        }
    list_push(w, held, (held_input){kept(w->ctx, name), value});
    w->holds_more = true;
}

static hamel_status set(hamel_motion *w, const char *name, double value) {
    context_forget(w->ctx);
    knob *k = find_knob(w, name);
    if (!k && !is_input(w->m, name))
        return motion_refuse(w, "there is no parameter `%s` that has a value, and no input", name);
    if (!isfinite(value)) return motion_refuse(w, "the value of `%s` is no finite number", name);
    if (k) k->value = value, k->is_set = true;
    if (!k || k->is_input) hold(w, name, value);
    w->is_changed = true;
    return HAMEL_OK;
}

hamel_status hamel_motion_set(hamel_motion *w, const char *parameter, double value) {
    API_NEEDS(NULL, w);
    API_NEEDS(w->ctx, parameter);
    API_CALL(w->ctx, NULL, set(w, parameter, value), "setting a parameter");
}

double hamel_motion_get(const hamel_motion *w, size_t parameter) {
    return w && !w->ctx->dead && parameter < w->knob_count ? w->knobs[parameter].value : NAN;
}

// The values that were set, as --set would give them to a model that is read
static hamel_status push_values(hamel_motion *w) {
    session *s = session_of(w->ctx);
    for (uint32_t i = 0; i < w->knob_count; i++) {
        if (!w->knobs[i].is_set || w->knobs[i].is_input) continue;
        text digits = {0};
        decimal_append(w->knobs[i].value, &digits);
        list_push(s, overrides,
                  (parse_override){w->knobs[i].name, kept(w->ctx, text_string(&digits))});
        text_free(&digits);
    }
    w->m->override_count = s->overrides_count;
    return HAMEL_OK;
}

static hamel_status enter_and_push(hamel_motion *w) {
    API_CALL(w->ctx, NULL, push_values(w), "copying a motion");
}

hamel_status hamel_motion_copy(hamel_motion *w, hamel_motion **copy) {
    API_NEEDS(NULL, w);
    API_NEEDS(w->ctx, copy);
    *copy = NULL;
    if (w->ctx->dead) return HAMEL_LIMIT;
    const uint32_t before = session_of(w->ctx)->overrides_count, of_model = w->m->override_count;
    const hamel_status status = enter_and_push(w);
    if (status) return status;
    const hamel_status made = create(
        w->m, &(motion_request){w->asked, w->held_count, w->held, false, w->of_pieces}, copy);
    session_of(w->ctx)->overrides_count = before, w->m->override_count = of_model;
    if (made) return made;
    // of the same model, so they have the same knobs
    for (uint32_t i = 0; i < w->knob_count && i < (*copy)->knob_count; i++)
        (*copy)->knobs[i].is_set = w->knobs[i].is_set;
    return HAMEL_OK;
}

static hamel_status enter_and_follow(hamel_motion *w) {
    API_CALL(w->ctx, NULL, (follow(w), HAMEL_OK), "finding the values of parameters");
}

// All of it anew, where the constraints are others for these values
static hamel_status prepare_again(hamel_motion *w) {
    hamel_motion *made;
    const hamel_status status = hamel_motion_copy(w, &made);
    if (status) return status;
    made->happened = w->happened, made->happened_data = w->happened_data;
    const hamel_motion old = *w;
    *w = *made, *made = old;
    hamel_motion_free(made);
    return HAMEL_OK;
}

hamel_status motion_settle_parameters(hamel_motion *w) {
    if (!w->is_changed) return HAMEL_OK;
    const hamel_status status = enter_and_follow(w);
    return !status && (w->holds_more || is_decided(w) || motion_is_full(w)) ? prepare_again(w)
                                                                            : status;
}

bool motion_follow(hamel_motion *w) {
    follow(w);
    return !w->holds_more && !is_decided(w);
}

bool motion_follow_values(hamel_motion *w, double *value, const bool *is_set) {
    for (uint32_t i = 0; i < w->knob_count; i++)
        w->knobs[i].value = value[i], w->knobs[i].is_set = is_set[i];
    follow(w);
    for (uint32_t i = 0; i < w->knob_count; i++) value[i] = w->knobs[i].value;
    return !is_decided(w);
}
