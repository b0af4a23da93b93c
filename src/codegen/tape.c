// From a shared program to three-address code.
#include "codegen/tape_internal.h"

#include "expr/share.h"

#include <arb.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_POWER = 16 }; // beyond it pow() is shorter

const char *tape_operation_name(tape_operation operation) {
    static const char *const names[] = {
#define X(id, name) name,
        TAPE_OPERATIONS(X)
#undef X
    };
    return names[operation];
}

bool tape_is_unary(tape_operation o) {
    return o == TAPE_NEG || o == TAPE_SQRT || (o >= TAPE_SIN && o != TAPE_ATAN2);
}

uint32_t tape_register_count(const tape *t) {
    return t->input_count + t->constant_count + t->step_count;
}

expansion tape_constant(const tape *t, uint32_t index) {
    const expr e = t->constant[index];
    arb_t v;
    arb_init(v);
    if (expr_is_number(t->pool, e)) arb_set_fmpq(v, expr_number_value(t->pool, e), 256);
    else arb_const_pi(v, 256);
    const expansion value = expansion_of(v);
    arb_clear(v);
    return value;
}

// --- registers -----------------------------------------------------------------------------------

uint32_t tape_constant_register(builder *w, expr value) {
    tape *t = w->t;
    if (value >= w->constant_capacity) {
        const uint32_t capacity = 2 * value + 64;
        memory_grow(w->constant_at, capacity);
        memset(w->constant_at + w->constant_capacity, 0,
               sizeof(uint32_t) * (capacity - w->constant_capacity));
        w->constant_capacity = capacity;
    }
    if (!w->constant_at[value]) {
        memory_grow(t->constant, t->constant_count + 1);
        t->constant[t->constant_count++] = value;
        w->constant_at[value] = t->constant_count;
    }
    return TAPE_FIRST_LEAF + t->input_count + w->constant_at[value] - 1;
}

tape_level tape_level_of(const builder *w, uint32_t r) {
    const tape *t = w->t;
    if (!tape_is_leaf(r)) return t->step[r].level;
    const uint32_t leaf = r - TAPE_FIRST_LEAF;
    return leaf < t->state_count ? TAPE_STATE : leaf == t->state_count ? TAPE_TIMED : TAPE_FIXED;
}

static void grow_table(builder *w) {
    const uint32_t size = w->table_size ? 2 * w->table_size : 1024;
    memory_free(w->table);
    w->table = memory_zeros(uint32_t, size);
    w->table_size = size;
    for (uint32_t i = 0; i < w->t->step_count; i++) {
        const tape_step *s = &w->t->step[i];
        uint32_t h = (s->operation * 0x9E3779B1u) ^ (s->a * 0x85EBCA6Bu) ^ (s->b * 0xC2B2AE35u);
        while (w->table[h & (size - 1)]) h++;
        w->table[h & (size - 1)] = i + 1;
    }
}

uint32_t tape_emit(builder *w, tape_operation operation, uint32_t a, uint32_t b) {
    tape *t = w->t;
    if ((operation == TAPE_ADD || operation == TAPE_MUL) && a > b) { // commutative: one order
        const uint32_t other = a;
        a = b, b = other;
    }
    if (2 * (t->step_count + 1) > w->table_size) grow_table(w);
    uint32_t h = (operation * 0x9E3779B1u) ^ (a * 0x85EBCA6Bu) ^ (b * 0xC2B2AE35u);
    for (; w->table[h & (w->table_size - 1)]; h++) {
        const tape_step *s = &t->step[w->table[h & (w->table_size - 1)] - 1];
        if (s->operation == operation && s->a == a && s->b == b)
            return w->table[h & (w->table_size - 1)] - 1;
    }
    const tape_level x = tape_level_of(w, a), y = tape_level_of(w, b);
    array_reserve(t->step, t->step_count, t->step_capacity);
    t->step[t->step_count] = (tape_step){operation, a, b, x > y ? x : y};
    w->table[h & (w->table_size - 1)] = ++t->step_count;
    return t->step_count - 1;
}

