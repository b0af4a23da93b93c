// Solutions as they were typed: functions of time that must be C^1 and obey the equations of
// motion on both sides of every break.
#include "prove/proof_session.h"
#include "typed/typed.h"

#include <math.h>

enum {
    MOST_BREAKS = 16,
    GRID = 800,
    FAR_TIMES = 12,
    MOST_TIMES = 48,
    RANDOM_TIMES = 10,
    HALVINGS = 80
};
// not symmetric, so that no special time (0, 1, ..) is on the grid
static const double FIRST_TIME = -20.03125, LAST_TIME = 20.0390625;
// |u| at a smallest value that counts as 0
static const double TOUCHING = 1e-9;
static const double NEAR = 1e-4, NEARER = 1e-6; // before and after a break
// of what changes there; a smooth function changes by 1e-6 times its rate
static const double JUMP = 1e-3;
static const double STABLE = 0.05;

typedef struct {
    proof_session *ps;
    const claim *claim;
    state *at;              // parameters, and whatever is set on the way
    uint32_t seen, missing; // times at which the text gives a motion, and at which it does not
    typed_finding finding;  // why it does not
    bool contradicts;       // a time was found where it does not solve the equations
    arb_t gap;              // and by how much
} solution_look;

// q, q', q'' of the functions at the time t, put into the state.
static typed_finding place(const solution_look *x, double t) {
    const mechanics *s = x->ps->system;
    arb_ptr value = _arb_vec_init(4);
    typed_finding f = {TYPED_OK, {0}, NULL};
    arb_set_d(value + 3, t);
    state_set(x->at, s->model->time, value + 3);
    for (uint32_t i = 0; i < s->n && f.status == TYPED_OK; i++) {
        f = typed_solution(x->claim, i, x->at, value + 3, 2, value);
        if (f.status != TYPED_OK) break;
        state_set(x->at, s->q[i], value), state_set(x->at, s->qd[i], value + 1),
            state_set(x->at, s->qdd[i], value + 2);
    }
    _arb_vec_clear(value, 4);
    return f;
}

// --- the equations ------------------------------------------------------------------------------

static void note(solution_look *x, arb_srcptr gap) {
    if (!arb_is_finite(gap) || arb_contains_zero(gap)) return;
    x->contradicts = true;
    arb_set(x->gap, gap);
}

// Constraints, and q'' against that of the motion through (q, q'), both from the text.
static void look_at_time(solution_look *x, double t) {
    const mechanics *s = x->ps->system;
    typed_finding f = place(x, t);
    if (f.status != TYPED_OK) {
        if (f.status != TYPED_NO_VALUE && !x->missing++) x->finding = f;
        return;
    }
    arb_ptr qdd = _arb_vec_init(s->n), lambda = _arb_vec_init(s->k + s->h);
    arb_t gap;
    arb_init(gap);
    for (uint32_t i = 0; i < s->model->constraints_count && !x->contradicts; i++)
        if (s->model->constraints[i].order <= 1 &&
            typed_constraint(&s->model->constraints[i], x->at, gap).status == TYPED_OK)
            note(x, gap);
    if (!x->contradicts) f = typed_accelerations(s, x->at, qdd, lambda);
    for (uint32_t i = 0; i < s->n && f.status == TYPED_OK && !x->contradicts; i++) {
        arb_sub(gap, state_get(x->at, s->qdd[i]), qdd + i, x->at->precision);
        note(x, gap);
    }
    x->seen += f.status == TYPED_OK;
    arb_clear(gap);
    _arb_vec_clear(qdd, s->n), _arb_vec_clear(lambda, s->k + s->h);
}

// --- breaks in time -----------------------------------------------------------------------------

static double break_at(const solution_look *x, const typed_break *b, double t) {
    arb_t value;
    arb_init(value);
    arb_set_d(value, t);
    state_set(x->at, x->ps->m->time, value);
    const bool ok =
        typed_break_value(b, x->at, value, NULL).status == TYPED_OK && arb_is_finite(value);
    const double u = ok ? ball_middle(value) : NAN;
    arb_clear(value);
    return u;
}

// Where u changes its sign between a and b
static double bisect(const solution_look *x, const typed_break *b, double low, double high,
                     double u_low) {
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = (low + high) / 2, u = break_at(x, b, middle);
        if (u * u_low > 0) low = middle;
        else high = middle;
    }
    return (low + high) / 2;
}

// Where |u| is least between a and b
static double least(const solution_look *x, const typed_break *b, double low, double high) {
    for (int i = 0; i < HALVINGS; i++) {
        const double one = low + (high - low) / 3, other = high - (high - low) / 3;
        if (fabs(break_at(x, b, one)) < fabs(break_at(x, b, other))) high = other;
        else low = one;
    }
    return (low + high) / 2;
}

// The i-th time of the search: an even grid, and beyond its ends each twice as far.
static double grid_time(int i) {
    const double step = (LAST_TIME - FIRST_TIME) / GRID;
    if (i < 0) return ldexp(FIRST_TIME, -i);
    return i > GRID ? ldexp(LAST_TIME, i - GRID) : FIRST_TIME + i * step;
}

// The zeros of u between grid times first and last; returns how many there are now.
static uint32_t break_times_between(const solution_look *x, const typed_break *b, int first,
                                    int last, double *out, uint32_t count) {
    double before = NAN, here = break_at(x, b, grid_time(first));
    for (int i = first + 1; i <= last && count < MOST_TIMES; i++) {
        const double t = grid_time(i), next = break_at(x, b, t);
        if (here * next < 0) out[count++] = bisect(x, b, grid_time(i - 1), t, here);
        else if (fabs(here) <= fabs(before) && fabs(here) <= fabs(next)) {
            const double touch = least(x, b, grid_time(i - 2), t);
            if (fabs(break_at(x, b, touch)) < TOUCHING) out[count++] = touch;
        }
        before = here, here = next;
    }
    return count;
}

