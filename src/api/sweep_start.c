// Where runs of a sweep begin.
#include "api/sweep_start.h"

#include "execute/elimination.h"
#include "execute/machine.h"
#include "model/mechanics.h"
#include "model/state.h"

#include <math.h>
#include <string.h>

enum { NO_VALUE = UINT32_MAX };

struct sweep_start {
    hamel_motion *w;
    uint32_t parameters, initials;
    uint32_t *knob, *of_knob;      // of each parameter, and its place among the values
    assignment *initial;           // of each initial value, behind those of `at`
    uint32_t *of_initial, *source; // its place; of each z the value that it is, or NO_VALUE
    uint32_t at_count;
    // z is the usual start but for values that are copied: what is solved for, k velocities, is not
    // in z, and follows from it where dPhi/dq' by these is regular
    bool copies, has_state;
    bool completed; // the last one
    uint32_t *solved;
    uint32_t formulas, *formula_of; // z that follow from values by these
    expr *formula;
    program *program;
    arb_ptr found;
    state here;
    machine rows;  // dPhi_nu/dq'_i
    double *entry; // k x n of them, and k x k
};

// --- what is varied ------------------------------------------------------------------------------

static uint32_t find_knob(const hamel_motion *w, const char *name) {
    for (uint32_t k = 0; k < w->knob_count; k++)
        if (strcmp(w->knobs[k].name, name) == 0) return k;
    return NO_VALUE;
}

static hamel_status add_initial(sweep_start *s, uint32_t value, const char *name) {
    completion_request one = {.mode = COMPLETE_STRICT};
    arena *a = &s->w->ctx->arena;
    const hamel_status status = api_read_state(s->w->m, arena_format(a, "%s=0", name), &one);
    if (status) return status;
    s->of_initial[s->initials] = value;
    s->initial[s->at_count + s->initials++] = one.at[0];
    return HAMEL_OK;
}

static hamel_status list_values(sweep_start *s, const sweep_plan *plan) {
    const uint32_t count = sweep_plan_values(plan);
    const completion_request *where = &s->w->where;
    arena *a = &s->w->ctx->arena;
    s->knob = arena_array(a, uint32_t, count + 1), s->of_knob = arena_array(a, uint32_t, count + 1);
    s->of_initial = arena_array(a, uint32_t, count + 1);
    s->at_count = where->at_count;
    s->initial = arena_array(a, assignment, s->at_count + count + 1);
    for (uint32_t i = 0; i < s->at_count; i++) s->initial[i] = where->at[i];
    for (uint32_t i = 0; i < count; i++) {
        const char *name = sweep_plan_name(plan, i);
        const uint32_t k = sweep_plan_is_parameter(plan, i) ? find_knob(s->w, name) : NO_VALUE;
        if (k != NO_VALUE) {
            s->of_knob[s->parameters] = i, s->knob[s->parameters++] = k;
            continue;
        }
        if (sweep_plan_is_parameter(plan, i))
            return motion_refuse(s->w, "there is no parameter `%s` that has a value", name);
        const hamel_status status = add_initial(s, i, name);
        if (status) return status;
    }
    return HAMEL_OK;
}

// --- starts that need no solving -----------------------------------------------------------------

static uint32_t index_of(expr symbol, uint32_t count, const expr *among) {
    for (uint32_t i = 0; i < count; i++)
        if (among[i] == symbol) return i;
    return NO_VALUE;
}

// The parameters that are varied, and those that follow from them
static uint32_t list_changing(const sweep_start *s, expr *out) {
    const hamel_motion *w = s->w;
    uint32_t count = 0, before;
    for (uint32_t i = 0; i < s->parameters; i++) out[count++] = w->j->sim->parameter[s->knob[i]];
    do {
        before = count;
        for (uint32_t k = 0; k < w->knob_count; k++) {
            const expr symbol = w->j->sim->parameter[k];
            if (w->knobs[k].follows && index_of(symbol, count, out) == NO_VALUE &&
                expr_depends_on(w->m->pool, w->m->parameters[w->knobs[k].declared].value, count,
                                out))
                out[count++] = symbol;
        }
    } while (count > before);
    return count;
}

bool sweep_start_varies(const sweep_start *s, expr e) {
    expr *symbol = memory_array(expr, s->parameters + s->w->knob_count + 1);
    const uint32_t count = list_changing(s, symbol);
    const bool varies = expr_depends_on(s->w->m->pool, e, count, symbol);
    memory_free(symbol);
    return varies;
}

static bool any_sees(const pool *p, uint32_t items, const assignment *item, uint32_t count,
                     const expr *symbol) {
    for (uint32_t i = 0; i < items; i++)
        if (expr_depends_on((pool *)p, item[i].value, count, symbol)) return true;
    return false;
}

