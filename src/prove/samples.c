// Sample states: the initial state, and walks from it; without an initial state
// random starts on every piece.
#include "prove/samples.h"

#include "derive/basis.h"

// Far from the initial state, so that angles, signs and the time differ: where the
// solution of the constraints starts.
static uint32_t far_away(const model *m, uint64_t seed, assignment *out) {
    uint64_t random = seed;
    uint32_t count = 0;
    const int64_t part = (int64_t)(random_next(&random) % 32);
    double from, to;
    const expr t = model_data_range(m, &from, &to)
                       ? expr_exact(m->pool, from + (to - from) * (double)part / 32)
                       : expr_rational(m->pool, part, 16);
    out[count++] = (assignment){.symbol = m->time, .value = t};
    for (uint32_t i = 0; i < 2 * m->coordinates_count; i++) {
        const expr symbol = expr_symbol_of_order(m->pool, m->coordinates[i / 2], i % 2);
        out[count++] = (assignment){
            .symbol = symbol,
            .value = expr_rational(m->pool, (int64_t)(random_next(&random) % 81) - 40, 16)};
    }
    return count;
}

// A state by Newton's method from a random start, wherever it lands; from the
// initial state itself for number 0.
static bool complete(const model *m, uint32_t number, uint64_t seed, slong bits, state *x) {
    assignment *start = arena_array(&m->ctx->arena, assignment, 1 + 2 * m->coordinates_count);
    completion_request request = {.mode = COMPLETE_GENERIC, .seed = number ? seed : 0, .at = start};
    if (number >= NEAR_SAMPLES) request.at_count = far_away(m, seed, start);
    return state_find(x, m, bits, &request);
}

static const state *state_at(samples *r, uint32_t number);

static bool find(samples *r, uint32_t number) {
    const bool varied = number >= STATED_SAMPLES;
    if (varied && !r->m->parameters_count) return false;
    if (number == 0 || (!r->m->initial_count && !varied))
        return complete(r->m, number, r->seed * 0xD1342543DE82EF95u + number, SAMPLE_BITS,
                        &r->at[number]);
    const state *from = state_at(r, varied && !r->m->initial_count ? number - STATED_SAMPLES : 0);
    if (!from) return false;
    state_copy(from, SAMPLE_BITS, &r->at[number]);
    if (!r->walker.system) r->walker = walker_create(r->system);
    return walk(
        &r->walker,
        &(walk_request){r->seed * 0xD1342543DE82EF95u + number, number >= NEAR_SAMPLES, varied},
        &r->at[number]);
}

// The state of this number; NULL if there is none.
static const state *state_at(samples *r, uint32_t number) {
    if (!r->tried[number]) r->tried[number] = true, r->found[number] = find(r, number);
    return r->found[number] ? &r->at[number] : NULL;
}

bool samples_copy(samples *r, uint32_t number, state *out) {
    const state *from = state_at(r, number);
    *out = (state){0};
    if (from) state_copy(from, SAMPLE_BITS, out);
    return from;
}

void samples_free(samples *r) {
    for (int i = 0; i < ALL_SAMPLES; i++) state_clear(&r->at[i]);
    for (uint32_t i = 0; i < r->solved_count; i++) {
        evaluation_clear(&r->solved[i]->values);
        state_clear(&r->solved[i]->at);
    }
    memory_free(r->solved);
    walker_free(&r->walker);
}

// --- the motion there ---------------------------------------------------------------------------

bool samples_are_on_branch(const equations *eq, state *x) {
    const mechanics *s = eq->system;
    if (!eq->explicit_velocities || eq->auxiliaries_count || basis_is_unique(s)) return true;
    bool same = true;
    arb_ptr value = _arb_vec_init(s->n);
    equations_values(eq, x, s->n, eq->velocity, value);
    for (uint32_t i = 0; i < s->n; i++)
        same = same && arb_overlaps(value + i, state_get(x, s->qd[i]));
    _arb_vec_clear(value, s->n);
    return same;
}

void samples_set_arbitrary(const samples *r, const equations *eq, state *x) {
    arb_t value;
    arb_init(value);
    for (uint32_t i = 0; i < eq->multiplier_count; i++) {
        if (!equations_multiplier_is_state(eq, i)) continue;
        arb_set_d(value, 0.625 + 0.25 * i);
        state_set(x, eq->multiplier[i], value);
    }
    for (uint32_t i = 0; r->paths && i < r->paths->arbitrary_count; i++) {
        arb_set_d(value, 0.375 * i - 0.8125);
        state_set(x, r->paths->arbitrary[i], value);
    }
    arb_clear(value);
}

static solved_sample *solve(samples *r, const equations *eq, uint32_t number) {
    solved_sample *made = arena_new(&r->m->ctx->arena, solved_sample);
    *made = (solved_sample){.eq = eq, .number = number, .status = EVALUATE_NO_VALUE};
    list_push(r, solved, made);
    if (!samples_copy(r, number, &made->at)) return made;
    expr missing;
    samples_set_arbitrary(r, eq, &made->at);
    made->status = equations_evaluate(eq, &made->at, &made->values, &missing);
    if (!made->status && !samples_are_on_branch(eq, &made->at)) made->status = EVALUATE_NO_VALUE;
    return made;
}

bool samples_fine(samples *r, const equations *eq, uint32_t number, state *out) {
    expr missing;
    evaluation values = {0};
    const state *from = state_at(r, number);
    *out = (state){0};
    // what was solved from constraints is not exact
    if (!from || (number && r->system->k)) return false;
    if (number) state_copy(from, FINE_BITS, out);
    else if (!complete(r->m, 0, 0, FINE_BITS, out)) return false;
    samples_set_arbitrary(r, eq, out);
    const bool ok =
        !equations_evaluate(eq, out, &values, &missing) && samples_are_on_branch(eq, out);
    evaluation_clear(&values);
    return ok;
}

solved_sample *samples_solved(samples *r, const equations *eq, uint32_t number) {
    solved_sample *s = NULL;
    for (uint32_t i = 0; i < r->solved_count && !s; i++)
        if (r->solved[i]->eq == eq && r->solved[i]->number == number) s = r->solved[i];
    if (!s) s = solve(r, eq, number);
    return s->status ? NULL : s;
}
