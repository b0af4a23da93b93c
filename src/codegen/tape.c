// From a shared program to three-address code: registers, and steps that are made once; linear
// systems, whose operands are computed first, then they are solved as a whole, then comes what
// needs their unknowns.
#include "codegen/tape_internal.h"

#include "expr/share.h"

#include <arb.h>
#include <string.h>

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

uint32_t tape_system_entries(const tape_system *s) {
    return s->symmetric ? s->n * (s->n + 1) / 2 : s->n * s->n;
}
uint32_t tape_system_unknowns(const tape_system *s) { return s->n * s->columns; }
uint32_t tape_system_operands(const tape_system *s) {
    return tape_system_entries(s) + tape_system_unknowns(s);
}

uint32_t tape_operand_count(const tape *t, uint32_t step) {
    const tape_step *s = &t->step[step];
    if (s->operation == TAPE_SOLVED) return s->b ? 0 : tape_system_operands(&t->system[s->a]);
    return tape_is_unary(s->operation) ? 1 : 2;
}

uint32_t tape_operand(const tape *t, uint32_t step, uint32_t which) {
    const tape_step *s = &t->step[step];
    if (s->operation == TAPE_SOLVED) return t->system[s->a].operand[which];
    return which ? s->b : s->a;
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

static bool is_zero(const builder *w, uint32_t r) {
    const uint32_t constants = TAPE_FIRST_LEAF + w->t->input_count;
    return r >= constants && r < constants + w->t->constant_count &&
           w->t->constant[r - constants] == EXPR_ZERO;
}

// x - x = 0, and what follows: 0 + x, x - 0, 0*x and 0/x need no step. Only here is it seen that
// two registers are one: sin(x)/cos(x) and tan(x) are.
static bool needs_no_step(builder *w, tape_operation operation, uint32_t a, uint32_t b,
                          uint32_t *result) {
    const bool zero_a = is_zero(w, a), zero_b = is_zero(w, b);
    const uint32_t zero = zero_a ? a : b;
    switch (operation) {
    case TAPE_ADD: *result = zero_a ? b : a; return zero_a || zero_b;
    case TAPE_SUB:
        *result = a == b && !zero_b ? tape_constant_register(w, EXPR_ZERO) : a;
        return a == b || zero_b;
    case TAPE_MUL: *result = zero; return zero_a || zero_b;
    case TAPE_DIV:
    case TAPE_NEG: *result = a; return zero_a;
    default: return false;
    }
}

uint32_t tape_emit(builder *w, tape_operation operation, uint32_t a, uint32_t b) {
    tape *t = w->t;
    uint32_t known;
    if (needs_no_step(w, operation, a, b, &known)) return known;
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

// --- linear systems ------------------------------------------------------------------------------

static tape_system shape_of(const matrix_system *s) {
    return (tape_system){.n = s->n, .columns = s->columns, .symmetric = s->symmetric};
}

// The outputs, and behind them the operands of all systems, which begin at first[system]; the
// caller frees the list.
static expr *list_outputs(uint32_t systems, const matrix_system *system, uint32_t outputs,
                          const expr *output, uint32_t *first, uint32_t *total) {
    uint32_t count = outputs;
    for (uint32_t i = 0; i < systems; i++) {
        const tape_system shape = shape_of(&system[i]);
        first[i] = count;
        count += tape_system_operands(&shape);
    }
    expr *all = memory_array(expr, count + 1), *next = all + outputs;
    if (outputs) memcpy(all, output, sizeof(expr) * outputs);
    for (uint32_t i = 0; i < systems; i++) {
        const matrix_system *s = &system[i];
        for (uint32_t r = 0; r < s->n; r++)
            for (uint32_t c = 0; c < (s->symmetric ? r + 1 : s->n); c++)
                *next++ = s->matrix[r * s->n + c];
        memcpy(next, s->right, sizeof(expr) * s->n * s->columns);
        next += s->n * s->columns;
    }
    *total = count;
    return all;
}

// By instruction: how many of the systems must be solved before it, 0 where it holds no unknown
static uint32_t *find_depths(const builder *w) {
    const program *g = w->prog;
    uint32_t *depth = memory_zeros(uint32_t, g->length + 1);
    for (uint32_t i = 0; i < g->length; i++) {
        const instruction *c = &g->code[i];
        for (uint32_t j = 0; j < c->count; j++) {
            const uint32_t below = depth[g->operands[c->first + j]];
            if (below > depth[i]) depth[i] = below;
        }
        const expr node = c->kind == EXPR_SYMBOL ? pool_symbol(w->p, c->payload)->node : EXPR_NONE;
        for (uint32_t k = 0; k < w->system_count && c->kind == EXPR_SYMBOL; k++)
            for (uint32_t j = 0; j < w->system[k].n * w->system[k].columns; j++)
                if (w->system[k].unknown[j] == node) depth[i] = k + 1;
    }
    return depth;
}

void tape_emit_system(builder *w, tape_system *s) {
    tape *t = w->t;
    tape_level level = TAPE_TIMED;
    for (uint32_t k = 0; k < tape_system_operands(s); k++)
        if (tape_level_of(w, s->operand[k]) > level) level = tape_level_of(w, s->operand[k]);
    s->first = t->step_count;
    for (uint32_t k = 0; k < tape_system_unknowns(s); k++) {
        array_reserve(t->step, t->step_count, t->step_capacity);
        t->step[t->step_count++] = (tape_step){TAPE_SOLVED, (uint32_t)(s - t->system), k, level};
    }
}

static void append_system(builder *w, uint32_t which) {
    tape *t = w->t;
    tape_system *s = &t->system[t->system_count++];
    *s = shape_of(&w->system[which]);
    s->operand = memory_array(uint32_t, tape_system_operands(s) + 1);
    for (uint32_t k = 0; k < tape_system_operands(s); k++)
        s->operand[k] = w->of[w->prog->outputs[w->system_output[which] + k]];
    tape_emit_system(w, s);
}

// The program step by step, systems in between.
static void make_all(builder *w) {
    const program *g = w->prog;
    uint32_t *depth = find_depths(w);
    w->t->system = memory_array(tape_system, w->system_count + 1);
    for (uint32_t k = 0; k <= w->system_count; k++) {
        for (uint32_t i = 0; i < g->length; i++)
            if (depth[i] == k) w->of[i] = tape_make_step(w, &g->code[i]);
        if (k < w->system_count) append_system(w, k);
    }
    memory_free(depth);
}

// --- roots of large numbers ----------------------------------------------------------------------

// Is it a number of so many digits that roots of it stay as they are?
static bool is_large(const pool *p, expr e) {
    enum { LARGE_BITS = 64 };
    return expr_is_number(p, e) && fmpq_sgn(expr_number_value(p, e)) > 0 &&
           (fmpz_bits(fmpq_numref(expr_number_value(p, e))) > LARGE_BITS ||
            fmpz_bits(fmpq_denref(expr_number_value(p, e))) > LARGE_BITS);
}

// The square of a binary fraction, so near to a number that no precision of runs tells them apart
static expr near_square(pool *p, expr number) {
    enum { BITS = 120 }; // more than the 113 of the finest numbers
    arb_t root;
    fmpq_t square;
    fmpz_t exponent;
    arb_init(root), fmpq_init(square), fmpz_init(exponent);
    arb_set_fmpq(root, expr_number_value(p, number), BITS);
    arb_sqrt(root, root, BITS);
    arf_get_fmpz_2exp(fmpq_numref(square), exponent, arb_midref(root));
    const slong e = fmpz_get_si(exponent);
    if (e > 0) fmpq_mul_2exp(square, square, (ulong)e);
    else fmpq_div_2exp(square, square, (ulong)-e);
    fmpq_mul(square, square, square);
    const expr result = expr_number(p, square);
    arb_clear(root), fmpq_clear(square), fmpz_clear(exponent);
    return result;
}

// Is the factor of number k of a product the square root of a large number?
static bool is_large_root(const pool *p, expr e, uint32_t k) {
    const expr base = expr_operand(p, e, 2 * k), power = expr_operand(p, e, 2 * k + 1);
    return is_large(p, base) && fmpz_equal_ui(fmpq_denref(expr_number_value(p, power)), 2);
}

static bool has_large_roots(const pool *p, expr e) {
    bool found = false;
    if (expr_kind_of(p, e) == EXPR_PRODUCT)
        for (uint32_t k = 0; 2 * k < expr_operand_count(p, e) && !found; k++)
            found = is_large_root(p, e, k);
    return found;
}

static expr join_roots(pool *p, expr e, expr *operand, void *data) {
    (void)data;
    if (has_large_roots(p, e))
        for (uint32_t k = 0; 2 * k < expr_operand_count(p, e); k++)
            if (is_large_root(p, e, k)) operand[2 * k] = near_square(p, operand[2 * k]);
    return expr_with_operands(p, e, operand);
}

// Where decimals are multiplied, products like 1e-190 * sqrt(1e180)*sqrt(1e200) come out: exact,
// but their parts overflow in numbers. Such roots become numbers, which join the coefficient.
static void join_large_roots(pool *p, uint32_t count, expr *e) {
    uint32_t n;
    expr *node = expr_reachable(p, count, e, &n);
    bool found = false;
    for (uint32_t i = 0; i < n && !found; i++) found = has_large_roots(p, node[i]);
    memory_free(node);
    if (found) expr_rebuild_all(p, count, e, join_roots, NULL);
}

// --- a tape --------------------------------------------------------------------------------------

static tape *create(bool shared, pool *p, uint32_t state_count, const expr *state, expr time,
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
    expr *all = list_outputs(systems, system, outputs, output, first, &total);
    expr_in_pieces(p, total, all, all);
    join_large_roots(p, total, all);
    program *g = program_create(p, total, all);
    if (shared) g = program_share(g);
    builder w = {.t = t, .p = p, .prog = g, .of = memory_array(uint32_t, g->length + 1)};
    w.system_count = systems, w.system = system, w.system_output = first;
    w.uses = memory_zeros(uint32_t, g->length + 1);
    w.circle = memory_zeros(bool, 2 * (size_t)g->length + 2), w.split = w.circle + g->length + 1;
    for (uint32_t i = 0; i < g->length; i++)
        for (uint32_t j = 0; j < g->code[i].count; j++) w.uses[g->operands[g->code[i].first + j]]++;
    for (uint32_t i = 0; i < total; i++) w.uses[g->outputs[i]]++;
    tape_plan_circular(&w);
    make_all(&w);
    t->output = memory_array(uint32_t, outputs + 1);
    for (uint32_t i = 0; i < outputs; i++) t->output[i] = w.of[g->outputs[i]];
    tape_finish(&w);
    program_free(g);
    memory_free(all), memory_free(first);
    memory_free(w.of), memory_free(w.uses), memory_free(w.circle);
    memory_free(w.table), memory_free(w.constant_at);
    return t;
}

tape *tape_create(pool *p, uint32_t state_count, const expr *state, expr time,
                  uint32_t parameter_count, const expr *parameter, uint32_t outputs,
                  const expr *output) {
    return tape_create_with(p, state_count, state, time, parameter_count, parameter, 0, NULL,
                            outputs, output);
}

tape *tape_create_with(pool *p, uint32_t state_count, const expr *state, expr time,
                       uint32_t parameter_count, const expr *parameter, uint32_t systems,
                       const matrix_system *system, uint32_t outputs, const expr *output) {
    return create(true, p, state_count, state, time, parameter_count, parameter, systems, system,
                  outputs, output);
}

tape *tape_create_as_written(pool *p, uint32_t state_count, const expr *state, expr time,
                             uint32_t parameter_count, const expr *parameter, uint32_t outputs,
                             const expr *output) {
    return create(false, p, state_count, state, time, parameter_count, parameter, 0, NULL, outputs,
                  output);
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