// Does anything that coordinates and given velocities are found from depend on one of these?
static bool start_sees(const sweep_start *s, uint32_t count, const expr *symbol) {
    const model *m = s->w->m;
    const simulation *sim = s->w->j->sim;
    bool sees = (m->simulate.from != EXPR_NONE &&
                 expr_depends_on(m->pool, m->simulate.from, count, symbol)) ||
                any_sees(m->pool, m->initial_count, m->initial, count, symbol) ||
                any_sees(m->pool, m->guesses_count, m->guesses, count, symbol) ||
                any_sees(m->pool, s->at_count, s->initial, count, symbol);
    for (uint32_t i = 0; i < m->constraints_count && !sees; i++)
        sees = (!m->constraints[i].order || !m->constraints[i].linear) &&
               expr_depends_on(m->pool, m->constraints[i].phi, count, symbol);
    for (uint32_t i = 0; i < sim->o->size && !sees; i++)
        sees = expr_depends_on(m->pool, sim->o->start[i], count, symbol);
    return sees;
}

static bool is_given(const sweep_start *s, expr symbol) {
    const model *m = s->w->m;
    for (uint32_t i = 0; i < m->initial_count; i++)
        if (m->initial[i].symbol == symbol) return true;
    for (uint32_t i = 0; i < s->at_count + s->initials; i++)
        if (s->initial[i].symbol == symbol) return true;
    return false;
}

// What a completion solves for are the velocities that nobody gives, as many as there are
// constraints, so that it is always these, and no other coordinates than the usual ones.
static bool solves_the_rest(sweep_start *s, const state *x) {
    const model *m = s->w->m;
    const mechanics *mech = s->w->j->sim->eq->system;
    uint32_t open = 0;
    bool moved = false, follows = true;
    for (uint32_t i = 0; i < mech->n; i++) {
        if (!is_given(s, mech->qd[i])) s->solved[open++] = i;
        for (uint32_t k = 0; k < s->initials; k++)
            moved = moved || s->initial[s->at_count + k].symbol == mech->q[i];
    }
    uint32_t velocities = 0;
    for (uint32_t i = 0; i < x->solved_count && follows; i++) {
        const solved_variable *v = &x->solved[i];
        velocities += v->order == 1;
        follows = v->order ? !is_given(s, v->variable) : !moved;
    }
    for (uint32_t i = 0; i < m->quasis_count && follows; i++)
        follows = !is_given(s, m->quasis[i].symbol);
    for (uint32_t i = 0; i < m->constraints_count && follows; i++)
        follows =
            m->constraints[i].order > 1 || m->constraints[i].linear || !m->constraints[i].order;
    return follows && velocities == mech->k && (!mech->k || (open == mech->k && s->rows.t));
}

// Those of z that follow from the values by a formula, such as quasi-velocities: in balls, as a
// completion has them, from the usual state with the values in it
static void prepare_formulas(sweep_start *s) {
    const model *m = s->w->m;
    expr *concrete = memory_array(expr, s->formulas + 1);
    model_concrete(m, false, s->formulas, s->formula, concrete);
    s->program = program_create(m->pool, s->formulas, concrete);
    s->found = _arb_vec_init(s->formulas);
    state_reserve(&s->here);
    memory_free(concrete);
}

// Which value each z is, or that it follows from them; false where one needs what is solved for
static bool map_values(sweep_start *s) {
    const simulation *sim = s->w->j->sim;
    const mechanics *mech = sim->eq->system;
    const uint32_t count = s->initials + mech->k;
    expr *changes = memory_array(expr, count + 1);
    bool known = true;
    for (uint32_t i = 0; i < s->initials; i++) changes[i] = s->initial[s->at_count + i].symbol;
    for (uint32_t i = 0; i < mech->k; i++) changes[s->initials + i] = mech->qd[s->solved[i]];
    for (uint32_t k = 0; k < sim->o->size && known; k++) {
        const uint32_t i = index_of(sim->o->start[k], s->initials, changes);
        s->source[k] = i == NO_VALUE ? NO_VALUE : s->of_initial[i];
        if (i != NO_VALUE || !expr_depends_on(sim->m->pool, sim->o->start[k], count, changes))
            continue;
        known = !expr_depends_on(sim->m->pool, sim->o->start[k], mech->k, changes + s->initials);
        s->formula_of[s->formulas] = k, s->formula[s->formulas++] = sim->o->start[k];
    }
    memory_free(changes);
    if (known && s->formulas) prepare_formulas(s);
    return known;
}

static bool can_copy(sweep_start *s) {
    enum { START_BITS = 192 };
    hamel_motion *w = s->w;
    const simulation *sim = w->j->sim;
    expr *symbol = memory_array(expr, s->parameters + w->knob_count + 1);
    const uint32_t changing = list_changing(s, symbol);
    bool copies = !w->asked->project && !start_sees(s, changing, symbol);
    for (uint32_t i = 0; i < s->initials && copies; i++)
        copies = s->initial[s->at_count + i].symbol != sim->m->time;
    memory_free(symbol);
    if (!copies) return false;
    if (sim->rows) machine_init(&s->rows, sim->rows, sim->parameter_value);
    s->has_state = true;
    return state_find(&s->here, w->m, START_BITS, &w->where) && solves_the_rest(s, &s->here) &&
           map_values(s);
}

