// Operations on power series in bursts: of those that have all they need, the kind with most of
// them goes next, with those that become ready by it.
//
// An operation needs the operands that stand before it in the plan. Of those that stand behind it,
// it reads coefficients below k only (the plan is an order in which that is so), and these are
// there whatever the order within k is.
#include "codegen/jet_plan.h"

#include <stdlib.h>
#include <string.h>

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
