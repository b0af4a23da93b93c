// Is an invariant continuous along the motion? Where what was typed can jump (a break u =
// 0), states on both sides of it along one motion are compared. Off its breaks an invariant
// is constant along the motion, since its rate is zero there: a difference that stays while
// the sides come together is a jump.
#include "prove/court.h"
#include "prove/travel.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_BREAKS = 24,
    STARTS = 14,
    DESCENTS = 6,
    MOST_ITERATIONS = 60,
    PATIENCE = 6,
    SCAN = 28,
    FAR_SCAN = 18, // 8.75 * 2^18: two million units
    BISECTIONS = 50,
    TRAVEL_BITS = 160
};
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
    court *c;
    const equations *eq;
    const named_expression *invariant;
    const typed_break *at;
} crossing;

static bool value_of(const crossing *x, state *s, double *u) {
    arb_t value;
    arb_init(value);
    const bool ok =
        typed_break_value(x->at, s, value, NULL).status == TYPED_OK && arb_is_finite(value);
    if (ok) *u = arf_get_d(arb_midref(value), ARF_RND_NEAR);
    arb_clear(value);
    return ok;
}

static double get(state *s, expr symbol) {
    return arf_get_d(arb_midref(state_get(s, symbol)), ARF_RND_NEAR);
}

static void put(state *s, expr symbol, double value) { arb_set_d(state_get(s, symbol), value); }

// --- a state on the break ------------------------------------------------------------------------

// Back onto the constraints. Accelerations stay as they were: hardly any invariant holds them.
static bool settle(const crossing *x, state *s) {
    if (!walker_bring_back(&x->c->room.walker, s)) return false;
    travel_set_quasi(x->eq, s);
    return true;
}

// Half way between two states on both sides of the break, again and again.
static bool bisect(const crossing *x, const state *one, const state *other, state *out) {
    const mechanics *w = x->c->system;
    state low, high;
    travel_copy(one, TRAVEL_BITS, &low), travel_copy(other, TRAVEL_BITS, &high);
    double u_low = 0, u_high = 0, u = INFINITY;
    bool ok = value_of(x, &low, &u_low) && value_of(x, &high, &u_high) && u_low * u_high < 0;
    const double small = ON_BREAK * fmax(1, fmin(fabs(u_low), fabs(u_high)));
    travel_copy(one, TRAVEL_BITS, out);
    for (int i = 0; i < BISECTIONS && ok && fabs(u) > small / 1000; i++) {
        for (uint32_t j = 0; j < w->n; j++) {
            put(out, w->q[j], (get(&low, w->q[j]) + get(&high, w->q[j])) / 2);
            put(out, w->qd[j], (get(&low, w->qd[j]) + get(&high, w->qd[j])) / 2);
        }
        put(out, w->model->time, (get(&low, w->model->time) + get(&high, w->model->time)) / 2);
        ok = settle(x, out) && value_of(x, out, &u);
        state *side = u * u_low > 0 ? &low : &high;
        for (uint32_t j = 0; j < w->n && ok; j++)
            put(side, w->q[j], get(out, w->q[j])), put(side, w->qd[j], get(out, w->qd[j]));
        put(side, w->model->time, get(out, w->model->time));
    }
    state_clear(&low), state_clear(&high);
    return ok && fabs(u) < small;
}

