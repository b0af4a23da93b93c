// From three-address code to operations on power series: registers, products that are found once,
// arithmetic with what is fixed, functions by their differential equations.
#include "codegen/jet_plan.h"
#include "codegen/product_table.h"

// A plan in the making.
typedef struct {
    jet_plan *plan;
    const tape *t;
    uint32_t capacity;
    uint32_t *made_by; // by register: its operation + 1
    uint32_t *same_as; // by register: the one that holds its series
    product_table products;
} planner;

enum { NONE = UINT32_MAX };          // no register
enum { LARGEST_WHOLE_POWER = 4096 }; // a^n by products, which serve where a_0 = 0

// --- registers and operations --------------------------------------------------------------------

static uint32_t new_register(planner *w, bool fixed) {
    jet_plan *p = w->plan;
    if (p->register_count == w->capacity) {
        w->capacity = 2 * w->capacity + 64;
        memory_grow(p->is_fixed, w->capacity);
        memory_grow(w->made_by, w->capacity);
        memory_grow(w->same_as, w->capacity);
    }
    const uint32_t r = p->register_count++;
    p->is_fixed[r] = fixed, w->made_by[r] = 0, w->same_as[r] = r;
    return r;
}

static bool is_fixed(const planner *w, uint32_t r) { return w->plan->is_fixed[r]; }
static bool is_made(const planner *w, uint32_t r) { return w->made_by[r] != 0; }
static jet_operation *append(planner *w, jet_kind kind, uint32_t to, uint32_t a, uint32_t b) {
    jet_plan *p = w->plan;
    array_reserve(p->operation, p->count, p->capacity);
    p->operation[p->count] = (jet_operation){.kind = kind, .to = to, .a = a, .b = b};
    w->made_by[to] = ++p->count;
    return &p->operation[p->count - 1];
}

static jet_operation *append_first(planner *w, jet_kind kind, uint32_t to, uint32_t a, uint32_t b,
                                   tape_operation first, uint32_t x, uint32_t y) {
    jet_operation *o = append(w, kind, to, a, b);
    o->first = first, o->x = x, o->y = y;
    return o;
}

static void append_fixed(planner *w, tape_operation operation, uint32_t to, uint32_t a,
                         uint32_t b) {
    jet_plan *p = w->plan;
    array_reserve(p->fixed, p->fixed_count, p->fixed_capacity);
    p->fixed[p->fixed_count++] = (jet_fixed){operation, to, a, b};
    p->is_fixed[to] = true;
}

static uint32_t new_fixed(planner *w, tape_operation operation, uint32_t a, uint32_t b) {
    const uint32_t to = new_register(w, true);
    append_fixed(w, operation, to, a, b);
    return to;
}

// --- products ------------------------------------------------------------------------------------

static uint32_t negative(planner *w, uint32_t factor) {
    const uint32_t of = factor == NONE ? w->plan->one : factor;
    return new_fixed(w, TAPE_NEG, of, of);
}

// a = factor * result with a fixed factor, so that products of multiples of two series are found to
// be multiples of one product
static uint32_t peel(planner *w, uint32_t a, uint32_t *factor) {
    for (a = w->same_as[a]; is_made(w, a);) {
        const jet_operation *o = &w->plan->operation[w->made_by[a] - 1];
        const uint32_t inner = o->a, by = o->b;
        if (o->behind || o->from_zero || o->first == TAPE_SUB) break;
        if (o->kind == JET_SCALE)
            *factor = *factor == NONE ? by : new_fixed(w, TAPE_MUL, *factor, by);
        else if (o->kind == JET_QUOTIENT)
            *factor = new_fixed(w, TAPE_DIV, *factor == NONE ? w->plan->one : *factor, by);
        else if (o->kind == JET_NEG) *factor = negative(w, *factor);
        else break;
        a = w->same_as[inner];
    }
    return a;
}
static void make_product(planner *w, uint32_t to, uint32_t a, uint32_t b) {
    append_first(w, a == b ? JET_SQUARE : JET_MUL, to, a, b, TAPE_MUL, a, b);
}

