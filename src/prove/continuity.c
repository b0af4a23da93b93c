// Is an invariant continuous along the motion? Where what was typed can jump (a break u =
// 0), states on both sides of it along one motion are compared. Off its breaks an invariant
// is constant along the motion, since its rate is zero there: a difference that stays while
// the sides come together is a jump.
#include "prove/flow.h"
#include "prove/proof_session.h"
#include "typed/typed.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_BREAKS = 24, STARTS = 14, DESCENTS = 6, FLOW_BITS = 160 };
enum { MOST_ITERATIONS = 60, PATIENCE = 6, BISECTIONS = 50 };
enum { SCAN = 28, FAR_SCAN = 18 }; // 8.75 * 2^18: two million units
static const double SIDE[] = {1e-3, 1e-4, 1e-5, 1e-6,
                              1e-7, 1e-8, 1e-9}; // how far along the motion each side is looked at
enum { SIDES = sizeof SIDE / sizeof *SIDE };
// 8.75 units each way in equal steps, then each twice as far
static const double SCAN_STEP = 0.3125;
// |u| of a state that counts as on the break, against what it was before
static const double ON_BREAK = 1e-12;
// a smaller difference is rounding: the steps are good to 1e-15
static const double JUMP = 1e-7;
static const double STABLE = 1e-2; // how well the differences at several distances must agree
// u changed by less than this times h^3: it is not crossed, the steps err by h^5
static const double CONSERVED = 1e-2;
// |h q''| against 1 + |q'|: where it is larger the motion is singular
static const double LONGEST_TURN = 1e-1;

typedef struct {
    proof_session *ps;
    const equations *eq;
    const named_expression *invariant;
    const typed_break *at;
} crossing;

static bool value_of(const crossing *cross, state *x, double *u) {
    arb_t value;
    arb_init(value);
    const bool ok =
        typed_break_value(cross->at, x, value, NULL).status == TYPED_OK && arb_is_finite(value);
    if (ok) *u = ball_middle(value);
    arb_clear(value);
    return ok;
}

static double get(state *x, expr symbol) { return ball_middle(state_get(x, symbol)); }

static void put(state *x, expr symbol, double value) { arb_set_d(state_get(x, symbol), value); }

// --- a state on the break -----------------------------------------------------------------------

// Back onto the constraints. Accelerations stay as they were: hardly any invariant holds them.
static bool settle(const crossing *cross, state *x) {
    if (!walker_bring_back(&cross->ps->samples.walker, x)) return false;
    flow_set_quasi(cross->eq, x);
    return true;
}

// Half way between two states on both sides of the break, again and again.
static bool bisect(const crossing *cross, const state *one, const state *other, state *out) {
    const mechanics *s = cross->ps->system;
    state low, high;
    state_copy_midpoints(one, FLOW_BITS, &low), state_copy_midpoints(other, FLOW_BITS, &high);
    double u_low = 0, u_high = 0, u = INFINITY;
    bool ok =
        value_of(cross, &low, &u_low) && value_of(cross, &high, &u_high) && u_low * u_high < 0;
    const double small = ON_BREAK * fmax(1, fmin(fabs(u_low), fabs(u_high)));
    state_copy_midpoints(one, FLOW_BITS, out);
    for (int i = 0; i < BISECTIONS && ok && fabs(u) > small / 1000; i++) {
        for (uint32_t j = 0; j < s->n; j++) {
            put(out, s->q[j], (get(&low, s->q[j]) + get(&high, s->q[j])) / 2);
            put(out, s->qd[j], (get(&low, s->qd[j]) + get(&high, s->qd[j])) / 2);
        }
        put(out, s->model->time, (get(&low, s->model->time) + get(&high, s->model->time)) / 2);
        ok = settle(cross, out) && value_of(cross, out, &u);
        state *side = u * u_low > 0 ? &low : &high;
        for (uint32_t j = 0; j < s->n && ok; j++)
            put(side, s->q[j], get(out, s->q[j])), put(side, s->qd[j], get(out, s->qd[j]));
        put(side, s->model->time, get(out, s->model->time));
    }
    state_clear(&low), state_clear(&high);
    return ok && fabs(u) < small;
}

