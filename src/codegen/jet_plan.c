// From three-address code to operations on power series.
#include "codegen/jet_planner.h"

#include <stdlib.h>

enum { LARGEST_WHOLE_POWER = 4096 }; // a^n by products, which serve where a_0 = 0

bool jet_is_convolution(jet_kind kind) {
    return kind == JET_MUL || kind == JET_SQUARE || kind == JET_DIV || kind == JET_OVER ||
           kind == JET_SQRT;
}

const char *jet_kink(const tape *t) {
    for (uint32_t i = 0; i < t->step_count; i++) {
        const tape_step *s = &t->step[i];
        if (s->level != TAPE_FIXED && (s->operation == TAPE_ABS || s->operation == TAPE_SIGN))
            return tape_operation_name(s->operation);
    }
    return NULL;
}

// --- Euler's derivative --------------------------------------------------------------------------

// D a = s d/ds a as a register of its own
static uint32_t euler(planner *w, uint32_t a) {
    const jet_plan *p = w->plan;
    for (uint32_t i = p->count; i-- > 0;)
        if (p->operation[i].kind == JET_EULER && p->operation[i].a == a) return p->operation[i].to;
    const uint32_t to = planner_register(w, false);
    planner_append(w, JET_EULER, to, a, a)->from_zero = true;
    return to;
}

// The series of a and of the rate of a state are at hand from the start; of
// another register once it is made.
static bool is_there(const planner *w, uint32_t r) {
    return r <= w->t->state_count || planner_is_made(w, w->same_as[r]);
}

// r = +-integral of b a', with r_0 = first(x, y): r_k = +-(b * D a)_k / k. For a state, a' = f and
// (b * D a)_k = (b f)_{k-1}; where f is there already that is the product b f, which the tape may
// need too: *later says that it is still to be made, once b is.
static void integrate(planner *w, uint32_t to, bool minus, uint32_t a, uint32_t b,
                      tape_operation first, uint32_t x, uint32_t y, uint32_t *later) {
    const tape *t = w->t;
    const jet_kind kind = minus ? JET_MINUS_INTEGRAL : JET_INTEGRAL;
    uint32_t product = b;
    bool behind = true;
    *later = PLANNER_NONE;
    if (w->plan->is_solution && a < t->state_count) {
        const uint32_t rate = t->output[a];
        if (planner_is_fixed(w, rate)) {
            behind = false;
            product = planner_register(w, false);
            jet_operation *o = planner_append(w, JET_SCALE, product, b, rate);
            o->behind = o->from_zero = true;
        } else if (is_there(w, rate)) {
            const uint32_t mine = planner_register(w, false);
            product = planner_product(w, w->same_as[rate], b, mine);
            if (product == mine) *later = mine;
        } else {
            behind = false;
            product = planner_register(w, false);
            jet_operation *o = planner_append(w, JET_MUL, product, rate, b);
            o->behind = o->from_zero = true;
        }
    } else if (a != t->state_count) { // t' = 1
        behind = false;
        product = planner_register(w, false);
        const uint32_t d = euler(w, a);
        planner_append(w, JET_MUL, product, d, b)->from_zero = true;
    }
    planner_append_first(w, kind, to, product, product, first, x, y)->behind = behind;
}

static void make_later(planner *w, uint32_t product) {
    if (product != PLANNER_NONE)
        planner_make_product(w, product, w->factor[2 * product], w->factor[2 * product + 1]);
}

// r' = a' / b
static void integrate_quotient(planner *w, uint32_t to, bool minus, uint32_t a, uint32_t b,
                               tape_operation first) {
    const uint32_t quotient = planner_register(w, false);
    const uint32_t d = euler(w, a);
    planner_append(w, JET_DIV, quotient, d, b)->from_zero = true;
    planner_append_first(w, minus ? JET_MINUS_INTEGRAL : JET_INTEGRAL, to, quotient, quotient,
                         first, a, a);
}

// --- functions -----------------------------------------------------------------------------------

