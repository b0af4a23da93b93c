// The pool: hash-consing of nodes, exact numbers, symbols, abstract functions.
#include "expr/pool_internal.h"
#include "expr/spline.h"

#include <arf.h>
#include <assert.h>
#include <string.h>

static const struct {
    const char *name;
    int arity;
} kinds[] = {
#define KIND(id, name, arity) {name, arity},
#include "expr/kinds.def"
};

const char *expr_kind_name(expr_kind kind) { return kinds[kind].name; }

pool *pool_create(context *ctx) {
    pool *p = memory_new(pool);
    *p = (pool){.ctx = ctx, .operands_capacity = 1 << 12};
    p->operands = memory_array(expr, p->operands_capacity);
    const expr zero = expr_int(p, 0), one = expr_int(p, 1), minus = expr_int(p, -1),
               two = expr_int(p, 2);
    const expr half = expr_rational(p, 1, 2);
    assert(zero == EXPR_ZERO && one == EXPR_ONE && minus == EXPR_MINUS_ONE && two == EXPR_TWO &&
           half == EXPR_HALF);
    (void)zero, (void)one, (void)minus, (void)two, (void)half;
    return p;
}

void pool_destroy(pool *p) {
    if (!p) return;
    for (uint32_t i = 0; i < p->numbers_count; i++) fmpq_clear(&p->numbers[i]);
    memory_free(p->nodes);
    memory_free(p->operands);
    memory_free(p->slots);
    memory_free(p->numbers);
    memory_free(p->symbols);
    memory_free(p->functions);
    for (uint32_t i = 0; i < p->splines_count; i++) spline_free(p->splines[i]);
    memory_free(p->splines);
    memory_free(p->time_derivative);
    pool_forget_partials(p);
    memory_free(p->partials);
    memory_free(p->mark);
    memory_free(p->stamp);
    for (uint32_t i = 0; i < p->systems_count; i++) {
        memory_free(p->systems[i].matrix);
        memory_free(p->systems[i].right);
    }
    memory_free(p->systems);
    memory_free(p->eliminated);
    memory_free(p);
}

context *pool_context(const pool *p) { return p->ctx; }
uint32_t pool_size(const pool *p) { return p->count; }

// --- hash-consing --------------------------------------------------------------------------------

static uint32_t hash_node(expr_kind kind, uint32_t payload, uint32_t count, const expr *operands) {
    uint32_t h = (uint32_t)kind * 0x9E3779B1u ^ payload * 0x85EBCA77u;
    for (uint32_t i = 0; i < count; i++) {
        h ^= operands[i] + 0x9E3779B9u + (h << 6) + (h >> 2);
        h *= 0xC2B2AE35u;
    }
    return h ^ h >> 16;
}

static void grow_slots(pool *p) {
    p->slot_count = p->slot_count ? 2 * p->slot_count : 1 << 12;
    memory_free(p->slots);
    p->slots = memory_array(uint32_t, p->slot_count);
    memset(p->slots, 0, sizeof(uint32_t) * p->slot_count);
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t s = p->nodes[i].hash & (p->slot_count - 1);
        while (p->slots[s]) s = (s + 1) & (p->slot_count - 1);
        p->slots[s] = i + 1;
    }
}

static expr append_node(pool *p, expr_kind kind, uint32_t payload, uint32_t count,
                        const expr *operands, uint32_t hash) {
    if (p->count >= p->ctx->limits.nodes && kind != EXPR_SYMBOL) { // symbols are few and must exist
        context_exhaust_limit(p->ctx, (span){0}, "nodes", "expression nodes", p->ctx->limits.nodes);
        return EXPR_ZERO;
    }
    if (count > p->ctx->limits.operands - p->operands_count) {
        context_exhaust(p->ctx, (span){0}, "operands of expressions", p->ctx->limits.operands);
        return EXPR_ZERO;
    }
    budget_check();
    array_reserve(p->nodes, p->count, p->capacity);
    while (p->operands_capacity - p->operands_count < count) {
        p->operands_capacity *= 2;
        memory_grow(p->operands, p->operands_capacity);
    }
    if (count) memcpy(p->operands + p->operands_count, operands, sizeof(expr) * count);
    p->nodes[p->count] = (node){.kind = (uint16_t)kind,
                                .payload = payload,
                                .first = p->operands_count,
                                .count = count,
                                .hash = hash};
    p->operands_count += count;
    return p->count++;
}