uint32_t tape_emit_unary(builder *w, tape_operation operation, uint32_t a) {
    return tape_emit(w, operation, a, a);
}

// --- sums and products ---------------------------------------------------------------------------

typedef struct {
    uint32_t at;
    bool negative;
    tape_level level;
} term;

// Terms of one level side by side, so that what can be computed once is; the
// order within a level stays.
static int by_level(const void *a, const void *b) {
    const term *x = a, *y = b;
    return x->level != y->level ? (x->level > y->level) - (x->level < y->level)
                                : (x->at > y->at) - (x->at < y->at);
}

// Neighbours are added, then neighbours among the results ..
static term add_pairwise(builder *w, term *list, uint32_t count) {
    while (count > 1) {
        uint32_t left = 0;
        for (uint32_t i = 0; i + 1 < count; i += 2) {
            const term x = list[i], y = list[i + 1];
            term sum = {.level = x.level > y.level ? x.level : y.level,
                        .negative = x.negative && y.negative};
            if (x.negative == y.negative) sum.at = tape_emit(w, TAPE_ADD, x.at, y.at);
            else
                sum.at = x.negative ? tape_emit(w, TAPE_SUB, y.at, x.at)
                                    : tape_emit(w, TAPE_SUB, x.at, y.at);
            list[left++] = sum;
        }
        if (count % 2) list[left++] = list[count - 1];
        count = left;
    }
    return list[0];
}

// Levels one after the other: the sum of all that is fixed, then what depends
// on time, then on the state.
static uint32_t add_terms(builder *w, term *list, uint32_t count) {
    qsort(list, count, sizeof *list, by_level);
    uint32_t parts = 0;
    for (uint32_t i = 0; i < count;) {
        uint32_t end = i;
        while (end < count && list[end].level == list[i].level) end++;
        const term part = add_pairwise(w, list + i, end - i);
        list[parts++] = part;
        i = end;
    }
    const term sum = add_pairwise(w, list, parts);
    return sum.negative ? tape_emit_unary(w, TAPE_NEG, sum.at) : sum.at;
}

static bool is_one(const builder *w, expr number) {
    return number == EXPR_ONE ||
           (expr_is_number(w->p, number) && fmpq_is_one(expr_number_value(w->p, number)));
}

static uint32_t multiply_all(builder *w, term *list, uint32_t count) {
    qsort(list, count, sizeof *list, by_level);
    uint32_t at = list[0].at; // fixed factors first, so that their product is computed once
    for (uint32_t i = 1; i < count; i++) at = tape_emit(w, TAPE_MUL, at, list[i].at);
    return at;
}

// base^n by repeated squaring, n >= 1
static uint32_t whole_power(builder *w, uint32_t base, slong n) {
    if (n == 1) return base;
    const uint32_t half = whole_power(w, base, n / 2), square = tape_emit(w, TAPE_MUL, half, half);
    return n % 2 ? tape_emit(w, TAPE_MUL, square, base) : square;
}

// base^|e|
static uint32_t positive_power(builder *w, uint32_t base, const fmpq_t exponent) {
    fmpq_t e;
    fmpq_init(e);
    fmpq_abs(e, exponent);
    const bool modest = fmpz_cmp_si(fmpq_numref(e), LARGEST_POWER) <= 0;
    uint32_t at;
    if (modest && fmpz_is_one(fmpq_denref(e))) {
        at = whole_power(w, base, fmpz_get_si(fmpq_numref(e)));
    } else if (modest && fmpz_equal_si(fmpq_denref(e), 2)) { // x^(n + 1/2) = x^n sqrt(x)
        const slong n = fmpz_get_si(fmpq_numref(e)) / 2;
        at = tape_emit_unary(w, TAPE_SQRT, base);
        if (n) at = tape_emit(w, TAPE_MUL, whole_power(w, base, n), at);
    } else {
        at = tape_emit(w, TAPE_POW, base, tape_constant_register(w, expr_number(w->p, e)));
    }
    fmpq_clear(e);
    return at;
}