static void multiply_into(planner *w, uint32_t to, uint32_t a, uint32_t b) {
    uint32_t factor = NONE;
    a = peel(w, a, &factor), b = peel(w, b, &factor);
    const uint32_t mine = factor == NONE ? to : new_register(w, false),
                   product = product_table_find(&w->products, a, b, mine);
    if (product == mine) make_product(w, mine, a, b);
    if (factor != NONE) append_first(w, JET_SCALE, to, product, factor, TAPE_MUL, product, factor);
    else w->same_as[to] = product;
}

// --- arithmetic ----------------------------------------------------------------------------------

// a + b or a - b; where one is a multiple of a series, with its factor in the same operation: of
// two such the one that was made later.
static void add_into(planner *w, uint32_t to, tape_operation op, uint32_t a, uint32_t b) {
    const bool minus = op == TAPE_SUB;
    uint32_t by_a = NONE, by_b = NONE;
    const uint32_t of_a = peel(w, a, &by_a), of_b = peel(w, b, &by_b);
    if (by_a == NONE && by_b == NONE) {
        append_first(w, minus ? JET_SUB : JET_ADD, to, a, b, op, a, b);
    } else if (by_b != NONE &&
               (by_a == NONE || w->made_by[w->same_as[b]] > w->made_by[w->same_as[a]])) {
        const uint32_t factor = minus ? negative(w, by_b) : by_b;
        append_first(w, JET_SCALE_ADD, to, of_b, a, op, a, b)->factor = factor;
    } else {
        append_first(w, minus ? JET_SCALE_SUB : JET_SCALE_ADD, to, of_a, b, op, a, b)->factor =
            by_a;
    }
}

// A multiple of a series by what is fixed: of a multiple by one factor. False: it is none.
static bool scale_into(planner *w, uint32_t to, tape_operation op, uint32_t a, uint32_t b) {
    const uint32_t moving = op == TAPE_NEG || is_fixed(w, b) ? a : b, other = moving == a ? b : a;
    uint32_t by = NONE;
    const uint32_t of = peel(w, moving, &by);
    if (by == NONE || (op == TAPE_DIV && moving == b)) return false;
    if (op == TAPE_MUL || op == TAPE_DIV) by = new_fixed(w, op, by, other);
    else by = negative(w, by); // -a, and c - b
    append_first(w, JET_SCALE, to, of, by, op, a, b);
    return true;
}

// a op b, by the kind that suits what is fixed; op is one of add, sub, mul, div, neg.
static void combine_into(planner *w, uint32_t to, tape_operation op, uint32_t a, uint32_t b) {
    const bool fa = is_fixed(w, a), fb = is_fixed(w, b);
    jet_kind kind = JET_NEG;
    uint32_t x = a, y = b;
    if (fa && fb) {
        append_fixed(w, op, to, a, b);
        return;
    }
    if ((op == TAPE_ADD || op == TAPE_SUB) && !fa && !fb) {
        add_into(w, to, op, a, b);
        return;
    }
    const bool scales = op == TAPE_NEG || (op == TAPE_SUB ? fa : op != TAPE_ADD && (fa || fb));
    if (scales && scale_into(w, to, op, a, b)) return;
    switch (op) {
    case TAPE_ADD:
        kind = JET_SHIFT;
        if (fa) x = b, y = a;
        break;
    case TAPE_SUB: kind = fa ? JET_FROM : JET_LESS; break;
    case TAPE_MUL:
        if (!fa && !fb) {
            multiply_into(w, to, a, b);
            return;
        }
        kind = JET_SCALE;
        if (fa) x = b, y = a;
        break;
    case TAPE_DIV: kind = fa ? JET_OVER : fb ? JET_QUOTIENT : JET_DIV; break;
    default: break;
    }
    append_first(w, kind, to, x, y, op, a, b);
}

static uint32_t combine(planner *w, tape_operation op, uint32_t a, uint32_t b) {
    const uint32_t to = new_register(w, false);
    combine_into(w, to, op, a, b);
    return to;
}

// --- Euler's derivative --------------------------------------------------------------------------

// An operation whose coefficient 0 is 0: a multiple of an Euler derivative
static uint32_t append_from_zero(planner *w, jet_kind kind, uint32_t a, uint32_t b, bool behind) {
    const uint32_t to = new_register(w, false);
    jet_operation *o = append(w, kind, to, a, b);
    o->from_zero = true, o->behind = behind;
    return to;
}