// The step op(a), or 0 (register 0 is an input).
static uint32_t function_on_tape(const tape *t, tape_operation op, uint32_t a) {
    for (uint32_t i = 0; i < t->step_count; i++)
        if (t->step[i].operation == op && t->step[i].a == a)
            return t->input_count + t->constant_count + i;
    return 0;
}

// s' = c a', c' = -s a'; hyperbolic: c' = s a'. The two are made together.
static void make_pair(planner *w, tape_operation sine, tape_operation cosine, uint32_t a,
                      bool hyperbolic) {
    uint32_t s = function_on_tape(w->t, sine, a), c = function_on_tape(w->t, cosine, a), later[2];
    if ((s && planner_is_made(w, s)) || (c && planner_is_made(w, c))) return;
    if (!s) s = planner_register(w, false);
    if (!c) c = planner_register(w, false);
    integrate(w, s, false, a, c, sine, a, a, &later[0]);
    integrate(w, c, !hyperbolic, a, s, cosine, a, a, &later[1]);
    make_later(w, later[0]), make_later(w, later[1]);
}

static void make_exponential(planner *w, uint32_t to, uint32_t a, tape_operation first, uint32_t x,
                             uint32_t y) {
    uint32_t later;
    integrate(w, to, false, a, to, first, x, y, &later);
    make_later(w, later);
}

// r' = (1 + r^2) a'; hyperbolic: r' = (1 - r^2) a'
static void make_tangent(planner *w, uint32_t to, tape_operation op, uint32_t a) {
    const uint32_t slope = planner_register(w, false);
    uint32_t later;
    integrate(w, to, false, a, slope, op, a, a, &later);
    const uint32_t square = planner_combine(w, TAPE_MUL, to, to);
    planner_combine_into(w, slope, op == TAPE_TAN ? TAPE_ADD : TAPE_SUB, w->plan->one, square);
    make_later(w, later);
}

// asin' = 1/sqrt(1 - a^2), acos' = -asin', atan' = 1/(1 + a^2)
static void make_inverse(planner *w, uint32_t to, tape_operation op, uint32_t a) {
    const uint32_t square = planner_combine(w, TAPE_MUL, a, a);
    uint32_t below =
        planner_combine(w, op == TAPE_ATAN ? TAPE_ADD : TAPE_SUB, w->plan->one, square);
    if (op != TAPE_ATAN) {
        const uint32_t root = planner_register(w, false);
        planner_append_first(w, JET_SQRT, root, below, below, TAPE_SQRT, below, below);
        below = root;
    }
    integrate_quotient(w, to, op == TAPE_ACOS, a, below, op);
}

// A multiple of an Euler derivative: coefficient 0 is 0
static uint32_t combine_from_zero(planner *w, jet_kind kind, uint32_t a, uint32_t b) {
    const uint32_t to = planner_register(w, false);
    planner_append(w, kind, to, a, b)->from_zero = true;
    return to;
}

// atan2(y, x)' = (x y' - y x') / (x^2 + y^2)
static void make_angle(planner *w, uint32_t to, uint32_t y, uint32_t x) {
    const bool fx = planner_is_fixed(w, x), fy = planner_is_fixed(w, y);
    const uint32_t square = planner_combine(w, TAPE_ADD, planner_combine(w, TAPE_MUL, x, x),
                                            planner_combine(w, TAPE_MUL, y, y));
    uint32_t above, back = PLANNER_NONE;
    if (!fx) back = euler(w, x), back = combine_from_zero(w, fy ? JET_SCALE : JET_MUL, back, y);
    if (!fy) above = euler(w, y), above = combine_from_zero(w, fx ? JET_SCALE : JET_MUL, above, x);
    else above = combine_from_zero(w, JET_NEG, back, back);
    if (!fx && !fy) above = combine_from_zero(w, JET_SUB, above, back);
    const uint32_t quotient = combine_from_zero(w, JET_DIV, above, square);
    planner_append_first(w, JET_INTEGRAL, to, quotient, quotient, TAPE_ATAN2, y, x);
}

