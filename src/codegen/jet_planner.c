// Registers of a plan, products that are found once, arithmetic with what is fixed.
#include "codegen/jet_planner.h"

#include <stdlib.h>

// --- registers and operations --------------------------------------------------------------------

uint32_t planner_register(planner *w, bool is_fixed) {
    jet_plan *p = w->plan;
    if (p->register_count == w->capacity) {
        w->capacity = 2 * w->capacity + 64;
        memory_grow(p->is_fixed, w->capacity);
        memory_grow(w->made_by, w->capacity);
        memory_grow(w->same_as, w->capacity);
        memory_grow(w->factor, 2 * w->capacity);
    }
    const uint32_t r = p->register_count++;
    p->is_fixed[r] = is_fixed, w->made_by[r] = 0, w->same_as[r] = r,
    w->factor[2 * r] = w->factor[2 * r + 1] = PLANNER_NONE;
    return r;
}

bool planner_is_fixed(const planner *w, uint32_t r) { return w->plan->is_fixed[r]; }
bool planner_is_made(const planner *w, uint32_t r) { return w->made_by[r] != 0; }

jet_operation *planner_append(planner *w, jet_kind kind, uint32_t to, uint32_t a, uint32_t b) {
    jet_plan *p = w->plan;
    array_reserve(p->operation, p->count, p->capacity);
    p->operation[p->count] = (jet_operation){.kind = kind, .to = to, .a = a, .b = b};
    w->made_by[to] = ++p->count;
    return &p->operation[p->count - 1];
}

jet_operation *planner_append_first(planner *w, jet_kind kind, uint32_t to, uint32_t a, uint32_t b,
                                    tape_operation first, uint32_t x, uint32_t y) {
    jet_operation *o = planner_append(w, kind, to, a, b);
    o->first = first, o->x = x, o->y = y;
    return o;
}

void planner_append_fixed(planner *w, tape_operation operation, uint32_t to, uint32_t a,
                          uint32_t b) {
    jet_plan *p = w->plan;
    array_reserve(p->fixed, p->fixed_count, p->fixed_capacity);
    p->fixed[p->fixed_count++] = (jet_fixed){operation, to, a, b};
    p->is_fixed[to] = true;
}

static uint32_t new_fixed(planner *w, tape_operation operation, uint32_t a, uint32_t b) {
    const uint32_t to = planner_register(w, true);
    planner_append_fixed(w, operation, to, a, b);
    return to;
}

// --- products ------------------------------------------------------------------------------------

static uint32_t *place_of(planner *w, uint32_t a, uint32_t b) {
    uint32_t h = (a * 0x85EBCA6Bu) ^ (b * 0xC2B2AE35u);
    for (;; h++) {
        uint32_t *place = &w->table[h & (w->table_size - 1)];
        if (!*place || (w->factor[2 * (*place - 1)] == a && w->factor[2 * (*place - 1) + 1] == b))
            return place;
    }
}

static void grow_table(planner *w) {
    w->table_size = w->table_size ? 2 * w->table_size : 256;
    memory_free(w->table);
    w->table = memory_zeros(uint32_t, w->table_size);
    for (uint32_t r = 0; r < w->plan->register_count; r++)
        if (w->factor[2 * r] != PLANNER_NONE)
            *place_of(w, w->factor[2 * r], w->factor[2 * r + 1]) = r + 1;
}

uint32_t planner_product(planner *w, uint32_t a, uint32_t b, uint32_t otherwise) {
    if (a > b) {
        const uint32_t other = a;
        a = b, b = other;
    }
    if (2 * (w->products + 1) > w->table_size) grow_table(w);
    uint32_t *place = place_of(w, a, b);
    if (*place) return *place - 1;
    *place = otherwise + 1;
    w->factor[2 * otherwise] = a, w->factor[2 * otherwise + 1] = b;
    w->products++;
    return otherwise;
}

static uint32_t negative(planner *w, uint32_t factor) {
    const uint32_t of = factor == PLANNER_NONE ? w->plan->one : factor;
    return new_fixed(w, TAPE_NEG, of, of);
}

// a = factor * result with a fixed factor, so that products of multiples of two series are
// found to be multiples of one product
static uint32_t peel(planner *w, uint32_t a, uint32_t *factor) {
    for (a = w->same_as[a]; planner_is_made(w, a);) {
        const jet_operation *o = &w->plan->operation[w->made_by[a] - 1];
        const uint32_t inner = o->a, by = o->b;
        if (o->behind || o->from_zero) break;
        if (o->kind == JET_SCALE)
            *factor = *factor == PLANNER_NONE ? by : new_fixed(w, TAPE_MUL, *factor, by);
        else if (o->kind == JET_QUOTIENT)
            *factor = new_fixed(w, TAPE_DIV, *factor == PLANNER_NONE ? w->plan->one : *factor, by);
        else if (o->kind == JET_NEG) *factor = negative(w, *factor);
        else break;
        a = w->same_as[inner];
    }
    return a;
}

void planner_make_product(planner *w, uint32_t to, uint32_t a, uint32_t b) {
    planner_append_first(w, a == b ? JET_SQUARE : JET_MUL, to, a, b, TAPE_MUL, a, b);
}

static void multiply_into(planner *w, uint32_t to, uint32_t a, uint32_t b) {
    uint32_t factor = PLANNER_NONE;
    a = peel(w, a, &factor), b = peel(w, b, &factor);
    const uint32_t mine = factor == PLANNER_NONE ? to : planner_register(w, false),
                   product = planner_product(w, a, b, mine);
    if (product == mine) planner_make_product(w, mine, a, b);
    if (factor != PLANNER_NONE)
        planner_append_first(w, JET_SCALE, to, product, factor, TAPE_MUL, product, factor);
    else w->same_as[to] = product;
}

// --- arithmetic ----------------------------------------------------------------------------------

void planner_combine_into(planner *w, uint32_t to, tape_operation op, uint32_t a, uint32_t b) {
    const bool fa = planner_is_fixed(w, a), fb = planner_is_fixed(w, b);
    jet_kind kind = JET_NEG;
    uint32_t x = a, y = b;
    if (fa && fb) {
        planner_append_fixed(w, op, to, a, b);
        return;
    }
    switch (op) {
    case TAPE_ADD:
        kind = fa || fb ? JET_SHIFT : JET_ADD;
        if (fa) x = b, y = a;
        break;
    case TAPE_SUB: kind = fa ? JET_FROM : fb ? JET_LESS : JET_SUB; break;
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
    planner_append_first(w, kind, to, x, y, op, a, b);
}

uint32_t planner_combine(planner *w, tape_operation op, uint32_t a, uint32_t b) {
    const uint32_t to = planner_register(w, false);
    planner_combine_into(w, to, op, a, b);
    return to;
}