// scale * product: what is fixed, above and below, is one factor; the rest is one quotient.
static uint32_t scaled_product(builder *w, const instruction *c, expr scale) {
    const program *g = w->prog;
    const uint32_t *operand = g->operands + c->first;
    term *list = memory_array(term, 2 * (size_t)c->count + 4), *part[2][2]; // part[fixed][below]
    uint32_t count[2][2] = {{0}};
    for (int i = 0; i < 4; i++) part[i / 2][i % 2] = list + i * (c->count / 2 + 1);
    if (!is_one(w, scale))
        part[1][0][count[1][0]++] = (term){tape_constant_register(w, scale), false, TAPE_FIXED};
    for (uint32_t i = 0; i < c->count; i += 2) {
        const fmpq *e = expr_number_value(w->p, g->code[operand[i + 1]].node);
        const uint32_t at = positive_power(w, w->of[operand[i]], e);
        const tape_level level = tape_level_of(w, at);
        const int fixed = level == TAPE_FIXED, below = fmpq_sgn(e) < 0;
        part[fixed][below][count[fixed][below]++] = (term){at, false, level};
    }
    if (count[1][1]) {
        const uint32_t above = count[1][0] ? multiply_all(w, part[1][0], count[1][0])
                                           : tape_constant_register(w, EXPR_ONE);
        part[1][0][0] =
            (term){tape_emit(w, TAPE_DIV, above, multiply_all(w, part[1][1], count[1][1])), false,
                   TAPE_FIXED};
        count[1][0] = 1;
    }
    memcpy(part[0][0] + count[0][0], part[1][0], sizeof(term) * count[1][0]);
    count[0][0] += count[1][0];
    uint32_t at = count[0][0] ? multiply_all(w, part[0][0], count[0][0])
                              : tape_constant_register(w, EXPR_ONE);
    if (count[0][1]) at = tape_emit(w, TAPE_DIV, at, multiply_all(w, part[0][1], count[0][1]));
    memory_free(list);
    return at;
}

// A product that only this sum needs takes its coefficient among its fixed factors.
static uint32_t scaled(builder *w, uint32_t operand, expr scale) {
    const instruction *c = &w->prog->code[operand];
    if (is_one(w, scale)) return w->of[operand];
    if (c->kind == EXPR_PRODUCT && w->uses[operand] == 1) return scaled_product(w, c, scale);
    return tape_emit(w, TAPE_MUL, tape_constant_register(w, scale), w->of[operand]);
}

static uint32_t make_sum(builder *w, const instruction *c, const uint32_t *operand) {
    const program *g = w->prog;
    term *list = memory_array(term, c->count + 1);
    uint32_t count = 0;
    const expr c0 = g->code[operand[0]].node;
    // -2*x is one product
    const bool alone =
        c0 == EXPR_ZERO && c->count == 3 && g->code[operand[1]].node != EXPR_MINUS_ONE;
    if (c0 != EXPR_ZERO) list[count++] = (term){w->of[operand[0]], false, TAPE_FIXED};
    for (uint32_t i = 1; i < c->count; i += 2) {
        const expr factor = g->code[operand[i]].node;
        const bool negative = !alone && fmpq_sgn(expr_number_value(w->p, factor)) < 0;
        const uint32_t at = scaled(w, operand[i + 1], negative ? expr_neg(w->p, factor) : factor);
        list[count++] = (term){at, negative, tape_level_of(w, at)};
    }
    const uint32_t sum = count ? add_terms(w, list, count) : tape_constant_register(w, EXPR_ZERO);
    memory_free(list);
    return sum;
}

// --- all of it -----------------------------------------------------------------------------------

static tape_operation function_operation(expr_kind kind) {
    switch (kind) {
    case EXPR_ASIN: return TAPE_ASIN;
    case EXPR_ACOS: return TAPE_ACOS;
    case EXPR_ATAN: return TAPE_ATAN;
    case EXPR_SINH: return TAPE_SINH;
    case EXPR_COSH: return TAPE_COSH;
    case EXPR_TANH: return TAPE_TANH;
    case EXPR_EXP: return TAPE_EXP;
    case EXPR_LOG: return TAPE_LOG;
    case EXPR_ABS: return TAPE_ABS;
    default: return TAPE_SIGN;
    }
}