// D a = s d/ds a as a register of its own
static uint32_t euler(planner *w, uint32_t a) {
    const jet_plan *p = w->plan;
    for (uint32_t i = p->count; i-- > 0;)
        if (p->operation[i].kind == JET_EULER && p->operation[i].a == a) return p->operation[i].to;
    return append_from_zero(w, JET_EULER, a, a, false);
}

// The series of a and of the rate of a state are at hand from the start; of another register once
// it is made.
static bool is_there(const planner *w, uint32_t r) {
    return r <= w->t->state_count || is_made(w, w->same_as[r]);
}

// r = +-integral of b a', with r_0 = first(x, y): r_k = +-(b * D a)_k / k. For a state, a' = f and
// (b * D a)_k = (b f)_{k-1}; where f is there already that is the product b f, which the tape may
// need too: *later says that it is still to be made, once b is.
static void integrate(planner *w, uint32_t to, bool minus, uint32_t a, uint32_t b,
                      tape_operation first, uint32_t x, uint32_t y, uint32_t *later) {
    const tape *t = w->t;
    const jet_kind kind = minus ? JET_MINUS_INTEGRAL : JET_INTEGRAL;
    uint32_t product = b;
    bool behind = false;
    *later = NONE;
    if (a == t->state_count) { // t' = 1
        behind = true;
    } else if (!w->plan->is_solution || a > t->state_count) {
        product = append_from_zero(w, JET_MUL, euler(w, a), b, false);
    } else if (is_fixed(w, t->output[a])) {
        product = append_from_zero(w, JET_SCALE, b, t->output[a], true);
    } else if (!is_there(w, t->output[a])) {
        product = append_from_zero(w, JET_MUL, t->output[a], b, true);
    } else {
        const uint32_t mine = new_register(w, false);
        behind = true;
        product = product_table_find(&w->products, w->same_as[t->output[a]], b, mine);
        if (product == mine) *later = mine;
    }
    append_first(w, kind, to, product, product, first, x, y)->behind = behind;
}

static void make_later(planner *w, uint32_t product) {
    if (product == NONE) return;
    const uint32_t *factor = product_table_factors(&w->products, product);
    make_product(w, product, factor[0], factor[1]);
}

// r' = a' / b
static void integrate_quotient(planner *w, uint32_t to, bool minus, uint32_t a, uint32_t b,
                               tape_operation first) {
    const uint32_t quotient = append_from_zero(w, JET_DIV, euler(w, a), b, false);
    append_first(w, minus ? JET_MINUS_INTEGRAL : JET_INTEGRAL, to, quotient, quotient, first, a, a);
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
    if ((s && is_made(w, s)) || (c && is_made(w, c))) return;
    if (!s) s = new_register(w, false);
    if (!c) c = new_register(w, false);
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
    const uint32_t slope = new_register(w, false);
    uint32_t later;
    integrate(w, to, false, a, slope, op, a, a, &later);
    const uint32_t square = combine(w, TAPE_MUL, to, to);
    combine_into(w, slope, op == TAPE_TAN ? TAPE_ADD : TAPE_SUB, w->plan->one, square);
    make_later(w, later);
}

// asin' = 1/sqrt(1 - a^2), acos' = -asin', atan' = 1/(1 + a^2)
static void make_inverse(planner *w, uint32_t to, tape_operation op, uint32_t a) {
    const uint32_t square = combine(w, TAPE_MUL, a, a);
    uint32_t below = combine(w, op == TAPE_ATAN ? TAPE_ADD : TAPE_SUB, w->plan->one, square);
    if (op != TAPE_ATAN) {
        const uint32_t root = new_register(w, false);
        append_first(w, JET_SQRT, root, below, below, TAPE_SQRT, below, below);
        below = root;
    }
    integrate_quotient(w, to, op == TAPE_ACOS, a, below, op);
}

