// What a step may have passed over.
#include "integrate/lookout_internal.h"

#include <assert.h>
#include <string.h>

// exp, a quotient, the slope of atan may change by this factor and count as known: a method that
// judges its errors sees them; one that does not must follow them itself
static const double FOLD_JUDGED = 20, FOLD_FIXED = 3;
static const double REGULAR = 0.75; // |A_mid^-1| |A - A_mid| of a linear system
static const double POWER_FOLD = 1e3;
enum { HIGH_DEGREE = 8 }; // x^8 and above is flat at 0 for the eye of a series

// --- what can hide -------------------------------------------------------------------------------

static bool is_fixed(const lookout *w, uint32_t reg) { return range_machine_is_fixed(&w->at, reg); }

// x^n as a chain of products: the base and the exponent of each register
typedef struct {
    uint32_t base, exponent;
} chain;

static chain chain_of(const chain *known, uint32_t leaves, const tape *t, uint32_t reg) {
    if (reg < leaves || t->step[reg - leaves].operation != TAPE_MUL) return (chain){reg, 1};
    return known[reg - leaves];
}

static void find_chains(const lookout *w, chain *out) {
    const tape *t = w->at.t;
    for (uint32_t i = 0; i < t->step_count; i++) {
        if (t->step[i].operation != TAPE_MUL) continue;
        const chain a = chain_of(out, w->at.leaves, t, t->step[i].a),
                    b = chain_of(out, w->at.leaves, t, t->step[i].b);
        out[i] = a.base == b.base ? (chain){a.base, a.exponent + b.exponent}
                                  : (chain){w->at.leaves + i, 1};
    }
}

static bool has_fixed_matrix(const lookout *w, const tape_system *s) {
    for (uint32_t k = 0; k < tape_system_entries(s); k++)
        if (!is_fixed(w, s->operand[k])) return false;
    return true;
}

static bool can_hide(const lookout *w, uint32_t step, const chain *powers) {
    const tape_step *s = &w->at.t->step[step];
    if (s->level == TAPE_FIXED) return false;
    switch (s->operation) {
    case TAPE_ADD:
    case TAPE_SUB:
    case TAPE_NEG:
    case TAPE_SIN:
    case TAPE_COS: return false;
    case TAPE_MUL: return powers[step].exponent >= HIGH_DEGREE;
    case TAPE_DIV: return !is_fixed(w, s->b);
    case TAPE_SOLVED: return !s->b && !has_fixed_matrix(w, &w->at.t->system[s->a]);
    default: return true;
    }
}

// --- the first look: are all of them settled? ----------------------------------------------------

// The operands by which a step is judged, and all operands of what must be computed for that
static void mark_operands(const lookout *w, uint32_t step, bool whole, bool *needed) {
    const tape *t = w->at.t;
    const tape_step *s = &t->step[step];
    uint32_t from = 0, to = tape_operand_count(t, step);
    if (!whole && s->operation == TAPE_DIV) from = 1;
    if (!whole && s->operation == TAPE_SOLVED) to = tape_system_entries(&t->system[s->a]);
    for (uint32_t k = from; k < to; k++) needed[tape_operand(t, step, k)] = true;
}

static void make_tasks(lookout *w) {
    const tape *t = w->at.t;
    bool *needed = memory_zeros(bool, tape_register_count(t) + 1);
    for (uint32_t i = t->step_count; i-- > 0;) {
        if (t->step[i].level == TAPE_FIXED) continue;
        bool whole = needed[w->at.leaves + i];
        if (t->step[i].operation == TAPE_SOLVED && !t->step[i].b) // its entries come together
            for (uint32_t k = 0; k < tape_system_unknowns(&t->system[t->step[i].a]); k++)
                whole = whole || needed[w->at.leaves + i + k];
        if (whole || w->judged[i]) mark_operands(w, i, whole, needed);
        needed[w->at.leaves + i] = whole;
    }
    w->tasks = memory_array(task, t->step_count + 1);
    for (uint32_t i = 0; i < t->step_count; i++) {
        const bool computed = needed[w->at.leaves + i] && t->step[i].level != TAPE_FIXED;
        if (computed || w->judged[i]) w->tasks[w->task_count++] = (task){i, computed, w->judged[i]};
    }
    w->wanted = memory_zeros(bool, t->state_count + 1);
    memcpy(w->wanted, needed, sizeof(bool) * (t->state_count + 1));
    memory_free(needed);
}

