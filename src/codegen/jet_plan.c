// From three-address code to operations on power series.
#include "codegen/jet_plan.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST_WHOLE_POWER = 4096 }; // a^n by products, which serve where a_0 = 0

bool jet_is_convolution(jet_kind kind) {
    return kind == JET_MUL || kind == JET_SQUARE || kind == JET_DIV || kind == JET_OVER || kind == JET_SQRT;
}

const char *jet_kink(const tape *t) {
    for (uint32_t i = 0; i < t->step_count; i++) {
        const tape_step *s = &t->step[i];
        if (s->level != TAPE_FIXED && (s->operation == TAPE_ABS || s->operation == TAPE_SIGN)) return tape_operation_name(s->operation);
    }
    return NULL;
}

// --- registers and operations ----------------------------------------------------------------------------------------------------

static uint32_t new_register(jet_plan *w, bool is_fixed) {
    if (w->register_count == w->is_fixed_capacity) {
        w->is_fixed_capacity = 2 * w->is_fixed_capacity + 64;
        w->is_fixed = memory_resize(w->is_fixed, sizeof(bool) * w->is_fixed_capacity);
    }
    w->is_fixed[w->register_count] = is_fixed;
    return w->register_count++;
}

static jet_operation *append(jet_plan *w, jet_kind kind, uint32_t to, uint32_t a, uint32_t b) {
    array_reserve(w->operation, w->count, w->capacity);
    w->operation[w->count] = (jet_operation){.kind = kind, .to = to, .a = a, .b = b};
    return &w->operation[w->count++];
}

static jet_operation *append_first(jet_plan *w, jet_kind kind, uint32_t to, uint32_t a, uint32_t b, tape_operation first, uint32_t x, uint32_t y) {
    jet_operation *o = append(w, kind, to, a, b);
    o->first = first, o->x = x, o->y = y;
    return o;
}

static void append_fixed(jet_plan *w, tape_operation operation, uint32_t to, uint32_t a, uint32_t b) {
    array_reserve(w->fixed, w->fixed_count, w->fixed_capacity);
    w->fixed[w->fixed_count++] = (jet_fixed){operation, to, a, b};
    w->is_fixed[to] = true;
}

// a op b into the register `to`, by the kind that suits what is fixed; op is one of add, sub, mul, div, neg.
static void combine_into(jet_plan *w, uint32_t to, tape_operation op, uint32_t a, uint32_t b) {
    const bool fa = w->is_fixed[a], fb = w->is_fixed[b];
    if (fa && fb) {
        append_fixed(w, op, to, a, b);
        return;
    }
    jet_kind kind = JET_NEG;
    uint32_t x = a, y = b;
    switch (op) {
    case TAPE_ADD:
        kind = fa || fb ? JET_SHIFT : JET_ADD;
        if (fa) x = b, y = a;
        break;
    case TAPE_SUB: kind = fa ? JET_FROM : fb ? JET_LESS : JET_SUB; break;
    case TAPE_MUL:
        kind = fa || fb ? JET_SCALE : a == b ? JET_SQUARE : JET_MUL;
        if (fa) x = b, y = a;
        break;
    case TAPE_DIV: kind = fa ? JET_OVER : fb ? JET_QUOTIENT : JET_DIV; break;
    default: break;
    }
    append_first(w, kind, to, x, y, op, a, b);
}

static uint32_t combine(jet_plan *w, tape_operation op, uint32_t a, uint32_t b) {
    const uint32_t to = new_register(w, false);
    combine_into(w, to, op, a, b);
    return to;
}

// --- Euler's derivative ------------------------------------------------------------------------------------------------------------

// D a = s d/ds a as a register of its own
static uint32_t euler(jet_plan *w, uint32_t a) {
    for (uint32_t i = w->count; i-- > 0;)
        if (w->operation[i].kind == JET_EULER && w->operation[i].a == a) return w->operation[i].to;
    const uint32_t to = new_register(w, false);
    append(w, JET_EULER, to, a, a)->from_zero = true;
    return to;
}

// A product that the tape itself computes; 0 if there is none (register 0 is an input).
static uint32_t product_on_tape(const tape *t, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < t->step_count; i++) {
        const tape_step *s = &t->step[i];
        if (s->operation == TAPE_MUL && ((s->a == a && s->b == b) || (s->a == b && s->b == a))) return t->input_count + t->constant_count + i;
    }
    return 0;
}