// Down the slope of u by (q, q', t), found by differences, and back onto the constraints.
static bool descend(const crossing *cross, const state *from, state *out) {
    const mechanics *s = cross->ps->system;
    const uint32_t count = 2 * s->n + 1;
    double *slope = memory_array(double, count), u = 1;
    state_copy_midpoints(from, FLOW_BITS, out);
    bool ok = value_of(cross, out, &u);
    double last = INFINITY;
    for (int i = 0; i < MOST_ITERATIONS && ok && fabs(u) > ON_BREAK / 1000; i++) {
        double square = 0, moved;
        if (i % PATIENCE == PATIENCE - 1) { // no way down: it does not vanish near here
            if (!(fabs(u) < last / 4)) ok = false;
            last = fabs(u);
        }
        for (uint32_t j = 0; j < count && ok; j++) {
            const expr symbol = j < s->n       ? s->q[j]
                                : j < 2 * s->n ? s->qd[j - s->n]
                                               : s->model->time;
            const double old = get(out, symbol), step = 1e-7 * fmax(1e-3, fmin(1, fabs(u)));
            put(out, symbol, old + step);
            ok = value_of(cross, out, &moved);
            slope[j] = ok ? (moved - u) / step : 0;
            square += slope[j] * slope[j];
            put(out, symbol, old);
        }
        if (!(square > 1e-20)) ok = false;
        // at most two units a step
        const double factor = fmin(1, 2 / (fabs(u) / sqrt(square) + 1e-300));
        for (uint32_t j = 0; j < count && ok; j++) {
            const expr symbol = j < s->n       ? s->q[j]
                                : j < 2 * s->n ? s->qd[j - s->n]
                                               : s->model->time;
            put(out, symbol, get(out, symbol) - factor * u * slope[j] / square);
        }
        ok = ok && settle(cross, out) && value_of(cross, out, &u);
    }
    memory_free(slope);
    return ok && fabs(u) < ON_BREAK;
}

// --- both sides ---------------------------------------------------------------------------------

static bool is_regular(const crossing *cross, state *x, double h) {
    const mechanics *s = cross->ps->system;
    for (uint32_t i = 0; i < s->n; i++)
        if (!(fabs(h * get(x, s->qdd[i])) < LONGEST_TURN * (1 + fabs(get(x, s->qd[i])))))
            return false;
    return true;
}

// The invariant a little later less a little earlier; how much u changed on the way. False where
// there is no motion through the state, or no value.
static bool difference(const crossing *cross, state *x, double h, arb_t jump, double *size,
                       double *change) {
    state side[2] = {{0}, {0}};
    arb_t value[2];
    arb_init(value[0]), arb_init(value[1]);
    double u[2] = {0, 0}, here = 0;
    bool ok = is_regular(cross, x, h) && value_of(cross, x, &here);
    for (int i = 0; i < 2 && ok; i++) {
        ok = flow_step_checked(cross->eq, x, i ? h : -h, &side[i]) &&
             is_regular(cross, &side[i], h) && value_of(cross, &side[i], &u[i]);
        ok = ok &&
             typed_value(&cross->invariant->typed, &side[i], value[i], NULL).status == TYPED_OK &&
             arb_is_finite(value[i]);
    }
    if (ok) {
        arb_sub(jump, value[1], value[0], FLOW_BITS);
        *size = 1 + fabs(ball_middle(value[0]));
        *change = fmax(fabs(u[0] - here), fabs(u[1] - here));
    }
    for (int i = 0; i < 2; i++) {
        if (side[i].model) state_clear(&side[i]);
        arb_clear(value[i]);
    }
    return ok;
}

typedef enum { SIDES_AGREE, SIDES_DIFFER, SIDES_UNKNOWN } sides;

// From far to near: what is seen last counts, since another break may lie between
// the sides at larger distances.
static sides compare_sides(const crossing *cross, state *x, arb_t jump) {
    double before = 0, gap = 0, size = 1, change = 0;
    int seen = 0;
    arb_t last;
    arb_init(last);
    for (int i = 0; i < SIDES; i++) {
        if (!difference(cross, x, SIDE[i], last, &size, &change)) continue;
        // not crossed, or too near to tell
        if (change < CONSERVED * SIDE[i] * SIDE[i] * SIDE[i]) break;
        before = gap, gap = ball_middle(last);
        arb_set(jump, last);
        seen++;
    }
    arb_clear(last);
    if (seen && fabs(gap) < JUMP * size) return SIDES_AGREE;
    // the difference still changes from one distance to the next
    if (seen < 2 || fabs(gap - before) > STABLE * fabs(gap)) return SIDES_UNKNOWN;
    return arb_contains_zero(jump) ? SIDES_UNKNOWN : SIDES_DIFFER;
}

static const char *break_words(const model *m, const typed_break *b) {
    const char *what = span_text(m, b->at);
    return arena_format(&m->ctx->arena, "it jumps along the motion, at `%s`",
                        what ? what : "a break");
}

