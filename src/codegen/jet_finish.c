// A plan made ready: what nothing needs is left out, and like operations are gathered in bursts.
#include "codegen/jet_plan.h"

#include <string.h>

uint32_t jet_operand_count(const jet_plan *p, const jet_operation *o) {
    if (o->kind == JET_SOLVED) return tape_system_operands(p->system[o->a].of);
    return o->from_zero ? 2 : 4;
}

uint32_t jet_operand(const jet_plan *p, const jet_operation *o, uint32_t which) {
    if (o->kind == JET_SOLVED) return p->system[o->a].operand[which];
    const uint32_t operand[4] = {o->a, o->b, o->x, o->y};
    return operand[which];
}

const char *jet_kink(const tape *t) {
    for (uint32_t i = 0; i < t->step_count; i++) {
        const tape_step *s = &t->step[i];
        if (s->level != TAPE_FIXED && (s->operation == TAPE_ABS || s->operation == TAPE_SIGN))
            return tape_operation_name(s->operation);
    }
    return NULL;
}

// --- what is needed ------------------------------------------------------------------------------

// Every operand by the register that holds it
static void resolve(jet_plan *p, const uint32_t *same_as) {
    for (uint32_t i = 0; i < p->count; i++) {
        jet_operation *o = &p->operation[i];
        if (o->kind == JET_SOLVED) continue;
        o->a = same_as[o->a], o->b = same_as[o->b], o->x = same_as[o->x], o->y = same_as[o->y];
    }
    const tape *t = p->t;
    p->system_count = t->system_count;
    p->system = memory_array(jet_system, t->system_count + 1);
    for (uint32_t i = 0; i < t->system_count; i++) {
        const tape_system *s = &t->system[i];
        p->system[i] = (jet_system){s, t->input_count + t->constant_count + s->first, NULL};
        p->system[i].operand = memory_array(uint32_t, tape_system_operands(s) + 1);
        for (uint32_t k = 0; k < tape_system_operands(s); k++)
            p->system[i].operand[k] = same_as[s->operand[k]];
    }
    p->output = memory_array(uint32_t, t->output_count + 1);
    for (uint32_t i = 0; i < t->output_count; i++) p->output[i] = same_as[t->output[i]];
}

typedef enum { NEEDED_NOT, NEEDED_FIRST, NEEDED_ALL } need; // coefficient 0, or the series

typedef struct {
    jet_plan *plan;
    need *of;              // by register
    uint32_t *open, count; // registers whose operands are still to be looked at
} needs;

static void ask_for(needs *w, uint32_t r, need what) {
    if (w->of[r] >= what) return;
    w->of[r] = what, w->open[w->count++] = r;
}

static void ask_for_operands(needs *w, const jet_operation *o, need what) {
    const jet_plan *p = w->plan;
    const bool given = o->to <= p->t->state_count; // states have no coefficient 0 to be computed
    ask_for(w, o->to, what);                       // of a solution the first entry
    for (uint32_t k = 0; k < (given ? 2 : jet_operand_count(p, o)); k++) {
        const bool first = k > 1 && o->kind != JET_SOLVED; // x, y
        if (first) ask_for(w, jet_operand(p, o, k), NEEDED_FIRST);
        else if (what == NEEDED_ALL || o->kind == JET_SOLVED)
            ask_for(w, jet_operand(p, o, k), NEEDED_ALL);
    }
}

// Operations that nothing needs are left out, those of which coefficient 0 is needed have no other;
// those of the states stay.
static void drop_unused(jet_plan *p, const uint32_t *made_by) {
    uint32_t kept = 0;
    needs w = {.plan = p,
               .of = memory_zeros(need, p->register_count),
               .open = memory_array(uint32_t, 2 * p->register_count + 1)};
    for (uint32_t r = 0; r < p->t->state_count; r++) ask_for(&w, r, NEEDED_ALL);
    for (uint32_t i = 0; i < p->t->output_count; i++) ask_for(&w, p->output[i], NEEDED_ALL);
    while (w.count) {
        const uint32_t r = w.open[--w.count];
        if (!p->is_fixed[r] && made_by[r])
            ask_for_operands(&w, &p->operation[made_by[r] - 1], w.of[r]);
    }
    for (uint32_t i = 0; i < p->count; i++) {
        jet_operation *o = &p->operation[i];
        if (w.of[o->to] == NEEDED_FIRST && o->kind != JET_SOLVED && o->to > p->t->state_count)
            o->kind = JET_ONCE, o->behind = false, o->a = o->b = o->to;
        if (w.of[o->to]) p->operation[kept++] = *o;
    }
    p->count = kept;
    memory_free(w.of);
    memory_free(w.open);
}

// How many operations one after the other an order has before a register is there. Of the factors
// of a product the second is added last (convolve() in execute/jets_template.h).
static void put_later_second(jet_plan *p) {
    uint32_t *depth = memory_zeros(uint32_t, p->register_count + 1);
    for (uint32_t i = 0; i < p->count; i++) {
        jet_operation *o = &p->operation[i];
        if (o->kind == JET_SOLVED || o->kind == JET_ONCE || o->to <= p->t->state_count) continue;
        if (o->kind == JET_MUL && !o->from_zero && depth[o->a] > depth[o->b]) {
            const uint32_t later = o->a;
            o->a = o->b, o->b = later;
        }
        const uint32_t a = o->behind ? 0 : depth[o->a], b = depth[o->b];
        depth[o->to] = 1 + (o->kind == JET_MUL && a + 1 > b ? a + 1 : a > b ? a : b);
    }
    memory_free(depth);
}