// Down the slope of u by (q, q', t), found by differences, and back onto the constraints.
static bool descend(const crossing *x, const state *from, state *out) {
    const mechanics *w = x->c->system;
    const uint32_t count = 2 * w->n + 1;
    double *slope = memory_array(double, count), u = 1;
    travel_copy(from, TRAVEL_BITS, out);
    bool ok = value_of(x, out, &u);
    double last = INFINITY;
    for (int i = 0; i < MOST_ITERATIONS && ok && fabs(u) > ON_BREAK / 1000; i++) {
        double square = 0, moved;
        if (i % PATIENCE == PATIENCE - 1) { // no way down: it does not vanish near here
            if (!(fabs(u) < last / 4)) ok = false;
            last = fabs(u);
        }
        for (uint32_t j = 0; j < count && ok; j++) {
            const expr symbol = j < w->n       ? w->q[j]
                                : j < 2 * w->n ? w->qd[j - w->n]
                                               : w->model->time;
            const double old = get(out, symbol), step = 1e-7 * fmax(1e-3, fmin(1, fabs(u)));
            put(out, symbol, old + step);
            ok = value_of(x, out, &moved);
            slope[j] = (moved - u) / step;
            square += slope[j] * slope[j];
            put(out, symbol, old);
        }
        if (!(square > 1e-20)) ok = false;
        // at most two units a step
        const double factor = fmin(1, 2 / (fabs(u) / sqrt(square) + 1e-300));
        for (uint32_t j = 0; j < count && ok; j++) {
            const expr symbol = j < w->n       ? w->q[j]
                                : j < 2 * w->n ? w->qd[j - w->n]
                                               : w->model->time;
            put(out, symbol, get(out, symbol) - factor * u * slope[j] / square);
        }
        ok = ok && settle(x, out) && value_of(x, out, &u);
    }
    memory_free(slope);
    return ok && fabs(u) < ON_BREAK;
}

// --- both sides ----------------------------------------------------------------------------------

static bool is_regular(const crossing *x, state *s, double h) {
    const mechanics *w = x->c->system;
    for (uint32_t i = 0; i < w->n; i++)
        if (!(fabs(h * get(s, w->qdd[i])) < LONGEST_TURN * (1 + fabs(get(s, w->qd[i])))))
            return false;
    return true;
}