expr pool_intern(pool *p, expr_kind kind, uint32_t payload, uint32_t count, const expr *operands) {
    if (2 * (p->count + 1) > p->slot_count) grow_slots(p);
    const uint32_t hash = hash_node(kind, payload, count, operands), mask = p->slot_count - 1;
    uint32_t s = hash & mask;
    for (; p->slots[s]; s = (s + 1) & mask) {
        const node *n = &p->nodes[p->slots[s] - 1];
        if (n->hash == hash && n->kind == kind && n->payload == payload && n->count == count &&
            (!count || memcmp(p->operands + n->first, operands, sizeof(expr) * count) == 0))
            return p->slots[s] - 1;
    }
    expr e = append_node(p, kind, payload, count, operands, hash);
    if (!p->ctx->exhausted) p->slots[s] = e + 1;
    return e;
}

// --- numbers -------------------------------------------------------------------------------------

// Numbers hash by value; the payload differs, so they have their own probe.
expr expr_number(pool *p, const fmpq_t value) {
    if (2 * (p->count + 1) > p->slot_count) grow_slots(p);
    uint32_t parts[2] = {(uint32_t)fmpz_fdiv_ui(fmpq_numref(value), 4294967291u),
                         (uint32_t)fmpz_fdiv_ui(fmpq_denref(value), 4294967291u)};
    const uint32_t hash = hash_node(EXPR_NUMBER, 0, 2, parts), mask = p->slot_count - 1;
    uint32_t s = hash & mask;
    for (; p->slots[s]; s = (s + 1) & mask) {
        const node *n = &p->nodes[p->slots[s] - 1];
        if (n->hash == hash && n->kind == EXPR_NUMBER && fmpq_equal(&p->numbers[n->payload], value))
            return p->slots[s] - 1;
    }
    expr e = append_node(p, EXPR_NUMBER, p->numbers_count, 0, NULL, hash);
    if (p->ctx->exhausted) return EXPR_ZERO;
    array_reserve(p->numbers, p->numbers_count, p->numbers_capacity);
    fmpq_init(&p->numbers[p->numbers_count]);
    fmpq_set(&p->numbers[p->numbers_count++], value);
    p->slots[s] = e + 1;
    return e;
}

expr expr_rational(pool *p, int64_t numerator, int64_t denominator) {
    fmpz_t n, d;
    fmpq_t value;
    fmpz_init_set_si(n, numerator);
    fmpz_init_set_si(d, denominator);
    fmpq_init(value);
    fmpq_set_fmpz_frac(value, n, d);
    expr e = expr_number(p, value);
    fmpq_clear(value);
    fmpz_clear(n);
    fmpz_clear(d);
    return e;
}

expr expr_int(pool *p, int64_t value) { return expr_rational(p, value, 1); }

expr expr_exact(pool *p, double value) {
    arf_t a;
    fmpq_t q;
    arf_init(a), fmpq_init(q);
    arf_set_d(a, value);
    arf_get_fmpq(q, a);
    const expr e = expr_number(p, q);
    fmpq_clear(q), arf_clear(a);
    return e;
}

expr expr_pi(pool *p) { return pool_intern(p, EXPR_PI, 0, 0, NULL); }

// --- symbols -------------------------------------------------------------------------------------

static expr add_symbol(pool *p, const char *name, symbol_role role, uint32_t order, uint32_t base) {
    array_reserve(p->symbols, p->symbols_count, p->symbols_capacity);
    uint32_t index = p->symbols_count++;
    expr e = pool_intern(p, EXPR_SYMBOL, index, 0, NULL);
    p->symbols[index] = (symbol){name, role, order, order ? base : index, EXPR_NONE, e};
    return e;
}

expr expr_symbol(pool *p, const char *name, symbol_role role) {
    return add_symbol(p, arena_copy(&p->ctx->arena, name, strlen(name)), role, 0, 0);
}

uint32_t pool_symbol_count(const pool *p) { return p->symbols_count; }
const symbol *pool_symbol(const pool *p, uint32_t index) { return &p->symbols[index]; }

const symbol *expr_as_symbol(const pool *p, expr e) {
    return p->nodes[e].kind == EXPR_SYMBOL ? &p->symbols[p->nodes[e].payload] : NULL;
}

const char *expr_symbol_name(const pool *p, expr e) {
    return p->symbols[expr_symbol_index(p, e)].name;
}

const char *expr_symbol_text(const pool *p, expr e) {
    const symbol *s = &p->symbols[expr_symbol_index(p, e)];
    const size_t length = strlen(s->name);
    char *name = arena_alloc(&p->ctx->arena, length + s->order + 1);
    memcpy(name, s->name, length);
    memset(name + length, '\'', s->order);
    name[length + s->order] = '\0';
    return name;
}