// a^n by repeated squaring
static void make_whole_power(planner *w, uint32_t to, uint32_t a, int64_t n) {
    uint32_t half = a;
    if (n / 2 > 1) {
        half = planner_register(w, false);
        make_whole_power(w, half, a, n / 2);
    }
    if (n % 2) planner_combine_into(w, to, TAPE_MUL, planner_combine(w, TAPE_MUL, half, half), a);
    else planner_combine_into(w, to, TAPE_MUL, half, half);
}

static void make_power(planner *w, uint32_t to, uint32_t a, uint32_t b) {
    const tape *t = w->t;
    int64_t n = 0;
    if (b >= t->input_count && b < t->input_count + t->constant_count &&
        expr_is_integer(t->pool, t->constant[b - t->input_count], &n) && n > 1 &&
        n <= LARGEST_WHOLE_POWER) {
        make_whole_power(w, to, a, n);
    } else if (planner_is_fixed(w, b)) {
        planner_append_first(w, JET_POW, to, a, b, TAPE_POW, a, b);
    } else { // a^b = exp(b log a)
        const uint32_t logarithm = planner_register(w, false);
        if (planner_is_fixed(w, a)) planner_append_fixed(w, TAPE_LOG, logarithm, a, a);
        else integrate_quotient(w, logarithm, false, a, a, TAPE_LOG);
        make_exponential(w, to, planner_combine(w, TAPE_MUL, b, logarithm), TAPE_POW, a, b);
    }
}

// Entry 0 stands for all: the others are made with it.
static void make_solution(planner *w, uint32_t to, uint32_t system, uint32_t entry) {
    if (!entry) planner_append(w, JET_SOLVED, to, system, system);
    w->made_by[to] = w->plan->count;
}

static void make_step(planner *w, uint32_t to, const tape_step *s) {
    const uint32_t a = s->a, b = s->b;
    switch (s->operation) {
    case TAPE_ADD:
    case TAPE_SUB:
    case TAPE_MUL:
    case TAPE_DIV:
    case TAPE_NEG: planner_combine_into(w, to, s->operation, a, b); break;
    case TAPE_SQRT: planner_append_first(w, JET_SQRT, to, a, a, TAPE_SQRT, a, a); break;
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
    case TAPE_EXP: make_exponential(w, to, a, TAPE_EXP, a, a); break;
    case TAPE_LOG: integrate_quotient(w, to, false, a, a, TAPE_LOG); break;
    case TAPE_ABS: planner_append_first(w, JET_ABS, to, a, a, TAPE_ABS, a, a); break;
    case TAPE_SIGN: planner_append_first(w, JET_SIGN, to, a, a, TAPE_SIGN, a, a); break;
    case TAPE_SOLVED: make_solution(w, to, a, b); break;
    case TAPE_KINDS: break;
    }
}

// --- all of it -----------------------------------------------------------------------------------

// z_k = f_{k-1} / k; their coefficients 0 and that of t are given.
static void make_inputs(planner *w) {
    const tape *t = w->t;
    for (uint32_t i = 0; i < t->state_count && w->plan->is_solution; i++) {
        const uint32_t rate = t->output[i];
        planner_append(w, planner_is_fixed(w, rate) ? JET_RAMP : JET_INTEGRAL, i, rate, rate)
            ->behind = true;
    }
    planner_append(w, JET_RAMP, t->state_count, w->plan->one, w->plan->one);
}