// Operands of what is judged
static void list_hulled(lookout *w) {
    const tape *t = w->at.t;
    bool *listed = memory_zeros(bool, tape_register_count(t) + 1);
    w->hulled = memory_array(uint32_t, tape_register_count(t) + 1);
    for (uint32_t i = 0; i < t->step_count; i++)
        if (w->judged[i]) mark_operands(w, i, false, listed);
    for (uint32_t r = 0; r < tape_register_count(t); r++)
        if (listed[r] && !is_fixed(w, r)) w->hulled[w->hulled_count++] = r;
    memory_free(listed);
}

static bool within_fold(range a, double fold) {
    return !range_has_zero(a) && range_size(a) <= fold * range_least(a);
}
// 1 + x^2 over the range, as the slopes of atan and tan have it
static bool within_steepness(range a, double fold) {
    const double least = range_least(a), most = range_size(a);
    return 1 + most * most <= fold * (1 + least * least);
}

bool lookout_is_settled(lookout *w, uint32_t step) {
    const tape_step *s = &w->at.t->step[step];
    if (w->exempt[step]) return true;
    const range a = w->at.value[s->a], b = w->at.value[s->b];
    switch (s->operation) {
    case TAPE_MUL: return within_fold(range_mul(a, b), POWER_FOLD);
    case TAPE_DIV: return within_fold(b, w->fold);
    case TAPE_SQRT:
    case TAPE_LOG: return a.lo > 0 && a.hi <= w->fold * a.lo;
    case TAPE_POW:
        return a.lo > 0 && range_width(range_apply(TAPE_MUL, b, range_apply(TAPE_LOG, a, a))) <=
                               log(POWER_FOLD);
    case TAPE_EXP:
    case TAPE_SINH:
    case TAPE_COSH:
    case TAPE_TANH: return range_width(a) <= log(w->fold);
    case TAPE_ATAN:
    case TAPE_TAN:
        return within_steepness(s->operation == TAPE_TAN ? range_apply(TAPE_TAN, a, a) : a,
                                w->fold);
    case TAPE_ASIN:
    case TAPE_ACOS: return range_size(a) < 1 && 1 - range_least(a) <= w->fold * (1 - range_size(a));
    case TAPE_ATAN2:
        return !(range_has_zero(a) && b.lo <= 0) &&
               within_fold(range_add(range_square(a), range_square(b)), w->fold);
    case TAPE_ABS:
    case TAPE_SIGN: return !range_has_zero(a) || (a.lo == 0 && a.hi == 0);
    case TAPE_SOLVED:
        range_machine_invert(&w->at, &w->at.t->system[s->a]);
        return w->at.spread <= REGULAR;
    default: return true;
    }
}

void lookout_set_box(lookout *w, const curve *c, double a, double b, bool first) {
    const tape *t = w->at.t;
    for (uint32_t i = 0; i < t->state_count; i++)
        if (w->wanted[i] == first) w->at.value[i] = curve_values(c, i, a, b);
    w->at.value[t->state_count] = (range){c->from + a, c->from + b};
}

// --- the second look: do those that are not settled matter? --------------------------------------

static double hidden_in_solution(lookout *w, const tape_system *s) {
    const uint32_t entries = tape_system_entries(s), all = tape_system_operands(s);
    double sum = w->at.spread <= REGULAR ? 0 : INFINITY, most = 0, size = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        double row = 0;
        for (uint32_t j = 0; j < s->n; j++) row += fabs(w->at.inverse[i * s->n + j]);
        most = fmax(most, row);
    }
    for (uint32_t i = 0; i < tape_system_unknowns(s); i++)
        size = fmax(size, range_size(w->at.value[w->at.leaves + s->first + i]));
    // |dx| <= |A^-1| (|db| + |dA| |x|)
    for (uint32_t k = 0; k < all; k++) {
        const double h = w->hidden[s->operand[k]];
        if (h > 0) sum += most / (1 - fmin(w->at.spread, REGULAR)) * h * (k < entries ? size : 1);
    }
    return sum;
}

