// Taylor arithmetic: the coefficients of every register, order by order, by the same operations in
// the same order as emit_jet writes. jets.h says what the functions give. Included after a
// scalar_*.h, with
//   LINKAGE      of the functions that jets.h describes: nothing, or static
//   JETS_ALONG   defined where coefficients along a given curve are wanted
#include "codegen/jet_plan.h"
#include "execute/number_template.h"
#include "execute/solve_template.h"

#include <math.h>

struct NAME(jets) {
    jet_plan *plan;
    uint32_t room;        // coefficients a register has space for
    SCALAR *fixed;        // by register; what is not fixed is elsewhere
    SCALAR **factor;      // by system: A_0 as factors, and behind it room for a right-hand side
    uint32_t **exchanged; // and its exchanged rows
    // series[register * room + k]; there is one more place in front, so that what
    // is read behind has an address
    SCALAR *series;
};

static SCALAR execute(tape_operation operation, SCALAR a, SCALAR b) {
    switch (operation) {
    case TAPE_ADD: return a + b;
    case TAPE_SUB: return a - b;
    case TAPE_MUL: return a * b;
    case TAPE_DIV: return a / b;
    case TAPE_NEG: return -a;
    case TAPE_SQRT: return LIBRARY(sqrt)(a);
    case TAPE_POW: return LIBRARY(pow)(a, b);
    case TAPE_SIN: return LIBRARY(sin)(a);
    case TAPE_COS: return LIBRARY(cos)(a);
    case TAPE_TAN: return LIBRARY(tan)(a);
    case TAPE_ASIN: return LIBRARY(asin)(a);
    case TAPE_ACOS: return LIBRARY(acos)(a);
    case TAPE_ATAN: return LIBRARY(atan)(a);
    case TAPE_ATAN2: return LIBRARY(atan2)(a, b);
    case TAPE_SINH: return LIBRARY(sinh)(a);
    case TAPE_COSH: return LIBRARY(cosh)(a);
    case TAPE_TANH: return LIBRARY(tanh)(a);
    case TAPE_EXP: return LIBRARY(exp)(a);
    case TAPE_LOG: return LIBRARY(log)(a);
    case TAPE_ABS: return LIBRARY(fabs)(a);
    case TAPE_SIGN: return (a > 0) - (a < 0);
    case TAPE_SOLVED:
    case TAPE_KINDS: break;
    }
    return NAN;
}

// --- coefficient k -------------------------------------------------------------------------------

// sum_{j=1..k-1} a_j b_{k-j}: from the middle outwards, the newest coefficients last, in two sums
// that do not wait for each other, and the product in the middle where there is one
static inline SCALAR convolve_between(const SCALAR *a, const SCALAR *b, uint32_t k) {
    SCALAR s = 0, h = 0;
    for (uint32_t j = (k - 1) / 2; j > 0; j--) {
        s = MULTIPLY_ADD(a[j], b[k - j], s);
        h = MULTIPLY_ADD(a[k - j], b[j], h);
    }
    return k % 2 ? s + h : MULTIPLY_ADD(a[k / 2], b[k / 2], s + h);
}

// sum_{j=from..k} a_j b_{k-j} with from = 0 or 1; b_k, which is there later than a_k, comes last
static inline SCALAR convolve(const SCALAR *a, const SCALAR *b, uint32_t k, uint32_t from) {
    const SCALAR sum = MULTIPLY_ADD(a[k], b[0], convolve_between(a, b, k));
    return from ? sum : MULTIPLY_ADD(a[0], b[k], sum);
}

// The same with b = a, where the two sums are one
static inline SCALAR convolve_self_between(const SCALAR *a, uint32_t k) {
    SCALAR s = 0;
    for (uint32_t j = (k - 1) / 2; j > 0; j--) s = MULTIPLY_ADD(a[j], a[k - j], s);
    return k % 2 ? 2 * s : MULTIPLY_ADD(a[k / 2], a[k / 2], 2 * s);
}