hamel_status sweep_start_create(hamel_motion *w, const sweep_plan *plan, sweep_start **out) {
    sweep_start *s = arena_new(&w->ctx->arena, sweep_start);
    *s = (sweep_start){.w = w};
    s->source = arena_array(&w->ctx->arena, uint32_t, w->j->sim->o->size + 1);
    *out = s;
    const hamel_status status = list_values(s, plan);
    const uint32_t n = w->j->sim->eq->system->n, k = w->j->sim->eq->system->k;
    s->solved = arena_array(&w->ctx->arena, uint32_t, n + 1);
    s->formula_of = arena_array(&w->ctx->arena, uint32_t, w->j->sim->o->size + 1);
    s->formula = arena_array(&w->ctx->arena, expr, w->j->sim->o->size + 1);
    s->entry = arena_array(&w->ctx->arena, double, (size_t)k *(n + k) + 1);
    if (!status) s->copies = can_copy(s);
    return status;
}

void sweep_start_free(sweep_start *s) {
    if (!s) return;
    if (s->rows.t) machine_free(&s->rows);
    if (s->program) program_free(s->program), _arb_vec_clear(s->found, s->formulas);
    if (s->has_state) state_clear(&s->here);
}

// --- one start -----------------------------------------------------------------------------------

void sweep_start_set_knobs(sweep_start *s, const double *values, bool set) {
    for (uint32_t i = 0; i < s->parameters; i++) {
        knob *k = &s->w->knobs[s->knob[i]];
        const double value = values[s->of_knob[i]];
        if (k->is_set == set && k->value == value) continue;
        k->value = value, k->is_set = set, s->w->is_changed = true;
    }
}

static bool is_regular(sweep_start *s, double t, const double *z) {
    static const double LEAST = 1e-3; // of the largest pivot
    const mechanics *mech = s->w->j->sim->eq->system;
    const uint32_t k = mech->k, n = mech->n;
    double *own = s->entry + k * n;
    if (!k) return true;
    if (!machine_run(&s->rows, t, z, s->entry)) return false;
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < k; j++) own[i * k + j] = s->entry[i * n + s->solved[j]];
    const pivot_sizes found = elimination_pivots(k, k, own);
    return found.smallest > LEAST * found.largest;
}

static void run_formulas(sweep_start *s, const double *values) {
    if (!s->program) return;
    for (uint32_t i = 0; i < s->initials; i++)
        arb_set_d(state_get(&s->here, s->initial[s->at_count + i].symbol),
                  values[s->of_initial[i]]);
    program_run_arb(s->program, s->here.value, s->here.precision, s->found);
    for (uint32_t i = 0; i < s->formulas; i++)
        s->w->j->sim->z0[s->formula_of[i]] = expansion_of(s->found + i).part[0];
}

// False: it is to be completed.
static bool copy_start(sweep_start *s, const double *values) {
    hamel_motion *w = s->w;
    simulation *sim = w->j->sim;
    sim->t0 = w->usual_t;
    for (uint32_t k = 0; k < sim->o->size; k++)
        sim->z0[k] = s->source[k] == NO_VALUE ? w->usual[k] : values[s->source[k]];
    run_formulas(s, values);
    return is_regular(s, sim->t0, sim->z0);
}

// What is said of one that fails is forgotten: it is no error of the sweep.
static bool complete_start(sweep_start *s, const double *values) {
    hamel_motion *w = s->w;
    completion_request where = w->where;
    where.at = s->initial, where.at_count = s->at_count + s->initials;
    for (uint32_t i = 0; i < s->initials; i++)
        s->initial[s->at_count + i].value = expr_exact(w->m->pool, values[s->of_initial[i]]);
    const bool found = !motion_complete(w, &where);
    context_forget(w->ctx);
    return found;
}

start_result sweep_start_find(sweep_start *s, const double *values) {
    hamel_motion *w = s->w;
    sweep_start_set_knobs(s, values, true);
    if (w->is_changed && !motion_follow(w)) return START_OF_ANOTHER;
    if (motion_is_full(w)) return START_OF_ANOTHER;
    const bool changed = w->is_changed;
    motion_take_values(w);
    if (changed && s->rows.t) machine_set_parameters(&s->rows, w->j->sim->parameter_value);
    s->completed = !(s->copies && copy_start(s, values));
    return !s->completed || complete_start(s, values) ? START_FOUND : START_NONE;
}

const double *sweep_start_columns(const sweep_start *s) {
    return s->completed ? s->w->j->sim->columns0 : NULL;
}