void jet_plan_finish(jet_plan *p, const uint32_t *made_by, const uint32_t *same_as) {
    resolve(p, same_as);
    drop_unused(p, made_by);
    put_later_second(p);
}

// --- bursts --------------------------------------------------------------------------------------

// Of the operations that have all they need, the kind with most of them goes next, with those that
// become ready by it.
//
// An operation needs the operands that stand before it in the plan. Of those that stand behind it,
// it reads coefficients below k only (the plan is an order in which that is so), and these are
// there whatever the order within k is.

enum { ALIKE = JET_KINDS * 4 * TAPE_KINDS }; // how many sorts of operations there may be

typedef struct {
    uint32_t *list, count, capacity;
} stack;

typedef struct {
    jet_plan *plan;
    uint32_t from;     // the first operation that may move
    uint32_t *made_by; // by register: its operation + 1
    uint32_t *waits;   // how many operands of an operation are not placed yet
    // users of operation i: user[first_user[i]] .. user[first_user[i + 1] - 1]
    uint32_t *first_user, *user;
    stack ready[ALIKE];
} gatherer;

static uint32_t sort_of(const jet_operation *o) {
    return ((o->kind * 2u + o->behind) * 2 + o->from_zero) * TAPE_KINDS +
           (o->from_zero ? 0 : o->first);
}

// The operation before i that makes an operand of i; NONE if that is given, or made behind it.
enum { NONE = UINT32_MAX };
static uint32_t maker_of(const gatherer *w, uint32_t i, uint32_t which) {
    const jet_plan *p = w->plan;
    const uint32_t maker = w->made_by[jet_operand(p, &p->operation[i], which)];
    return maker > w->from && maker - 1 < i ? maker - 1 : NONE;
}

static void find_makers(gatherer *w) {
    const jet_plan *p = w->plan;
    for (uint32_t i = 0; i < p->count; i++) {
        const jet_operation *o = &p->operation[i];
        const uint32_t results =
            o->kind == JET_SOLVED ? tape_system_unknowns(p->system[o->a].of) : 1;
        for (uint32_t k = 0; k < results; k++) w->made_by[o->to + k] = i + 1;
    }
}

static void find_users(gatherer *w) {
    const jet_plan *p = w->plan;
    const uint32_t n = p->count;
    uint32_t total = 0;
    for (uint32_t i = w->from; i < n; i++)
        for (uint32_t k = jet_operand_count(p, &p->operation[i]); k-- > 0;) {
            const uint32_t maker = maker_of(w, i, k);
            if (maker != NONE) w->first_user[maker + 1]++, w->waits[i]++, total++;
        }
    for (uint32_t i = 0; i < n; i++) w->first_user[i + 1] += w->first_user[i];
    w->user = memory_array(uint32_t, total + 1);
    uint32_t *next = memory_array(uint32_t, n + 1);
    memcpy(next, w->first_user, sizeof(uint32_t) * (n + 1));
    for (uint32_t i = w->from; i < n; i++)
        for (uint32_t k = jet_operand_count(p, &p->operation[i]); k-- > 0;) {
            const uint32_t maker = maker_of(w, i, k);
            if (maker != NONE) w->user[next[maker]++] = i;
        }
    memory_free(next);
}

static void make_ready(gatherer *w, uint32_t i) {
    stack *s = &w->ready[sort_of(&w->plan->operation[i])];
    array_reserve(s->list, s->count, s->capacity);
    s->list[s->count++] = i;
}

static stack *longest(gatherer *w) {
    stack *best = &w->ready[0];
    for (uint32_t k = 1; k < ALIKE; k++)
        if (w->ready[k].count > best->count) best = &w->ready[k];
    return best;
}

// The operations in their new order, from `out` on.
static void list_bursts(gatherer *w, jet_operation *out) {
    jet_plan *p = w->plan;
    uint32_t done = w->from;
    for (stack *s = longest(w); s->count; s = longest(w)) {
        const uint32_t before = done;
        while (s->count) {
            const uint32_t i = s->list[--s->count];
            out[done++] = p->operation[i];
            for (uint32_t k = w->first_user[i]; k < w->first_user[i + 1]; k++)
                if (--w->waits[w->user[k]] == 0) make_ready(w, w->user[k]);
        }
        array_reserve(p->burst, p->burst_count, p->burst_capacity);
        p->burst[p->burst_count++] = (jet_burst){before, done - before};
    }
}

void jet_plan_gather(jet_plan *p) {
    const uint32_t n = p->count;
    gatherer *w = memory_new(gatherer);
    w->plan = p, w->from = p->is_solution ? p->t->state_count : 0;
    w->made_by = memory_zeros(uint32_t, p->register_count + 1),
    w->waits = memory_zeros(uint32_t, n + 1);
    w->first_user = memory_zeros(uint32_t, n + 2);
    find_makers(w);
    find_users(w);
    for (uint32_t i = w->from; i < n; i++)
        if (!w->waits[i]) make_ready(w, i);
    jet_operation *order = memory_array(jet_operation, n + 1);
    memcpy(order, p->operation, sizeof(jet_operation) * w->from);
    list_bursts(w, order);
    memory_free(p->operation);
    p->operation = order;
    for (uint32_t k = 0; k < ALIKE; k++) memory_free(w->ready[k].list);
    memory_free(w->made_by), memory_free(w->waits), memory_free(w->first_user),
        memory_free(w->user), memory_free(w);
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