// Every operand by the register that holds it
static void resolve(planner *w) {
    jet_plan *p = w->plan;
    for (uint32_t i = 0; i < p->count; i++) {
        jet_operation *o = &p->operation[i];
        if (o->kind == JET_SOLVED) continue;
        o->a = w->same_as[o->a], o->b = w->same_as[o->b], o->x = w->same_as[o->x],
        o->y = w->same_as[o->y];
    }
    const tape *t = w->t;
    p->system_count = t->system_count;
    p->system = memory_array(jet_system, t->system_count + 1);
    for (uint32_t i = 0; i < t->system_count; i++) {
        const tape_system *s = &t->system[i];
        p->system[i] = (jet_system){s, t->input_count + t->constant_count + s->first, NULL};
        p->system[i].operand = memory_array(uint32_t, tape_system_operands(s) + 1);
        for (uint32_t k = 0; k < tape_system_operands(s); k++)
            p->system[i].operand[k] = w->same_as[s->operand[k]];
    }
    p->output = memory_array(uint32_t, w->t->output_count + 1);
    for (uint32_t i = 0; i < w->t->output_count; i++) p->output[i] = w->same_as[w->t->output[i]];
}

uint32_t jet_operand_count(const jet_plan *p, const jet_operation *o) {
    if (o->kind == JET_SOLVED) return tape_system_operands(p->system[o->a].of);
    return o->from_zero ? 2 : 4;
}

uint32_t jet_operand(const jet_plan *p, const jet_operation *o, uint32_t which) {
    if (o->kind == JET_SOLVED) return p->system[o->a].operand[which];
    const uint32_t operand[4] = {o->a, o->b, o->x, o->y};
    return operand[which];
}

// Operations that nothing needs are left out; those of the states stay.
static void drop_dead(planner *w) {
    jet_plan *p = w->plan;
    bool *live = memory_zeros(bool, p->register_count);
    uint32_t *open = memory_array(uint32_t, p->register_count + 1), count = 0, kept = 0;
#define NEEDED(r)                                                                                  \
    do {                                                                                           \
        const uint32_t needed = (r);                                                               \
        if (!live[needed]) live[needed] = true, open[count++] = needed;                            \
    } while (0)
    for (uint32_t r = 0; r < w->t->state_count; r++) NEEDED(r);
    for (uint32_t i = 0; i < w->t->output_count; i++) NEEDED(p->output[i]);
    while (count) {
        const uint32_t r = open[--count];
        if (planner_is_fixed(w, r) || !planner_is_made(w, r)) continue;
        const jet_operation *o = &p->operation[w->made_by[r] - 1];
        // of a solution the first entry
        NEEDED(o->to);
        // states are given
        const uint32_t operands = r > w->t->state_count ? jet_operand_count(p, o) : 2;
        for (uint32_t k = 0; k < operands; k++) NEEDED(jet_operand(p, o, k));
    }
#undef NEEDED
    for (uint32_t i = 0; i < p->count; i++)
        if (live[p->operation[i].to]) p->operation[kept++] = p->operation[i];
    p->count = kept;
    memory_free(live);
    memory_free(open);
}

jet_plan *jet_plan_create(const tape *t, bool is_solution) {
    jet_plan *p = memory_new(jet_plan);
    *p = (jet_plan){.t = t, .is_solution = is_solution};
    planner w = {.plan = p, .t = t};
    const uint32_t leaves = t->input_count + t->constant_count;
    for (uint32_t i = 0; i < leaves; i++) planner_register(&w, i > t->state_count);
    for (uint32_t i = 0; i < t->step_count; i++)
        planner_register(&w, t->step[i].level == TAPE_FIXED);
    p->one = planner_register(&w, true);
    make_inputs(&w);
    for (uint32_t i = 0; i < t->step_count; i++) {
        const tape_step *s = &t->step[i];
        if (s->level == TAPE_FIXED) planner_append_fixed(&w, s->operation, leaves + i, s->a, s->b);
        else make_step(&w, leaves + i, s);
    }
    resolve(&w);
    drop_dead(&w);
    memory_free(w.made_by);
    memory_free(w.same_as);
    memory_free(w.table);
    memory_free(w.factor);
    return p;
}

void jet_plan_free(jet_plan *p) {
    if (!p) return;
    memory_free(p->is_fixed);
    memory_free(p->fixed);
    memory_free(p->operation);
    memory_free(p->output);
    memory_free(p->burst);
    for (uint32_t i = 0; i < p->system_count; i++) memory_free(p->system[i].operand);
    memory_free(p->system);
    memory_free(p);
}