// a_k / b_0 - b_k r_0 / b_0 - sum_{j=1..k-1} b_j r_{k-j} / b_0 by the reciprocal of b_0, so that
// little is left to do once a_k is there
static inline SCALAR less_divided(const SCALAR *b, const SCALAR *r, uint32_t k) {
    const SCALAR over = 1 / b[0];
    return MULTIPLY_ADD(b[k], -(r[0] * over), -(convolve_between(b, r, k) * over));
}

// r = a^e. Where a = s^m (u_0 + u_1 s + ..), m > 0, and e is a whole number, r = s^(m e) u^e.
static SCALAR power(const SCALAR *a, SCALAR e, const SCALAR *r, uint32_t k) {
    uint32_t m = 0;
    while (m < k && a[m] == 0) m++;
    if (m && (e != LIBRARY(floor)(e) || e < 0)) return NAN;
    if (m * e >= k) return a[m] != 0 && m * e == k ? LIBRARY(pow)(a[m], e) : 0;
    const uint32_t from = (uint32_t)(m * e), n = k - from;
    const SCALAR *u = a + m, *v = r + from;
    SCALAR sum = 0;
    for (uint32_t j = 0; j < n; j++) sum += (e * (n - j) - j) * u[n - j] * v[j];
    return sum / (n * u[0]);
}

// Coefficient k >= 1 of the result r; `kind` is that of the operation, a
// constant where this is called
static inline SCALAR coefficient(jet_kind kind, const jet_operation *o, const SCALAR *a,
                                 const SCALAR *b, SCALAR ca, SCALAR cb, SCALAR factor,
                                 const SCALAR *r, uint32_t k) {
    const SCALAR *behind = o->behind ? a - 1 : a; // read from 1 on
    switch (kind) {
    case JET_INTEGRAL: return behind[k] * (1 / (SCALAR)k);
    case JET_MINUS_INTEGRAL: return -behind[k] * (1 / (SCALAR)k);
    case JET_RAMP: return k == 1 ? ca : 0;
    case JET_EULER: return a[k] * k;
    case JET_ADD: return a[k] + b[k];
    case JET_SUB: return a[k] - b[k];
    case JET_NEG: return -a[k];
    case JET_SHIFT:
    case JET_LESS: return a[k];
    case JET_FROM: return -b[k];
    case JET_SCALE: return behind[k] * cb;
    case JET_SCALE_ADD: return MULTIPLY_ADD(a[k], factor, b[k]);
    case JET_SCALE_SUB: return MULTIPLY_ADD(a[k], factor, -b[k]);
    case JET_QUOTIENT: return a[k] * (1 / cb);
    case JET_MUL: return convolve(behind, b, k, o->from_zero);
    case JET_SQUARE: return MULTIPLY_ADD(2 * a[0], a[k], convolve_self_between(a, k));
    case JET_DIV: return MULTIPLY_ADD(a[k], 1 / b[0], less_divided(b, r, k));
    case JET_OVER: return less_divided(b, r, k);
    case JET_SQRT: {
        const SCALAR over = 1 / (2 * r[0]);
        return MULTIPLY_ADD(a[k], over, -(convolve_self_between(r, k) * over));
    }
    case JET_POW: return power(a, cb, r, k);
    case JET_ABS: return a[0] > 0 ? a[k] : a[0] < 0 ? -a[k] : NAN;
    case JET_SIGN: return a[0] != 0 ? 0 : NAN;
    case JET_ONCE:
    case JET_SOLVED:
    case JET_KINDS: break;
    }
    return NAN;
}

static SCALAR constant_part(const NAME(jets) * j, uint32_t r) {
    return j->plan->is_fixed[r] ? j->fixed[r] : j->series[(size_t)r * j->room];
}

// The operand of a system that is the entry (i, j) of A
static uint32_t entry_of(const tape_system *s, uint32_t i, uint32_t j) {
    if (!s->symmetric) return i * s->n + j;
    return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
}

