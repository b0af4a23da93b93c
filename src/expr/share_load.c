// From a program into the working form: products and scaled terms are spread out
// into the sums that use them.
#include "expr/pool_internal.h"
#include "expr/share_internal.h"

#include <stdlib.h>

// beyond, a power or a product stays a part of its own
enum { LARGEST_POWER = 64, LONGEST_TERM = 64 };

typedef struct {
    working *w;
    const program *prog;
    term *value;       // of each instruction
    uint32_t *uses;    // of each instruction
    uint32_t *as_part; // of each instruction, + 1 once made
    bool inline_shared;
} loader;

static term term_of_part(uint32_t key) {
    term t = {.sign = 1, .factors = memory_new(factor), .count = 1, .capacity = 1};
    t.factors[0] = (factor){key, 1};
    return t;
}

static term term_of_number(working *w, expr value) {
    const int sign = fmpq_sgn(expr_number_value(w->p, value));
    term t = {.sign = sign};
    const expr size = sign < 0 ? expr_neg(w->p, value) : value;
    if (size != EXPR_ZERO && size != EXPR_ONE) term_times(w, &t, part_of_number(w, size), 1);
    return t;
}

// The value of an instruction as sign * part.
static link link_of(loader *l, uint32_t at) {
    working *w = l->w;
    const term *v = &l->value[at];
    if (v->sign == 0) return (link){part_of_number(w, EXPR_ZERO), 1};
    if (v->count == 0) return (link){part_of_number(w, EXPR_ONE), v->sign};
    if (v->count == 1 && v->factors[0].power == 1) return (link){v->factors[0].key, v->sign};
    if (!l->as_part[at]) {
        const uint32_t made = part_create(w, EXPR_SUM);
        term copy = term_copy(v);
        copy.sign = 1;
        term_append(w, made, copy);
        l->as_part[at] = made + 1;
    }
    return (link){l->as_part[at] - 1, v->sign};
}

static uint32_t root_part(loader *l, uint32_t at, expr exponent) {
    const link base = link_of(l, at);
    const uint32_t made = part_create(l->w, EXPR_PRODUCT);
    part *r = &l->w->parts[made];
    r->number = exponent;
    r->links = memory_new(link);
    r->links[r->link_count++] = base;
    return made;
}

// Can (sign * f1^p1 * ..)^power be written out? Not if it is 0, long, or holds
// a number too large to raise.
static bool can_spread(const loader *l, const term *v, uint32_t length, int32_t power) {
    if (!v->sign || v->count + length > LONGEST_TERM) return false;
    for (uint32_t i = 0; i < v->count; i++) {
        const part *f = &l->w->parts[v->factors[i].key];
        if (abs(v->factors[i].power) > LARGEST_POWER) return false;
        if (f->kind == EXPR_NUMBER &&
            !expr_is_number(l->w->p, expr_pow(l->w->p, f->number, expr_int(l->w->p, power))))
            return false;
    }
    return true;
}

static void times_power_of(loader *l, term *t, uint32_t at, int32_t power) {
    const term *v = &l->value[at];
    if (can_spread(l, v, t->count, power)) {
        for (uint32_t i = 0; i < v->count; i++)
            term_times(l->w, t, v->factors[i].key, v->factors[i].power * power);
        if (power % 2) t->sign *= v->sign;
        return;
    }
    const link whole = link_of(l, at);
    if (l->w->parts[whole.key].kind == EXPR_NUMBER) { // 1/0, or a number beyond all size
        term_times(l->w, t, root_part(l, at, expr_int(l->w->p, power)), 1);
        return;
    }
    term_times(l->w, t, whole.key, power);
    if (power % 2) t->sign *= whole.sign;
}