uint32_t expr_symbol_index(const pool *p, expr e) {
    assert(p->nodes[e].kind == EXPR_SYMBOL);
    return p->nodes[e].payload;
}

expr expr_symbol_derivative(pool *p, expr e) {
    const uint32_t index = expr_symbol_index(p, e);
    if (p->symbols[index].next == EXPR_NONE) {
        const symbol s = p->symbols[index];
        expr next = add_symbol(p, s.name, s.role, s.order + 1, s.base);
        if (p->ctx->exhausted) return EXPR_ZERO;
        p->symbols[index].next = expr_symbol_index(p, next);
    }
    return p->symbols[p->symbols[index].next].node;
}

expr expr_symbol_of_order(pool *p, expr e, uint32_t order) {
    e = p->symbols[p->symbols[expr_symbol_index(p, e)].base].node;
    while (order-- && !p->ctx->exhausted) e = expr_symbol_derivative(p, e);
    return e;
}

// --- abstract functions --------------------------------------------------------------------------

uint32_t pool_function(pool *p, const char *name, uint32_t arity) {
    array_reserve(p->functions, p->functions_count, p->functions_capacity);
    p->functions[p->functions_count] =
        (function){.name = arena_copy(&p->ctx->arena, name, strlen(name)),
                   .arity = arity,
                   .orders = arena_array(&p->ctx->arena, uint32_t, arity),
                   .base = p->functions_count,
                   .next = EXPR_NONE};
    return p->functions_count++;
}

const function *pool_function_at(const pool *p, uint32_t index) { return &p->functions[index]; }

uint32_t pool_function_partial(pool *p, uint32_t index, uint32_t argument) {
    const function f = p->functions[index];
    uint32_t *orders = arena_array(&p->ctx->arena, uint32_t, f.arity);
    memcpy(orders, f.orders, sizeof(uint32_t) * f.arity);
    orders[argument]++;
    for (uint32_t i = f.base; i != EXPR_NONE; i = p->functions[i].next)
        if (memcmp(p->functions[i].orders, orders, sizeof(uint32_t) * f.arity) == 0) return i;
    array_reserve(p->functions, p->functions_count, p->functions_capacity);
    p->functions[p->functions_count] =
        (function){f.name, f.arity, orders, f.base, p->functions[f.base].next, f.data};
    return p->functions[f.base].next = p->functions_count++;
}

uint32_t expr_function_index(const pool *p, expr e) {
    assert(p->nodes[e].kind == EXPR_APPLY);
    return p->nodes[e].payload;
}

expr expr_apply(pool *p, uint32_t function, uint32_t count, const expr *arguments) {
    assert(count == p->functions[function].arity);
    return pool_intern(p, EXPR_APPLY, function, count, arguments);
}

// --- looking at nodes ----------------------------------------------------------------------------

expr_kind expr_kind_of(const pool *p, expr e) { return (expr_kind)p->nodes[e].kind; }
uint32_t expr_operand_count(const pool *p, expr e) { return p->nodes[e].count; }
expr expr_operand(const pool *p, expr e, uint32_t i) { return operands_of(p, e)[i]; }
bool expr_is_number(const pool *p, expr e) { return p->nodes[e].kind == EXPR_NUMBER; }

const fmpq *expr_number_value(const pool *p, expr e) {
    assert(expr_is_number(p, e));
    return number_at(p, e);
}

bool expr_is_integer(const pool *p, expr e, int64_t *value) {
    if (!expr_is_number(p, e)) return false;
    const fmpq *q = number_at(p, e);
    if (!fmpz_is_one(fmpq_denref(q)) || !fmpz_fits_si(fmpq_numref(q))) return false;
    if (value) *value = fmpz_get_si(fmpq_numref(q));
    return true;
}

void expr_split_coefficient(const pool *p, expr e, expr *coefficient, expr *rest) {
    const node *n = node_at(p, e);
    const expr *ops = operands_of(p, e);
    if (n->kind == EXPR_NUMBER) {
        *coefficient = e;
        *rest = EXPR_ONE;
    } else if (n->kind == EXPR_SUM && n->count == 3 && ops[0] == EXPR_ZERO) {
        *coefficient = ops[1];
        *rest = ops[2];
    } else {
        *coefficient = EXPR_ONE;
        *rest = e;
    }
}