// The zeros of u in time, the near ones first; returns how many.
static uint32_t break_times(const solution_look *x, const typed_break *b, double *out) {
    uint32_t count = break_times_between(x, b, 0, GRID, out, 0);
    count = break_times_between(x, b, GRID, GRID + FAR_TIMES, out, count);
    return break_times_between(x, b, -FAR_TIMES, 0, out, count);
}

// What q_i and q'_i do across t: the difference of after and before, at a distance h.
static bool change_across(const solution_look *x, uint32_t i, double t, double h, double out[2],
                          double size[2]) {
    arb_ptr value = _arb_vec_init(7);
    bool ok = true;
    for (int side = 0; side < 2 && ok; side++) {
        arb_set_d(value + 6, side ? t + h : t - h);
        ok = typed_solution(x->claim, i, x->at, value + 6, 1, value + 3 * side).status == TYPED_OK;
    }
    for (int r = 0; r < 2 && ok; r++) {
        const double before = ball_middle(value + r), after = ball_middle(value + 3 + r);
        out[r] = after - before;
        size[r] = 1 + fmax(fabs(before), fabs(after));
    }
    _arb_vec_clear(value, 7);
    return ok;
}

// Does a position or a velocity jump at t?
static bool jumps_at(const solution_look *x, const typed_break *b, double t, verdict *v) {
    const mechanics *s = x->ps->system;
    for (uint32_t i = 0; i < s->n; i++) {
        double near[2], nearer[2], size[2];
        if (!change_across(x, i, t, NEAR, near, size) ||
            !change_across(x, i, t, NEARER, nearer, size))
            continue;
        for (int r = 0; r < 2; r++) {
            if (!(fabs(nearer[r]) > JUMP * size[r]) ||
                fabs(near[r] - nearer[r]) > STABLE * fabs(nearer[r]))
                continue;
            const char *name = expr_symbol_name(s->pool, s->q[i]),
                       *what = span_text(x->ps->m, b->at);
            arb_t jump;
            arb_init(jump);
            place(x, t - NEARER);
            arb_set_d(jump, t);
            state_set(x->at, s->model->time, jump);
            arb_set_d(jump, nearer[r]);
            v->verdict = VERDICT_REFUTED, v->method = "witness", v->trials = 0, v->bound = 0;
            witness_note_state(x->ps->reference, x->at, jump, v);
            v->remark = arena_format(&x->ps->m->ctx->arena, "%s%s jumps there, at `%s`", name,
                                     r ? "'" : "", what ? what : "a break");
            arb_clear(jump);
            return true;
        }
    }
    return false;
}

// --- the whole ----------------------------------------------------------------------------------

static bool look_at_breaks(const solution_look *x, double *time, uint32_t *times, verdict *v) {
    bool found = false;
    for (uint32_t i = 0; i < x->claim->solution_count && !found; i++) {
        typed_break at[MOST_BREAKS];
        const typed_form form = typed_solution_form(x->claim, i);
        const uint32_t count = typed_breaks(x->ps->m, &form, MOST_BREAKS, at);
        for (uint32_t b = 0; b < count && b < MOST_BREAKS && !found; b++) {
            double here[MOST_TIMES];
            const uint32_t zeros = break_times(x, &at[b], here);
            for (uint32_t j = 0; j < zeros && !found; j++) {
                found = jumps_at(x, &at[b], here[j], v);
                if (*times < MOST_TIMES) time[(*times)++] = here[j];
            }
        }
    }
    return found;
}

// Does the solution satisfy the model as typed, at times around its breaks and at random ones?
static void look_at_times(solution_look *x, uint32_t times, double *time, verdict *v) {
    const model *m = x->ps->m;
    uint64_t random = x->ps->samples.seed;
    // on both sides
    for (uint32_t i = 0, breaks = times; i < breaks; i++) time[i] += i % 2 ? 0.0078125 : -0.0078125;
    for (int i = 0; i < RANDOM_TIMES; i++)
        time[times++] = (i % 2 ? 20 : -20) * ((double)(random_next(&random) >> 11) * 0x1p-53);
    for (uint32_t i = 0; i < times && !x->contradicts; i++) look_at_time(x, time[i]);
    if (!x->contradicts && (x->seen || !x->missing)) return;
    v->verdict = VERDICT_UNDECIDED, v->method = "", v->trials = 0, v->bound = 0;
    if (x->contradicts) {
        witness_note_state(x->ps->reference, x->at, x->gap, v);
        v->remark =
            arena_format(&m->ctx->arena,
                         "internal error: the algebra finds 0 here, the solution as typed (%s) "
                         "does not; please report it with the model and this state (seed %llu)",
                         span_place(m, x->claim->at), (unsigned long long)x->ps->samples.seed);
    } else {
        v->remark = arena_format(&m->ctx->arena, "it has no value at any time that was tried: %s",
                                 x->finding.reason);
    }
}

void solution_judge(proof_session *ps, const claim *claim, bool classical, verdict *v) {
    state at;
    if (!samples_copy(&ps->samples, 0, &at)) return;
    solution_look x = {.ps = ps, .claim = claim, .at = &at};
    double time[MOST_TIMES + RANDOM_TIMES + 1];
    uint32_t times = 0;
    arb_init(x.gap);
    if (!look_at_breaks(&x, time, &times, v) && classical) look_at_times(&x, times, time, v);
    arb_clear(x.gap);
    state_clear(&at);
}
