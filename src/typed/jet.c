// Jets: sums, products by subset convolution, Taylor composition, and the stack their balls lie on.
#include "typed/jet.h"

// --- room for the balls --------------------------------------------------------------------------

typedef struct ball_block {
    struct ball_block *next;
    arb_ptr ball;
    uint32_t count;
} ball_block;

enum { BLOCK = 512 };

static ball_block *new_block(uint32_t count, ball_block *next) {
    ball_block *b = memory_new(ball_block);
    *b = (ball_block){next, _arb_vec_init((slong)count), count};
    return b;
}

void ball_stack_init(ball_stack *b) {
    b->blocks = b->current = new_block(BLOCK, NULL);
    b->used = 0;
}

void ball_stack_free(ball_stack *b) {
    for (ball_block *block = b->blocks, *next; block; block = next) {
        next = block->next;
        _arb_vec_clear(block->ball, (slong)block->count);
        memory_free(block);
    }
    *b = (ball_stack){0};
}

arb_ptr ball_stack_take(ball_stack *b, uint32_t count) {
    if (b->used + count > b->current->count) {
        if (!b->current->next || b->current->next->count < count)
            b->current->next = new_block(count > BLOCK ? count : BLOCK, b->current->next);
        b->current = b->current->next;
        b->used = 0;
    }
    arb_ptr taken = b->current->ball + b->used;
    b->used += count;
    return taken;
}

// The jets are copied to the top (views may share balls), then each moves down to a place at or
// before that of its copy: going upwards, nothing is overwritten before it has moved.
void ball_stack_release(ball_stack *b, ball_mark mark, uint32_t count, jet *kept) {
    uint32_t total = 0, at = 0;
    for (uint32_t i = 0; i < count; i++) total += kept[i].mask + 1;
    arb_ptr top = ball_stack_take(b, total);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t s = 0; s <= kept[i].mask; s++) arb_set(top + at++, kept[i].part + s);
    b->current = mark.block;
    b->used = mark.used;
    at = 0;
    for (uint32_t i = 0; i < count; i++) {
        kept[i].part = ball_stack_take(b, kept[i].mask + 1);
        for (uint32_t s = 0; s <= kept[i].mask; s++, at++)
            if (kept[i].part + s != top + at) arb_swap(kept[i].part + s, top + at);
    }
}

void ball_stack_copy(ball_stack *to, uint32_t count, const jet *from, jet *copy) {
    for (uint32_t i = 0; i < count; i++) {
        copy[i] = from[i];
        copy[i].part = ball_stack_take(to, from[i].mask + 1);
        for (uint32_t s = 0; s <= from[i].mask; s++) arb_set(copy[i].part + s, from[i].part + s);
    }
}

// --- plain numbers -------------------------------------------------------------------------------

static jet new_jet(const jet_context *c, uint32_t mask) {
    return (jet){.part = ball_stack_take(c->balls, mask + 1), .mask = mask};
}

jet jet_fmpq(const jet_context *c, const fmpq *value) {
    fmpq_t q;
    *q = *value; // a shallow view
    jet r = new_jet(c, 0);
    arb_set_fmpq(r.part, q, c->precision);
    r.exact = fmpz_bits(fmpq_numref(q)) < 63 && fmpz_bits(fmpq_denref(q)) < 63;
    if (r.exact)
        r.numerator = fmpz_get_si(fmpq_numref(q)), r.denominator = fmpz_get_si(fmpq_denref(q));
    return r;
}

jet jet_rational(const jet_context *c, int64_t numerator, int64_t denominator) {
    fmpq_t q;
    fmpq_init(q);
    fmpz_set_si(fmpq_numref(q), numerator);
    fmpz_set_si(fmpq_denref(q), denominator);
    fmpq_canonicalise(q);
    const jet r = jet_fmpq(c, q);
    fmpq_clear(q);
    return r;
}

jet jet_ball(const jet_context *c, arb_srcptr value) {
    jet r = new_jet(c, 0);
    arb_set(r.part, value);
    return r;
}

// --- exact rationals, while they fit into machine numbers ----------------------------------------

static void get_exact(fmpq_t q, const jet *a) {
    fmpz_set_si(fmpq_numref(q), a->numerator);
    fmpz_set_si(fmpq_denref(q), a->denominator);
}