// One state on the break: refuted if the invariant jumps there. True:
// nothing more is to be looked at.
static bool judge_state(const crossing *cross, state *x, verdict *v) {
    arb_t jump;
    arb_init(jump);
    const sides found = flow_solve(cross->eq, x) ? compare_sides(cross, x, jump) : SIDES_UNKNOWN;
    if (found == SIDES_DIFFER) {
        v->verdict = VERDICT_REFUTED, v->method = "witness", v->trials = 0, v->bound = 0;
        witness_note_state(cross->eq, x, jump, v);
        v->remark = break_words(cross->ps->m, cross->at);
        v->place = NULL;
    } else if (found == SIDES_AGREE && cross->at->kind == TYPED_POLE && !v->place) {
        const char *what = span_text(cross->ps->m, cross->at->at);
        v->scope.where_defined = true;
        v->place = arena_format(&cross->ps->m->ctx->arena,
                                "not defined where `%s` has no value; continuous across it",
                                what ? what : "it divides by 0");
    }
    arb_clear(jump);
    return found == SIDES_DIFFER;
}

// The i-th place of a scan, from the farthest on one side to the farthest on the other.
static double scan_offset(int i) {
    const int beyond = abs(i) - SCAN;
    return beyond <= 0 ? SCAN_STEP * i : copysign(ldexp(SCAN_STEP * SCAN, beyond), i);
}

// Along one coordinate or velocity through a state, both ways: every change of sign of u.
static bool scan_line(const crossing *cross, const state *from, expr symbol, verdict *v) {
    state here, next, root;
    state_copy_midpoints(from, FLOW_BITS, &here);
    const double middle = get(&here, symbol);
    double u = 0, u_next = 0;
    bool done = false, known = false;
    for (int i = -SCAN - FAR_SCAN; i <= SCAN + FAR_SCAN && !done; i++) {
        state_copy_midpoints(from, FLOW_BITS, &next);
        put(&next, symbol, middle + scan_offset(i));
        const bool good = settle(cross, &next) && value_of(cross, &next, &u_next);
        if (good && known && u * u_next < 0) {
            done = bisect(cross, &here, &next, &root) && judge_state(cross, &root, v);
            state_clear(&root);
        }
        state_clear(&here);
        here = next, u = u_next, known = good;
    }
    state_clear(&here);
    return done;
}

// Far away too: along each coordinate and velocity that u holds, and time, through two states.
static bool scan(const crossing *cross, uint32_t count, state *const *seen, const double *u,
                 verdict *v) {
    const mechanics *s = cross->ps->system;
    bool done = false;
    for (uint32_t i = 0; i < count && i < 2 && !done; i++)
        for (uint32_t j = 0; j <= 2 * s->n && !done; j++) {
            const expr symbol = j == 2 * s->n ? s->model->time
                                : j < s->n    ? s->q[j]
                                              : s->qd[j - s->n];
            state near;
            double moved = u[i];
            state_copy_midpoints(seen[i], FLOW_BITS, &near);
            put(&near, symbol, get(&near, symbol) + 0.0625);
            if (value_of(cross, &near, &moved) && moved != u[i])
                done = scan_line(cross, seen[i], symbol, v);
            state_clear(&near);
        }
    return done;
}

static bool judge_break(const crossing *cross, verdict *v) {
    state *seen[STARTS] = {NULL};
    double u[STARTS];
    uint32_t count = 0;
    bool done = false;
    for (uint32_t i = 0; i < STARTS; i++) {
        solved_sample *s = samples_solved(&cross->ps->samples, cross->eq, i);
        if (s && value_of(cross, &s->at, &u[count])) seen[count++] = &s->at;
    }
    for (uint32_t i = 0; i < count && !done; i++) {
        state root;
        uint32_t j = i + 1;
        while (j < count && u[i] * u[j] >= 0) j++;
        if (j < count) { // on the other side
            done = bisect(cross, seen[i], seen[j], &root) && judge_state(cross, &root, v);
            state_clear(&root);
        }
        if (done || i >= DESCENTS) continue;
        done = descend(cross, seen[i], &root) && judge_state(cross, &root, v);
        state_clear(&root);
    }
    return done || scan(cross, count, seen, u, v);
}

void continuity_judge(proof_session *ps, const equations *eq, const named_expression *i,
                      verdict *v) {
    typed_break at[MOST_BREAKS];
    const uint32_t count = typed_breaks(ps->m, &i->typed, MOST_BREAKS, at);
    if (count && !ps->samples.walker.system) ps->samples.walker = walker_create(ps->system);
    for (uint32_t b = 0; b < count && b < MOST_BREAKS; b++)
        if (judge_break(&(crossing){ps, eq, i, &at[b]}, v)) return;
    if (count > MOST_BREAKS && !v->remark)
        v->remark = "it has too many breaks to look at each: continuity is not known";
}