// r = +-integral of b a', with r_0 = first(x, y): r_k = +-(b * D a)_k / k. Where a' is a register f, (b * D a)_k = (b f)_{k-1}.
static void integrate(jet_plan *w, uint32_t to, bool minus, uint32_t a, uint32_t b, tape_operation first, uint32_t x, uint32_t y) {
    const tape *t = w->t;
    const jet_kind kind = minus ? JET_MINUS_INTEGRAL : JET_INTEGRAL;
    const bool is_state = w->is_solution && a < t->state_count, is_time = a == t->state_count;
    uint32_t product = b;
    bool behind = true;
    if (is_state) {
        const uint32_t rate = t->output[a];
        product = product_on_tape(t, rate, b);
        if (!product) {
            behind = false;
            product = new_register(w, false);
            const bool fixed = w->is_fixed[rate];
            jet_operation *o = append(w, fixed ? JET_SCALE : JET_MUL, product, fixed ? b : rate, fixed ? rate : b);
            o->behind = o->from_zero = true;
        }
    } else if (!is_time) {
        behind = false;
        product = new_register(w, false);
        const uint32_t d = euler(w, a);
        append(w, JET_MUL, product, d, b)->from_zero = true;
    }
    append_first(w, kind, to, product, product, first, x, y)->behind = behind;
}

// r' = a' / b
static void integrate_quotient(jet_plan *w, uint32_t to, bool minus, uint32_t a, uint32_t b, tape_operation first) {
    const uint32_t quotient = new_register(w, false);
    const uint32_t d = euler(w, a);
    append(w, JET_DIV, quotient, d, b)->from_zero = true;
    append_first(w, minus ? JET_MINUS_INTEGRAL : JET_INTEGRAL, to, quotient, quotient, first, a, a);
}

// --- functions ---------------------------------------------------------------------------------------------------------------------

// The step op(a), or 0.
static uint32_t function_on_tape(const tape *t, tape_operation op, uint32_t a) {
    for (uint32_t i = 0; i < t->step_count; i++)
        if (t->step[i].operation == op && t->step[i].a == a) return t->input_count + t->constant_count + i;
    return 0;
}

static bool is_made(const jet_plan *w, uint32_t r) {
    for (uint32_t i = w->count; i-- > 0;)
        if (w->operation[i].to == r) return true;
    return false;
}

// s' = c a', c' = -s a'; hyperbolic: c' = s a'. The two are made together.
static void make_pair(jet_plan *w, tape_operation sine, tape_operation cosine, uint32_t a, bool hyperbolic) {
    uint32_t s = function_on_tape(w->t, sine, a), c = function_on_tape(w->t, cosine, a);
    if ((s && is_made(w, s)) || (c && is_made(w, c))) return;
    if (!s) s = new_register(w, false);
    if (!c) c = new_register(w, false);
    integrate(w, s, false, a, c, sine, a, a);
    integrate(w, c, !hyperbolic, a, s, cosine, a, a);
}

// r' = (1 + r^2) a'; hyperbolic: r' = (1 - r^2) a'
static void make_tangent(jet_plan *w, uint32_t to, tape_operation op, uint32_t a) {
    const uint32_t slope = new_register(w, false);
    integrate(w, to, false, a, slope, op, a, a);
    const uint32_t square = combine(w, TAPE_MUL, to, to);
    combine_into(w, slope, op == TAPE_TAN ? TAPE_ADD : TAPE_SUB, w->one, square);
}

// asin' = 1/sqrt(1 - a^2), acos' = -asin', atan' = 1/(1 + a^2)
static void make_inverse(jet_plan *w, uint32_t to, tape_operation op, uint32_t a) {
    const uint32_t square = combine(w, TAPE_MUL, a, a);
    uint32_t below = combine(w, op == TAPE_ATAN ? TAPE_ADD : TAPE_SUB, w->one, square);
    if (op != TAPE_ATAN) {
        const uint32_t root = new_register(w, false);
        append_first(w, JET_SQRT, root, below, below, TAPE_SQRT, below, below);
        below = root;
    }
    integrate_quotient(w, to, op == TAPE_ACOS, a, below, op);
}

// atan2(y, x)' = (x y' - y x') / (x^2 + y^2)
static void make_angle(jet_plan *w, uint32_t to, uint32_t y, uint32_t x) {
    const bool fx = w->is_fixed[x], fy = w->is_fixed[y];
    const uint32_t square = combine(w, TAPE_ADD, combine(w, TAPE_MUL, x, x), combine(w, TAPE_MUL, y, y));
    uint32_t forward = 0, backward = 0;
    const uint32_t first = w->count;
    if (!fy) forward = euler(w, y), forward = combine(w, TAPE_MUL, forward, x);
    if (!fx) backward = euler(w, x), backward = combine(w, TAPE_MUL, backward, y);
    const uint32_t above = fx ? forward : fy ? combine(w, TAPE_NEG, backward, backward) : combine(w, TAPE_SUB, forward, backward);
    const uint32_t quotient = combine(w, TAPE_DIV, above, square);
    for (uint32_t i = first; i < w->count; i++) w->operation[i].from_zero = true; // multiples of an Euler derivative
    append_first(w, JET_INTEGRAL, to, quotient, quotient, TAPE_ATAN2, y, x);
}