// The invariant a little later less a little earlier; how much u changed on the way. False where
// there is no motion through the state, or no value.
static bool difference(const crossing *x, state *s, double h, arb_t jump, double *size,
                       double *change) {
    state side[2] = {{0}, {0}};
    arb_t value[2];
    arb_init(value[0]), arb_init(value[1]);
    double u[2] = {0, 0}, here = 0;
    bool ok = is_regular(x, s, h) && value_of(x, s, &here);
    for (int i = 0; i < 2 && ok; i++) {
        ok = travel_safely(x->eq, s, i ? h : -h, &side[i]) && is_regular(x, &side[i], h) &&
             value_of(x, &side[i], &u[i]);
        ok = ok && typed_invariant(x->invariant, &side[i], value[i], NULL).status == TYPED_OK &&
             arb_is_finite(value[i]);
    }
    if (ok) {
        arb_sub(jump, value[1], value[0], TRAVEL_BITS);
        *size = 1 + fabs(arf_get_d(arb_midref(value[0]), ARF_RND_NEAR));
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
static sides compare_sides(const crossing *x, state *s, arb_t jump) {
    double before = 0, gap = 0, size = 1, change = 0;
    int seen = 0;
    arb_t last;
    arb_init(last);
    for (int i = 0; i < SIDES; i++) {
        if (!difference(x, s, SIDE[i], last, &size, &change)) continue;
        // not crossed, or too near to tell
        if (change < CONSERVED * SIDE[i] * SIDE[i] * SIDE[i]) break;
        before = gap, gap = arf_get_d(arb_midref(last), ARF_RND_NEAR);
        arb_set(jump, last);
        seen++;
    }
    arb_clear(last);
    if (seen && fabs(gap) < JUMP * size) return SIDES_AGREE;
    // still going somewhere
    if (seen < 2 || fabs(gap - before) > STABLE * fabs(gap)) return SIDES_UNKNOWN;
    return arb_contains_zero(jump) ? SIDES_UNKNOWN : SIDES_DIFFER;
}

static const char *break_words(const model *m, const typed_break *b) {
    const char *what = typed_text(m, b->at);
    return arena_format(&m->ctx->arena, "it jumps along the motion, at `%s`",
                        what ? what : "a break");
}

// One state on the break: refuted if the invariant jumps there. True:
// nothing more is to be looked at.
static bool judge_state(const crossing *x, state *s, verdict *v) {
    arb_t jump;
    arb_init(jump);
    const sides found = travel_solve(x->eq, s) ? compare_sides(x, s, jump) : SIDES_UNKNOWN;
    if (found == SIDES_DIFFER) {
        v->verdict = VERDICT_REFUTED, v->method = "witness", v->trials = 0, v->bound = 0;
        witness_note_state(x->eq, s, jump, v);
        v->remark = break_words(x->c->m, x->at);
        v->place = NULL;
    } else if (found == SIDES_AGREE && x->at->kind == TYPED_POLE && !v->place) {
        const char *what = typed_text(x->c->m, x->at->at);
        v->scope.where_defined = true;
        v->place = arena_format(&x->c->m->ctx->arena,
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
static bool scan_line(const crossing *x, const state *from, expr symbol, verdict *v) {
    state here, next, root;
    travel_copy(from, TRAVEL_BITS, &here);
    const double middle = get(&here, symbol);
    double u = 0, u_next;
    bool done = false, known = false;
    for (int i = -SCAN - FAR_SCAN; i <= SCAN + FAR_SCAN && !done; i++) {
        travel_copy(from, TRAVEL_BITS, &next);
        put(&next, symbol, middle + scan_offset(i));
        const bool good = settle(x, &next) && value_of(x, &next, &u_next);
        if (good && known && u * u_next < 0) {
            done = bisect(x, &here, &next, &root) && judge_state(x, &root, v);
            state_clear(&root);
        }
        state_clear(&here);
        here = next, u = u_next, known = good;
    }
    state_clear(&here);
    return done;
}

// Far away too: along each coordinate and velocity that u holds, and time, through two states.
static bool scan(const crossing *x, uint32_t count, state *const *seen, const double *u,
                 verdict *v) {
    const mechanics *w = x->c->system;
    bool done = false;
    for (uint32_t i = 0; i < count && i < 2 && !done; i++)
        for (uint32_t j = 0; j <= 2 * w->n && !done; j++) {
            const expr symbol = j == 2 * w->n ? w->model->time
                                : j < w->n    ? w->q[j]
                                              : w->qd[j - w->n];
            state near;
            double moved = u[i];
            travel_copy(seen[i], TRAVEL_BITS, &near);
            put(&near, symbol, get(&near, symbol) + 0.0625);
            if (value_of(x, &near, &moved) && moved != u[i])
                done = scan_line(x, seen[i], symbol, v);
            state_clear(&near);
        }
    return done;
}

static bool judge_break(const crossing *x, verdict *v) {
    state *seen[STARTS] = {NULL};
    double u[STARTS];
    uint32_t count = 0;
    bool done = false;
    for (uint32_t i = 0; i < STARTS; i++) {
        solved_sample *s = sample_solved(&x->c->room, x->eq, i);
        if (s && value_of(x, &s->at, &u[count])) seen[count++] = &s->at;
    }
    for (uint32_t i = 0; i < count && !done; i++) {
        state root;
        uint32_t j = i + 1;
        while (j < count && u[i] * u[j] >= 0) j++;
        if (j < count) { // on the other side
            done = bisect(x, seen[i], seen[j], &root) && judge_state(x, &root, v);
            state_clear(&root);
        }
        if (done || i >= DESCENTS) continue;
        done = descend(x, seen[i], &root) && judge_state(x, &root, v);
        state_clear(&root);
    }
    return done || scan(x, count, seen, u, v);
}

void judge_continuity(court *c, const equations *eq, const named_expression *i, verdict *v) {
    typed_break at[MOST_BREAKS];
    const uint32_t count = typed_breaks(c->m, &i->typed, MOST_BREAKS, at);
    if (count && !c->room.walker.system) c->room.walker = walker_create(c->system);
    for (uint32_t b = 0; b < count && b < MOST_BREAKS; b++)
        if (judge_break(&(crossing){c, eq, i, &at[b]}, v)) return;
    if (count > MOST_BREAKS && !v->remark)
        v->remark = "it has too many breaks to look at each: continuity is not known";
}