static uint32_t input_register(const builder *w, uint32_t symbol_index) {
    const expr node = pool_symbol(w->p, symbol_index)->node;
    for (uint32_t k = 0; k < w->t->system_count; k++) {
        const matrix_system *s = &w->system[k];
        for (uint32_t j = 0; j < s->n * s->columns; j++)
            if (s->unknown[j] == node) return w->t->system[k].first + j;
    }
    uint32_t i = 0;
    while (w->t->input[i] != node) i++; // every other symbol is an input
    return TAPE_FIRST_LEAF + i;
}

static uint32_t make_step(builder *w, const instruction *c) {
    const uint32_t *operand = w->prog->operands + c->first;
    switch (c->kind) {
    case EXPR_NUMBER:
    case EXPR_PI: return tape_constant_register(w, c->node);
    case EXPR_SYMBOL: return input_register(w, c->payload);
    case EXPR_SUM: return make_sum(w, c, operand);
    case EXPR_PRODUCT: return scaled_product(w, c, EXPR_ONE);
    case EXPR_POWER: return tape_emit(w, TAPE_POW, w->of[operand[0]], w->of[operand[1]]);
    case EXPR_ATAN2: return tape_emit(w, TAPE_ATAN2, w->of[operand[0]], w->of[operand[1]]);
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TAN: return make_circular(w, c);
    default: return tape_emit_unary(w, function_operation(c->kind), w->of[operand[0]]);
    }
}

tape *tape_create_with(pool *p, uint32_t state_count, const expr *state, expr time,
                       uint32_t parameter_count, const expr *parameter, uint32_t systems,
                       const matrix_system *system, uint32_t outputs, const expr *output) {
    tape *t = memory_new(tape);
    *t = (tape){.pool = p,
                .state_count = state_count,
                .input_count = state_count + 1 + parameter_count,
                .output_count = outputs};
    expr *input = memory_array(expr, t->input_count);
    memcpy(input, state, sizeof(expr) * state_count);
    input[state_count] = time;
    if (parameter_count) memcpy(input + state_count + 1, parameter, sizeof(expr) * parameter_count);
    t->input = input;
    uint32_t *first = memory_array(uint32_t, systems + 1), total;
    expr *all = tape_list_outputs(systems, system, outputs, output, first, &total);
    program *g = program_share(program_create(p, total, all));
    builder w = {.t = t, .p = p, .prog = g, .of = memory_array(uint32_t, g->length + 1)};
    w.system_count = systems, w.system = system, w.system_output = first;
    w.uses = memory_zeros(uint32_t, g->length + 1);
    w.circle = memory_zeros(bool, 2 * (size_t)g->length + 2), w.split = w.circle + g->length + 1;
    for (uint32_t i = 0; i < g->length; i++)
        for (uint32_t j = 0; j < g->code[i].count; j++) w.uses[g->operands[g->code[i].first + j]]++;
    for (uint32_t i = 0; i < total; i++) w.uses[g->outputs[i]]++;
    plan_circular(&w);
    tape_make_all(&w, make_step);
    t->output = memory_array(uint32_t, outputs + 1);
    for (uint32_t i = 0; i < outputs; i++) t->output[i] = w.of[g->outputs[i]];
    tape_finish(&w);
    program_free(g);
    memory_free(all), memory_free(first);
    memory_free(w.of);
    memory_free(w.uses);
    memory_free(w.circle);
    memory_free(w.table);
    memory_free(w.constant_at);
    return t;
}

tape *tape_create(pool *p, uint32_t state_count, const expr *state, expr time,
                  uint32_t parameter_count, const expr *parameter, uint32_t outputs,
                  const expr *output) {
    return tape_create_with(p, state_count, state, time, parameter_count, parameter, 0, NULL,
                            outputs, output);
}

void tape_free(tape *t) {
    if (!t) return;
    memory_free((void *)t->input);
    memory_free(t->constant);
    memory_free(t->step);
    for (uint32_t i = 0; i < t->system_count; i++) memory_free(t->system[i].operand);
    memory_free(t->system);
    memory_free(t->output);
    memory_free(t);
}