// b^(p/q) = b^n * (b^(1/q))^(p - n q) for q = 2; every other exponent that is no
// small integer is a part of its own.
static void times_base(loader *l, term *t, uint32_t at, expr exponent) {
    pool *p = l->w->p;
    const fmpq *e = expr_number_value(p, exponent);
    const bool small = fmpz_cmpabs(fmpq_numref(e), (fmpz[]){LARGEST_POWER}) <= 0;
    if (small && fmpz_is_one(fmpq_denref(e))) {
        times_power_of(l, t, at, (int32_t)fmpz_get_si(fmpq_numref(e)));
        return;
    }
    if (!small || !fmpz_equal_ui(fmpq_denref(e), 2)) {
        term_times(l->w, t, root_part(l, at, exponent), 1);
        return;
    }
    const int32_t twice = (int32_t)fmpz_get_si(fmpq_numref(e));
    term_times(l->w, t, root_part(l, at, EXPR_HALF), twice < 0 ? -1 : 1);
    if (twice / 2) times_power_of(l, t, at, twice / 2);
}

static term load_product(loader *l, const instruction *c) {
    const uint32_t *operand = l->prog->operands + c->first;
    term t = {.sign = 1};
    for (uint32_t j = 0; j < c->count; j += 2)
        times_base(l, &t, operand[j], l->prog->code[operand[j + 1]].node);
    return t;
}

static term load_sum(loader *l, const instruction *c) {
    const uint32_t *operand = l->prog->operands + c->first;
    const uint32_t made = part_create(l->w, EXPR_SUM);
    if (l->value[operand[0]].sign) term_append(l->w, made, term_copy(&l->value[operand[0]]));
    for (uint32_t j = 1; j < c->count; j += 2) {
        term t = term_copy(&l->value[operand[j]]);
        times_power_of(l, &t, operand[j + 1], 1);
        if (t.sign) term_append(l->w, made, t);
    }
    part *s = &l->w->parts[made];
    if (s->term_count != 1) return term_of_part(made);
    s->term_count = 0; // one scaled term: handed on, and the part is dead
    return s->terms[0];
}

static term load_function(loader *l, const instruction *c) {
    const uint32_t made = part_create(l->w, c->kind);
    link *links = c->count ? memory_array(link, c->count) : NULL;
    for (uint32_t j = 0; j < c->count; j++) links[j] = link_of(l, l->prog->operands[c->first + j]);
    part *n = &l->w->parts[made];
    n->payload = c->payload, n->node = c->node, n->links = links, n->link_count = c->count;
    return term_of_part(made);
}

static void load_instruction(loader *l, uint32_t i) {
    const instruction *c = &l->prog->code[i];
    term *v = &l->value[i];
    switch (c->kind) {
    case EXPR_NUMBER: *v = term_of_number(l->w, c->node); break;
    case EXPR_SUM: *v = load_sum(l, c); break;
    case EXPR_PRODUCT: *v = load_product(l, c); break;
    default: *v = load_function(l, c);
    }
    const bool single = v->count == 0 || (v->count == 1 && v->factors[0].power == 1);
    if (l->inline_shared || l->uses[i] < 2 || single || c->kind == EXPR_NUMBER) return;
    const link whole = link_of(l, i);
    memory_free(v->factors);
    *v = term_of_part(whole.key);
    v->sign = whole.sign;
}

working share_load(const program *prog, bool inline_shared) {
    working w = {.p = (pool *)prog->pool, .output_count = prog->output_count};
    loader l = {.w = &w, .prog = prog, .inline_shared = inline_shared};
    const size_t length = prog->length ? prog->length : 1;
    l.value = memory_zeros(term, length);
    l.uses = memory_zeros(uint32_t, length);
    l.as_part = memory_zeros(uint32_t, length);
    for (uint32_t i = 0; i < prog->length; i++)
        for (uint32_t j = 0; j < prog->code[i].count; j++)
            l.uses[prog->operands[prog->code[i].first + j]]++;
    for (uint32_t i = 0; i < prog->output_count; i++) l.uses[prog->outputs[i]]++;
    for (uint32_t i = 0; i < prog->length; i++) load_instruction(&l, i);
    w.outputs = memory_array(link, prog->output_count);
    for (uint32_t i = 0; i < prog->output_count; i++) w.outputs[i] = link_of(&l, prog->outputs[i]);
    for (uint32_t i = 0; i < prog->length; i++) memory_free(l.value[i].factors);
    memory_free(l.value), memory_free(l.uses), memory_free(l.as_part);
    return w;
}