// atan2(y, x)' = (x y' - y x') / (x^2 + y^2)
static void make_angle(planner *w, uint32_t to, uint32_t y, uint32_t x) {
    const bool fx = is_fixed(w, x), fy = is_fixed(w, y);
    const uint32_t square =
        combine(w, TAPE_ADD, combine(w, TAPE_MUL, x, x), combine(w, TAPE_MUL, y, y));
    uint32_t above, back = NONE;
    if (!fx)
        back = euler(w, x), back = append_from_zero(w, fy ? JET_SCALE : JET_MUL, back, y, false);
    if (!fy)
        above = euler(w, y), above = append_from_zero(w, fx ? JET_SCALE : JET_MUL, above, x, false);
    else above = append_from_zero(w, JET_NEG, back, back, false);
    if (!fx && !fy) above = append_from_zero(w, JET_SUB, above, back, false);
    const uint32_t quotient = append_from_zero(w, JET_DIV, above, square, false);
    append_first(w, JET_INTEGRAL, to, quotient, quotient, TAPE_ATAN2, y, x);
}

// a^n by repeated squaring
static void make_whole_power(planner *w, uint32_t to, uint32_t a, int64_t n) {
    uint32_t half = a;
    if (n / 2 > 1) {
        half = new_register(w, false);
        make_whole_power(w, half, a, n / 2);
    }
    if (n % 2) combine_into(w, to, TAPE_MUL, combine(w, TAPE_MUL, half, half), a);
    else combine_into(w, to, TAPE_MUL, half, half);
}

static void make_power(planner *w, uint32_t to, uint32_t a, uint32_t b) {
    const tape *t = w->t;
    int64_t n = 0;
    if (b >= t->input_count && b < t->input_count + t->constant_count &&
        expr_is_integer(t->pool, t->constant[b - t->input_count], &n) && n > 1 &&
        n <= LARGEST_WHOLE_POWER) {
        make_whole_power(w, to, a, n);
    } else if (is_fixed(w, b)) {
        append_first(w, JET_POW, to, a, b, TAPE_POW, a, b);
    } else { // a^b = exp(b log a)
        const uint32_t logarithm = new_register(w, false);
        if (is_fixed(w, a)) append_fixed(w, TAPE_LOG, logarithm, a, a);
        else integrate_quotient(w, logarithm, false, a, a, TAPE_LOG);
        make_exponential(w, to, combine(w, TAPE_MUL, b, logarithm), TAPE_POW, a, b);
    }
}

// Entry 0 stands for all: the others are made with it.
static void make_solution(planner *w, uint32_t to, uint32_t system, uint32_t entry) {
    if (!entry) append(w, JET_SOLVED, to, system, system);
    w->made_by[to] = w->plan->count;
}

static void make_step(planner *w, uint32_t to, const tape_step *s) {
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
    case TAPE_EXP: make_exponential(w, to, a, TAPE_EXP, a, a); break;
    case TAPE_LOG: integrate_quotient(w, to, false, a, a, TAPE_LOG); break;
    case TAPE_ABS: append_first(w, JET_ABS, to, a, a, TAPE_ABS, a, a); break;
    case TAPE_SIGN: append_first(w, JET_SIGN, to, a, a, TAPE_SIGN, a, a); break;
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
        append(w, is_fixed(w, rate) ? JET_RAMP : JET_INTEGRAL, i, rate, rate)->behind = true;
    }
    append(w, JET_RAMP, t->state_count, w->plan->one, w->plan->one);
}

jet_plan *jet_plan_create(const tape *t, bool is_solution) {
    jet_plan *p = memory_new(jet_plan);
    *p = (jet_plan){.t = t, .is_solution = is_solution};
    planner w = {.plan = p, .t = t};
    const uint32_t leaves = t->input_count + t->constant_count;
    for (uint32_t i = 0; i < leaves; i++) new_register(&w, i > t->state_count);
    for (uint32_t i = 0; i < t->step_count; i++) new_register(&w, t->step[i].level == TAPE_FIXED);
    p->one = new_register(&w, true);
    make_inputs(&w);
    for (uint32_t i = 0; i < t->step_count; i++) {
        const tape_step *s = &t->step[i];
        if (s->level == TAPE_FIXED) append_fixed(&w, s->operation, leaves + i, s->a, s->b);
        else make_step(&w, leaves + i, s);
    }
    jet_plan_finish(p, w.made_by, w.same_as);
    memory_free(w.made_by), memory_free(w.same_as);
    product_table_free(&w.products);
    return p;
}