// |dF/da| |ha| + |dF/db| |hb|: what is hidden in the operands goes on as their changes do
static double passed_on(const lookout *w, const tape_step *s, range r) {
    const double ha = w->hidden[s->a], hb = tape_is_unary(s->operation) ? 0 : w->hidden[s->b];
    if (ha == 0 && hb == 0) return 0;
    const range change =
        range_rate(s->operation, w->at.value[s->a], w->at.value[s->b], r, (range){-ha, ha},
                   tape_is_unary(s->operation) ? range_of(0) : (range){-hb, hb});
    return range_size(change);
}

static void look_at_step(lookout *w, uint32_t step) {
    const tape_step *s = &w->at.t->step[step];
    const uint32_t reg = w->at.leaves + step;
    if (s->operation == TAPE_SOLVED) {
        if (s->b) return;
        const tape_system *system = &w->at.t->system[s->a];
        range_machine_step(&w->at, step);
        const double hidden = hidden_in_solution(w, system);
        for (uint32_t k = 0; k < tape_system_unknowns(system); k++) w->hidden[reg + k] = hidden;
        return;
    }
    const bool settled = !w->judged[step] || lookout_is_settled(w, step);
    range_machine_step(&w->at, step);
    const range r = w->at.value[reg];
    // What is hidden stays within the range
    const double most = range_width(r), hidden = passed_on(w, s, r) + (settled ? 0 : most);
    w->hidden[reg] = hidden < most ? hidden : most;
}

static bool none_matters(lookout *w, double length, double tolerance) {
    const tape *t = w->at.t;
    memset(w->hidden, 0, sizeof(double) * w->at.leaves);
    for (uint32_t i = 0; i < t->step_count; i++) {
        if (t->step[i].level == TAPE_FIXED) w->hidden[w->at.leaves + i] = 0;
        else look_at_step(w, i);
    }
    for (uint32_t i = 0; i < t->output_count; i++) {
        const double change = length * w->hidden[t->output[i]], size = range_size(w->at.value[i]);
        if (!(change <= tolerance * (1 + size))) return false;
    }
    return true;
}

// --- poles ---------------------------------------------------------------------------------------

// Has the operation no bounds over the box: a divisor that may be 0, a root of a negative number?
static bool is_boundless(lookout *w, uint32_t step) {
    const tape_step *s = &w->at.t->step[step];
    const range a = w->at.value[s->a];
    switch (s->operation) {
    case TAPE_DIV: return range_has_zero(w->at.value[s->b]);
    case TAPE_SOLVED:
        range_machine_invert(&w->at, &w->at.t->system[s->a]);
        return !(w->at.spread < 1);
    case TAPE_ABS:
    case TAPE_SIGN:
    case TAPE_MUL:
    case TAPE_ATAN2: return false;
    case TAPE_LOG: return !(a.lo > 0);
    default: return !isfinite(range_width(range_apply(s->operation, a, w->at.value[s->b])));
    }
}

// Operations that have no bounds even over parts of the length `finest` are exempt from judgement:
// the curve itself goes through a pole, which the coefficients of a series and the errors of a
// step see from afar, or through 0/0.
enum { MOST_BOXES = 1024 };

static void find_poles(lookout *w, const curve *c, double a, double b, double finest) {
    if (++w->boxes > MOST_BOXES) return;
    bool some = false;
    lookout_set_box(w, c, a, b, true);
    for (const task *k = w->tasks, *end = k + w->task_count; k < end; k++) {
        if (k->judged && !w->exempt[k->step] && is_boundless(w, k->step)) {
            some = true;
            if (b - a <= finest) w->exempt[k->step] = true, w->exempt_count++;
        }
        if (k->computed) range_machine_step(&w->at, k->step);
    }
    if (!some || b - a <= finest) return;
    find_poles(w, c, a, a + (b - a) / 2, finest);
    find_poles(w, c, a + (b - a) / 2, b, finest);
}

// --- looking -------------------------------------------------------------------------------------