// b_k - sum_{j=1..k} A_j x_{k-j} for one entry of b, x being the column it belongs to
static SCALAR reduced_right(const NAME(jets) * j, const jet_system *s, uint32_t column, uint32_t i,
                            uint32_t k) {
    const jet_plan *p = j->plan;
    const tape_system *of = s->of;
    const uint32_t right = s->operand[tape_system_entries(of) + column * of->n + i];
    SCALAR sum =
        p->is_fixed[right] ? k ? 0 : j->fixed[right] : j->series[(size_t)right * j->room + k];
    for (uint32_t l = 0; l < of->n && k; l++) {
        const uint32_t entry = s->operand[entry_of(of, i, l)];
        if (p->is_fixed[entry]) continue;
        const SCALAR *a = j->series + (size_t)entry * j->room,
                     *x = j->series + (size_t)(s->first + column * of->n + l) * j->room;
        sum -= convolve(a, x, k, 1);
    }
    return sum;
}

// Coefficient k >= 0 of the unknowns of a system
static void run_system(NAME(jets) * j, uint32_t which, uint32_t k) {
    const jet_system *s = &j->plan->system[which];
    const uint32_t n = s->of->n, entries = tape_system_entries(s->of);
    SCALAR *factor = j->factor[which], *x = factor + entries;
    for (uint32_t i = 0; i < entries && k == 0; i++) factor[i] = constant_part(j, s->operand[i]);
    if (k == 0) factor_system(s->of->symmetric, n, factor, j->exchanged[which]);
    for (uint32_t c = 0; c < s->of->columns; c++) {
        for (uint32_t i = 0; i < n; i++) x[i] = reduced_right(j, s, c, i, k);
        solve_system(s->of->symmetric, n, factor, j->exchanged[which], x);
        for (uint32_t i = 0; i < n; i++)
            j->series[(size_t)(s->first + c * n + i) * j->room + k] = x[i];
    }
}

// Coefficient k >= 1 of the results of operations of one kind
static void run_burst(NAME(jets) * j, const jet_operation *o, uint32_t count, uint32_t k) {
    const jet_operation *end = o + count;
    SCALAR *const series = j->series, *const fixed = j->fixed;
    const size_t room = j->room;
    switch (o->kind) {
#define EACH(KIND)                                                                                 \
    case JET_##KIND:                                                                               \
        for (; o < end; o++)                                                                       \
            series[o->to * room + k] =                                                             \
                coefficient(JET_##KIND, o, series + o->a * room, series + o->b * room,             \
                            fixed[o->a], fixed[o->b], fixed[o->factor], series + o->to * room, k); \
        break;
        JET_KIND_NAMES(EACH)
#undef EACH
    case JET_SOLVED:
        for (; o < end; o++) run_system(j, o->a, k);
        break;
    case JET_ONCE:
    case JET_KINDS: break;
    }
}

// Coefficient 0 of all that is not given: states and t are
static void run_start(NAME(jets) * j) {
    const jet_plan *p = j->plan;
    for (uint32_t i = 0; i < p->count; i++) {
        const jet_operation *o = &p->operation[i];
        if (o->to <= p->t->state_count) continue;
        if (o->kind == JET_SOLVED) run_system(j, o->a, 0);
        else
            j->series[(size_t)o->to * j->room] =
                o->from_zero ? 0
                             : execute(o->first, constant_part(j, o->x), constant_part(j, o->y));
    }
}

// Coefficient k of the solution
static void run_states(NAME(jets) * j, uint32_t k) {
    const jet_plan *p = j->plan;
    for (uint32_t i = 0; i < p->t->state_count && p->is_solution; i++)
        run_burst(j, &p->operation[i], 1, k);
}

// Coefficient k of everything else
static void run_order(NAME(jets) * j, uint32_t k) {
    const jet_plan *p = j->plan;
    if (k == 0) run_start(j);
    for (uint32_t i = 0; i < p->burst_count && k > 0; i++)
        run_burst(j, &p->operation[p->burst[i].first], p->burst[i].count, k);
}

// --- the calls -----------------------------------------------------------------------------------

