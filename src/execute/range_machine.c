// A tape over ranges.
#include "execute/range_machine.h"

// --- sums of angles ------------------------------------------------------------------------------

// The step that makes a register with this operation; NULL: none
static const tape_step *made_by(const range_machine *m, uint32_t reg, tape_operation operation) {
    const tape_step *s = reg < m->leaves ? NULL : &m->t->step[reg - m->leaves];
    return s && s->operation == operation ? s : NULL;
}

static bool are_sine_and_cosine(const range_machine *m, uint32_t x, uint32_t y) {
    const tape_step *sine = made_by(m, x, TAPE_SIN), *cosine = made_by(m, y, TAPE_COS);
    if (!sine || !cosine) sine = made_by(m, y, TAPE_SIN), cosine = made_by(m, x, TAPE_COS);
    return sine && cosine && sine->a == cosine->a;
}

// cos a cos b + sin a sin b and the like are the cosine or the sine of some angle: at most 1, which
// ranges of their parts do not tell
static bool is_wave(const range_machine *m, const tape_step *s) {
    if (s->operation != TAPE_ADD && s->operation != TAPE_SUB) return false;
    const tape_step *p = made_by(m, s->a, TAPE_MUL), *q = made_by(m, s->b, TAPE_MUL);
    if (!p || !q) return false;
    return (are_sine_and_cosine(m, p->a, q->a) && are_sine_and_cosine(m, p->b, q->b)) ||
           (are_sine_and_cosine(m, p->a, q->b) && are_sine_and_cosine(m, p->b, q->a));
}

static range within_one(range a) { return (range){fmax(a.lo, -1), fmin(a.hi, 1)}; }

// --- making --------------------------------------------------------------------------------------

void range_machine_init(range_machine *m, const tape *t, const double *parameter_value,
                        bool rates) {
    const uint32_t registers = tape_register_count(t);
    *m = (range_machine){.t = t, .leaves = t->input_count + t->constant_count};
    m->value = memory_zeros(range, registers + 1);
    if (rates) m->rate = memory_zeros(range, registers + 1);
    for (uint32_t i = 0; i < t->constant_count; i++)
        m->value[t->input_count + i] = range_of(tape_constant(t, i).part[0]);
    uint32_t most = 0;
    for (uint32_t i = 0; i < t->system_count; i++)
        if (t->system[i].n > most) most = t->system[i].n;
    m->inverse = memory_zeros(double, (size_t)most *(3 * most + 2) + 1);
    m->work = m->inverse + (size_t)most * most;
    m->wave = memory_zeros(bool, t->step_count + 1);
    for (uint32_t i = 0; i < t->step_count; i++) m->wave[i] = is_wave(m, &t->step[i]);
    range_machine_set_parameters(m, parameter_value);
}

void range_machine_set_parameters(range_machine *m, const double *parameter_value) {
    const tape *t = m->t;
    for (uint32_t i = t->state_count + 1; i < t->input_count; i++)
        m->value[i] = range_of(parameter_value[i - t->state_count - 1]);
    for (uint32_t i = 0; i < t->step_count; i++)
        if (t->step[i].level == TAPE_FIXED) range_machine_step(m, i);
}

void range_machine_free(range_machine *m) {
    memory_free(m->value), memory_free(m->rate), memory_free(m->inverse), memory_free(m->wave);
}

// --- linear systems ------------------------------------------------------------------------------

static range entry(const range_machine *m, const tape_system *s, uint32_t i, uint32_t j) {
    if (s->symmetric)
        return m->value[s->operand[i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i]];
    return m->value[s->operand[i * s->n + j]];
}

static double middle(range a) { return a.lo + (a.hi - a.lo) / 2; }

// Gauss and Jordan with row pivoting on [A | E]; false where A is singular or not finite.
static bool invert(uint32_t n, double *a, double *inverse) {
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) inverse[i * n + j] = i == j;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t best = k;
        for (uint32_t i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
        const double pivot = a[best * n + k];
        if (!(fabs(pivot) > 0) || !isfinite(pivot)) return false;
        for (uint32_t j = 0; j < n; j++) {
            const double x = a[k * n + j], y = inverse[k * n + j];
            a[k * n + j] = a[best * n + j] / pivot,
                      inverse[k * n + j] = inverse[best * n + j] / pivot;
            if (best != k) a[best * n + j] = x, inverse[best * n + j] = y;
        }
        for (uint32_t i = 0; i < n; i++) {
            const double factor = a[i * n + k];
            if (i == k || factor == 0) continue;
            for (uint32_t j = 0; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j],
                    inverse[i * n + j] -= factor * inverse[k * n + j];
        }
    }
    return true;
}

void range_machine_invert(range_machine *m, const tape_system *s) {
    const uint32_t n = s->n;
    double *a = m->work, *radius = a + (size_t)n * n;
    m->spread = INFINITY;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            const range e = entry(m, s, i, j);
            a[i * n + j] = middle(e), radius[i * n + j] = range_width(e) / 2;
            if (!isfinite(radius[i * n + j])) return;
        }
    if (!invert(n, a, m->inverse)) return;
    m->spread = 0;
    for (uint32_t i = 0; i < n; i++) { // the largest row of |A_mid^-1| |A - A_mid|
        double sum = 0;
        for (uint32_t k = 0; k < n; k++)
            for (uint32_t j = 0; j < n; j++) sum += fabs(m->inverse[i * n + k]) * radius[k * n + j];
        m->spread = fmax(m->spread, sum);
    }
}

// x = A^-1 b = x_mid + A_mid^-1 (..): |x - C b_mid| <= C |b - b_mid| + spread/(1 -
// spread) max |C b|, C = A_mid^-1
static void solve(range_machine *m, const tape_system *s) {
    const uint32_t n = s->n;
    range *out = m->value + m->leaves + s->first;
    range_machine_invert(m, s);
    for (uint32_t c = 0; c < s->columns; c++, out += n) {
        const uint32_t *right = s->operand + tape_system_entries(s) + c * n;
        double most = 0;
        for (uint32_t i = 0; i < n; i++) {
            range sum = range_of(0);
            for (uint32_t k = 0; k < n; k++)
                sum =
                    range_add(sum, range_mul(range_of(m->inverse[i * n + k]), m->value[right[k]]));
            out[i] = sum;
            most = fmax(most, range_size(sum));
        }
        const double more = m->spread < 1 ? m->spread / (1 - m->spread) * most : INFINITY;
        for (uint32_t i = 0; i < n; i++)
            out[i] = more < INFINITY ? (range){out[i].lo - more, out[i].hi + more} : EVERYTHING;
        if (m->rate)
            for (uint32_t i = 0; i < n; i++) m->rate[m->leaves + s->first + c * n + i] = EVERYTHING;
    }
}

// --- one step ------------------------------------------------------------------------------------

void range_machine_step(range_machine *m, uint32_t step) {
    const tape_step *s = &m->t->step[step];
    if (s->operation == TAPE_SOLVED) {
        if (!s->b) solve(m, &m->t->system[s->a]);
        return;
    }
    const range a = m->value[s->a], b = m->value[s->b];
    range *to = &m->value[m->leaves + step];
    const bool same = s->a == s->b && !tape_is_unary(s->operation);
    if (same && s->operation == TAPE_MUL) *to = range_square(a);
    else if (same && s->operation == TAPE_SUB) *to = range_of(0);
    else *to = range_apply(s->operation, a, b);
    if (m->wave[step]) *to = within_one(*to);
    if (m->rate)
        m->rate[m->leaves + step] =
            range_rate(s->operation, a, b, *to, m->rate[s->a], m->rate[s->b]);
}