static jet exact_of_two(const jet_context *c, const jet *a, const jet *b,
                        void (*operation)(fmpq_t, const fmpq_t, const fmpq_t)) {
    fmpq_t p, q;
    fmpq_init(p), fmpq_init(q);
    get_exact(p, a), get_exact(q, b);
    operation(p, p, q);
    const jet r = jet_fmpq(c, p);
    fmpq_clear(p), fmpq_clear(q);
    return r;
}

// --- arithmetic ----------------------------------------------------------------------------------

// The subsets of a set, as numbers: s = 0; then s = (s - mask) & mask until it is 0 again.
static uint32_t next_subset(uint32_t s, uint32_t mask) { return (s - mask) & mask; }
static bool is_subset(uint32_t s, uint32_t mask) { return !(s & ~mask); }

jet jet_add(const jet_context *c, const jet *a, const jet *b) {
    if (a->exact && b->exact) return exact_of_two(c, a, b, fmpq_add);
    jet r = new_jet(c, a->mask | b->mask);
    uint32_t s = 0;
    do {
        const bool left = is_subset(s, a->mask), right = is_subset(s, b->mask);
        if (left && right) arb_add(r.part + s, a->part + s, b->part + s, c->precision);
        else if (left || right) arb_set(r.part + s, left ? a->part + s : b->part + s);
        else arb_zero(r.part + s);
    } while ((s = next_subset(s, r.mask)));
    return r;
}

jet jet_neg(const jet_context *c, const jet *a) {
    jet r = new_jet(c, a->mask);
    for (uint32_t s = 0; s <= a->mask; s++) arb_neg(r.part + s, a->part + s);
    r.exact = a->exact, r.numerator = -a->numerator, r.denominator = a->denominator;
    return r;
}

jet jet_sub(const jet_context *c, const jet *a, const jet *b) {
    const jet minus = jet_neg(c, b);
    return jet_add(c, a, &minus);
}

// (a b)_S = sum over T in S of a_T b_(S - T)
jet jet_mul(const jet_context *c, const jet *a, const jet *b) {
    if (a->exact && b->exact) return exact_of_two(c, a, b, fmpq_mul);
    jet r = new_jet(c, a->mask | b->mask);
    uint32_t s = 0;
    do {
        const uint32_t within = s & a->mask;
        arb_zero(r.part + s);
        uint32_t t = 0;
        do {
            if (is_subset(s ^ t, b->mask))
                arb_addmul(r.part + s, a->part + t, b->part + (s ^ t), c->precision);
        } while ((t = next_subset(t, within)));
    } while ((s = next_subset(s, r.mask)));
    return r;
}

// By Horner's rule in n = u - u0, whose powers beyond the number of levels vanish.
jet jet_compose(const jet_context *c, const jet *u, arb_srcptr coefficient) {
    const uint32_t order = jet_order(u);
    jet r = jet_ball(c, coefficient + order);
    if (!order) return r;
    jet n = new_jet(c, u->mask);
    for (uint32_t s = 1; s <= u->mask; s++) arb_set(n.part + s, u->part + s);
    arb_zero(n.part);
    for (uint32_t j = order; j-- > 0;) {
        r = jet_mul(c, &r, &n);
        arb_add(r.part, r.part, coefficient + j, c->precision);
    }
    return r;
}

jet jet_coefficient(const jet_context *c, const jet *a, uint32_t bit) {
    if (!(a->mask & bit)) return jet_rational(c, 0, 1);
    return (jet){.part = a->part + bit, .mask = a->mask & ~bit};
}

// --- vectors and matrices ------------------------------------------------------------------------

jet jet_dot(const jet_context *c, const jet a[3], const jet b[3]) {
    jet sum = jet_mul(c, &a[0], &b[0]);
    for (int i = 1; i < 3; i++) {
        const jet term = jet_mul(c, &a[i], &b[i]);
        sum = jet_add(c, &sum, &term);
    }
    return sum;
}

void jet_cross(const jet_context *c, const jet a[3], const jet b[3], jet out[3]) {
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        const jet plus = jet_mul(c, &a[j], &b[l]), minus = jet_mul(c, &a[l], &b[j]);
        out[i] = jet_sub(c, &plus, &minus);
    }
}

void jet_matrix_times_vector(const jet_context *c, const jet a[9], const jet v[3], jet out[3]) {
    for (int i = 0; i < 3; i++) out[i] = jet_dot(c, a + 3 * i, v);
}

void jet_matrix_times_matrix(const jet_context *c, const jet a[9], const jet b[9], jet out[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const jet column[3] = {b[j], b[3 + j], b[6 + j]};
            out[3 * i + j] = jet_dot(c, a + 3 * i, column);
        }
}