// .. though not all is settled
static bool none_is_hidden(lookout *w, const curve *c, double a, double b, double tolerance) {
    lookout_set_box(w, c, a, b, true);
    lookout_set_box(w, c, a, b, false);
    return none_matters(w, b - a, tolerance);
}

bool lookout_is_clear(lookout *w, const curve *c, double a, double b, double tolerance) {
    if (!long_divisors_stay(w->known_by_values, c, a, b, w->fold)) return false;
    if (a == 0 && clear_box_holds_curve(&w->clear, w->at.t->state_count, c, b)) return true;
    if (!lookout_all_settled(w, c, a, b)) return none_is_hidden(w, c, a, b, tolerance);
    lookout_set_box(w, c, a, b, true);
    clear_box_grow(&w->clear, w->at.value, &w->judge.base);
    return true;
}

view lookout_view(lookout *w, const curve *c, double a, double b, double tolerance, double finest,
                  bool *no_poles) {
    if (lookout_is_clear(w, c, a, b, tolerance)) return VIEW_CLEAR;
    if (*no_poles || !long_divisors_stay(w->known_by_values, c, a, b, w->fold)) return VIEW_HIDDEN;
    w->exempt_count = w->boxes = 0;
    find_poles(w, c, a, b, finest);
    *no_poles = !w->exempt_count && w->boxes <= MOST_BOXES;
    if (!w->exempt_count) return VIEW_HIDDEN;
    const bool clear = lookout_all_settled(w, c, a, b) || none_is_hidden(w, c, a, b, tolerance);
    memset(w->exempt, 0, sizeof(bool) * w->at.t->step_count);
    return clear ? VIEW_POLE : VIEW_HIDDEN;
}

bool lookout_knows_ends(lookout *w, uint32_t n, double t, double h, const double *z,
                        const double *f, const double *z1, const double *f1) {
    return !w->known_by_values && clear_box_holds_ends(&w->clear, n, t, h, z, f, z1, f1);
}

clear_box *lookout_known_box(lookout *w) { return w->known_by_values ? NULL : &w->clear; }

void lookout_take_parameters(lookout *w, const double *parameter_value) {
    assert(!w->known_by_values);
    range_machine_set_parameters(&w->at, parameter_value);
    memcpy(w->hull, w->at.value, sizeof(range) * tape_register_count(w->at.t));
    w->parts = 1, w->easy = 0;
    clear_box_forget(&w->clear);
}

lookout *lookout_create(const tape *rate, const double *parameter_value, bool fixed_steps) {
    lookout *w = memory_new(lookout);
    *w = (lookout){.fold = fixed_steps ? FOLD_FIXED : FOLD_JUDGED};
    range_machine_init(&w->at, rate, parameter_value, false);
    chain *powers = memory_zeros(chain, rate->step_count + 1);
    find_chains(w, powers);
    w->judged = memory_zeros(bool, rate->step_count + 1);
    w->exempt = memory_zeros(bool, rate->step_count + 1);
    bool any = false;
    for (uint32_t i = 0; i < rate->step_count; i++) any |= w->judged[i] = can_hide(w, i, powers);
    memory_free(powers);
    if (!any) return lookout_free(w), NULL;
    w->known_by_values = long_divisors_create(rate, parameter_value, w->judged);
    make_tasks(w), list_hulled(w);
    w->parts = 1;
    w->hidden = memory_zeros(double, tape_register_count(rate) + 1);
    w->hull = memory_array(range, tape_register_count(rate) + 1);
    memcpy(w->hull, w->at.value, sizeof(range) * tape_register_count(rate));
    w->judge = lookout_judge_of(w);
    clear_box_init(&w->clear, rate->state_count + 1, w->wanted, w->hulled_count);
    return w;
}

void lookout_free(lookout *w) {
    if (!w) return;
    range_machine_free(&w->at);
    long_divisors_free(w->known_by_values);
    memory_free(w->tasks), memory_free(w->wanted), memory_free(w->judged), memory_free(w->exempt),
        memory_free(w->hidden), memory_free(w->hull), memory_free(w->hulled),
        clear_box_free(&w->clear);
    memory_free(w);
}