static void reserve(NAME(jets) * j, uint32_t order) {
    if (order < j->room) return;
    j->room = order + 1;
    memory_free(j->series ? j->series - 1 : NULL);
    SCALAR *place = memory_array(SCALAR, (size_t)j->room * j->plan->register_count + 1);
    place[0] = 0;
    j->series = place + 1;
}

LINKAGE NAME(jets) * JETS(create)(const tape *t, bool is_solution, const SCALAR *parameter_value) {
    NAME(jets) *j = memory_new(NAME(jets));
    *j = (NAME(jets)){.plan = jet_plan_create(t, is_solution)};
    jet_plan *p = j->plan;
    jet_plan_gather(p);
    j->fixed = memory_zeros(SCALAR, p->register_count);
    for (uint32_t i = t->state_count + 1; i < t->input_count; i++)
        j->fixed[i] = parameter_value[i - t->state_count - 1];
    for (uint32_t i = 0; i < t->constant_count; i++)
        j->fixed[t->input_count + i] = number_of(tape_constant(t, i));
    j->fixed[p->one] = 1;
    j->factor = memory_array(SCALAR *, p->system_count + 1);
    j->exchanged = memory_array(uint32_t *, p->system_count + 1);
    for (uint32_t i = 0; i < p->system_count; i++) {
        const tape_system *s = p->system[i].of;
        j->factor[i] = memory_array(SCALAR, tape_system_entries(s) + s->n);
        j->exchanged[i] = memory_array(uint32_t, s->n);
    }
    for (uint32_t i = 0; i < p->fixed_count; i++) {
        const jet_fixed *f = &p->fixed[i];
        j->fixed[f->to] = execute(f->operation, j->fixed[f->a], j->fixed[f->b]);
    }
    return j;
}

LINKAGE void JETS(free)(NAME(jets) * j) {
    if (!j) return;
    for (uint32_t i = 0; i < j->plan->system_count; i++)
        memory_free(j->factor[i]), memory_free(j->exchanged[i]);
    memory_free(j->factor), memory_free(j->exchanged);
    jet_plan_free(j->plan);
    memory_free(j->fixed);
    memory_free(j->series ? j->series - 1 : NULL);
    memory_free(j);
}

LINKAGE bool JETS(of_solution)(NAME(jets) * j, SCALAR t, const SCALAR *z, uint32_t order,
                               SCALAR *out) {
    reserve(j, order);
    const uint32_t n = j->plan->t->state_count;
    for (uint32_t i = 0; i < n; i++) j->series[(size_t)i * j->room] = z[i];
    j->series[(size_t)n * j->room] = t;
    for (uint32_t k = 0; k < order; k++) {
        run_order(j, k);
        run_states(j, k + 1);
    }
    bool finite = true;
    for (uint32_t k = 0; k <= order; k++)
        for (uint32_t i = 0; i < n; i++) {
            out[k * n + i] = j->series[(size_t)i * j->room + k];
            finite = finite && isfinite(out[k * n + i]);
        }
    return finite;
}

#ifdef JETS_ALONG
LINKAGE bool JETS(along)(NAME(jets) * j, SCALAR t, const SCALAR *curve, uint32_t order,
                         SCALAR *out) {
    reserve(j, order);
    const tape *g = j->plan->t;
    const uint32_t n = g->state_count;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k <= order; k++) j->series[(size_t)i * j->room + k] = curve[k * n + i];
    j->series[(size_t)n * j->room] = t;
    bool finite = true;
    for (uint32_t k = 0; k <= order; k++) {
        run_order(j, k);
        for (uint32_t i = 0; i < g->output_count; i++) {
            const uint32_t r = j->plan->output[i];
            const SCALAR value = k == 0                 ? constant_part(j, r)
                                 : j->plan->is_fixed[r] ? 0
                                                        : j->series[(size_t)r * j->room + k];
            out[k * g->output_count + i] = value;
            finite = finite && isfinite(value);
        }
    }
    return finite;
}
#endif
