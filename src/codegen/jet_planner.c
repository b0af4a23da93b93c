// Registers and operations of a plan in the making, products that are found once, arithmetic with
// what is fixed.
#include "codegen/jet_planner.h"

// --- registers and operations --------------------------------------------------------------------

uint32_t planner_register(planner *w, bool fixed) {
    jet_plan *p = w->plan;
    if (p->register_count == w->capacity) {
        w->capacity = 2 * w->capacity + 64;
        memory_grow(p->is_fixed, w->capacity);
        memory_grow(w->made_by, w->capacity);
        memory_grow(w->same_as, w->capacity);
        memory_grow(w->factor, 2 * w->capacity);
    }
    const uint32_t r = p->register_count++;
    p->is_fixed[r] = fixed, w->made_by[r] = 0, w->same_as[r] = r,
    w->factor[2 * r] = w->factor[2 * r + 1] = NONE;
    return r;
}

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
        if (w->factor[2 * r] != NONE) *place_of(w, w->factor[2 * r], w->factor[2 * r + 1]) = r + 1;
}

// The register of a * b: one that is there, or else `otherwise`, which is to be made.
uint32_t planner_find_product(planner *w, uint32_t a, uint32_t b, uint32_t otherwise) {
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
    const uint32_t of = factor == NONE ? w->plan->one : factor;
    return new_fixed(w, TAPE_NEG, of, of);
}

// a = factor * result with a fixed factor, so that products of multiples of two series are found to
// be multiples of one product
static uint32_t peel(planner *w, uint32_t a, uint32_t *factor) {
    for (a = w->same_as[a]; planner_is_made(w, a);) {
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

void planner_make_product(planner *w, uint32_t to, uint32_t a, uint32_t b) {
    planner_append_first(w, a == b ? JET_SQUARE : JET_MUL, to, a, b, TAPE_MUL, a, b);
}

static void multiply_into(planner *w, uint32_t to, uint32_t a, uint32_t b) {
    uint32_t factor = NONE;
    a = peel(w, a, &factor), b = peel(w, b, &factor);
    const uint32_t mine = factor == NONE ? to : planner_register(w, false),
                   product = planner_find_product(w, a, b, mine);
    if (product == mine) planner_make_product(w, mine, a, b);
    if (factor != NONE)
        planner_append_first(w, JET_SCALE, to, product, factor, TAPE_MUL, product, factor);
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
        planner_append_first(w, minus ? JET_SUB : JET_ADD, to, a, b, op, a, b);
    } else if (by_b != NONE &&
               (by_a == NONE || w->made_by[w->same_as[b]] > w->made_by[w->same_as[a]])) {
        const uint32_t factor = minus ? negative(w, by_b) : by_b;
        planner_append_first(w, JET_SCALE_ADD, to, of_b, a, op, a, b)->factor = factor;
    } else {
        planner_append_first(w, minus ? JET_SCALE_SUB : JET_SCALE_ADD, to, of_a, b, op, a, b)
            ->factor = by_a;
    }
}

// A multiple of a series by what is fixed: of a multiple by one factor. False: it is none.
static bool scale_into(planner *w, uint32_t to, tape_operation op, uint32_t a, uint32_t b) {
    const uint32_t moving = op == TAPE_NEG || planner_is_fixed(w, b) ? a : b,
                   other = moving == a ? b : a;
    uint32_t by = NONE;
    const uint32_t of = peel(w, moving, &by);
    if (by == NONE || (op == TAPE_DIV && moving == b)) return false;
    if (op == TAPE_MUL || op == TAPE_DIV) by = new_fixed(w, op, by, other);
    else by = negative(w, by); // -a, and c - b
    planner_append_first(w, JET_SCALE, to, of, by, op, a, b);
    return true;
}

// a op b, by the kind that suits what is fixed; op is one of add, sub, mul, div, neg.
void planner_combine_into(planner *w, uint32_t to, tape_operation op, uint32_t a, uint32_t b) {
    const bool fa = planner_is_fixed(w, a), fb = planner_is_fixed(w, b);
    jet_kind kind = JET_NEG;
    uint32_t x = a, y = b;
    if (fa && fb) {
        planner_append_fixed(w, op, to, a, b);
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
    planner_append_first(w, kind, to, x, y, op, a, b);
}

uint32_t planner_combine(planner *w, tape_operation op, uint32_t a, uint32_t b) {
    const uint32_t to = planner_register(w, false);
    planner_combine_into(w, to, op, a, b);
    return to;
}