// a^n by repeated squaring
static void make_whole_power(jet_plan *w, uint32_t to, uint32_t a, int64_t n) {
    uint32_t half = a;
    if (n / 2 > 1) {
        half = new_register(w, false);
        make_whole_power(w, half, a, n / 2);
    }
    if (n % 2) combine_into(w, to, TAPE_MUL, combine(w, TAPE_MUL, half, half), a);
    else combine_into(w, to, TAPE_MUL, half, half);
}

static void make_power(jet_plan *w, uint32_t to, uint32_t a, uint32_t b) {
    const tape *t = w->t;
    int64_t n = 0;
    if (b >= t->input_count && b < t->input_count + t->constant_count && expr_is_integer(t->pool, t->constant[b - t->input_count], &n) && n > 1 &&
        n <= LARGEST_WHOLE_POWER) {
        make_whole_power(w, to, a, n);
    } else if (w->is_fixed[b]) {
        append_first(w, JET_POW, to, a, b, TAPE_POW, a, b);
    } else { // a^b = exp(b log a)
        const uint32_t logarithm = new_register(w, false);
        if (w->is_fixed[a]) append_fixed(w, TAPE_LOG, logarithm, a, a);
        else integrate_quotient(w, logarithm, false, a, a, TAPE_LOG);
        integrate(w, to, false, combine(w, TAPE_MUL, b, logarithm), to, TAPE_POW, a, b);
    }
}

static void make_step(jet_plan *w, uint32_t to, const tape_step *s) {
    const uint32_t a = s->a, b = s->b;
    switch (s->operation) {
    case TAPE_ADD:
    case TAPE_SUB:
    case TAPE_MUL:
    case TAPE_DIV:
    case TAPE_NEG: combine_into(w, to, s->operation, a, b); break;
    case TAPE_SQRT: append_first(w, JET_SQRT, to, a, a, TAPE_SQRT, a, a); break;
    case TAPE_POW: make_power(w, to, a, b); break;
    case TAPE_SIN:
    case TAPE_COS: make_pair(w, TAPE_SIN, TAPE_COS, a, false); break;
    case TAPE_SINH:
    case TAPE_COSH: make_pair(w, TAPE_SINH, TAPE_COSH, a, true); break;
    case TAPE_TAN:
    case TAPE_TANH: make_tangent(w, to, s->operation, a); break;
    case TAPE_ASIN:
    case TAPE_ACOS:
    case TAPE_ATAN: make_inverse(w, to, s->operation, a); break;
    case TAPE_ATAN2: make_angle(w, to, a, b); break;
    case TAPE_EXP: integrate(w, to, false, a, to, TAPE_EXP, a, a); break;
    case TAPE_LOG: integrate_quotient(w, to, false, a, a, TAPE_LOG); break;
    case TAPE_ABS: append_first(w, JET_ABS, to, a, a, TAPE_ABS, a, a); break;
    case TAPE_SIGN: append_first(w, JET_SIGN, to, a, a, TAPE_SIGN, a, a); break;
    case TAPE_KINDS: break;
    }
}

// --- all of it ---------------------------------------------------------------------------------------------------------------------

// z_k = f_{k-1} / k; their coefficients 0 and that of t are given.
static void make_inputs(jet_plan *w) {
    const tape *t = w->t;
    for (uint32_t i = 0; i < t->state_count && w->is_solution; i++) {
        const uint32_t rate = t->output[i];
        append(w, w->is_fixed[rate] ? JET_RAMP : JET_INTEGRAL, i, rate, rate)->behind = true;
    }
    append(w, JET_RAMP, t->state_count, w->one, w->one);
}

jet_plan *jet_plan_create(const tape *t, bool is_solution) {
    jet_plan *w = memory_resize(NULL, sizeof *w);
    *w = (jet_plan){.t = t, .is_solution = is_solution};
    const uint32_t leaves = t->input_count + t->constant_count;
    for (uint32_t i = 0; i < leaves; i++) new_register(w, i > t->state_count);
    for (uint32_t i = 0; i < t->step_count; i++) new_register(w, t->step[i].level == TAPE_FIXED);
    w->one = new_register(w, true);
    make_inputs(w);
    for (uint32_t i = 0; i < t->step_count; i++) {
        const tape_step *s = &t->step[i];
        if (s->level == TAPE_FIXED) append_fixed(w, s->operation, leaves + i, s->a, s->b);
        else make_step(w, leaves + i, s);
    }
    return w;
}

void jet_plan_free(jet_plan *w) {
    if (!w) return;
    free(w->is_fixed);
    free(w->fixed);
    free(w->operation);
    free(w);
}
