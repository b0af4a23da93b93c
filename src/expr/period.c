// Periods of expressions, from what a shift of the symbol by one period P does to every node: it
// adds a rational multiple of P, or nothing can be said.
#include "expr/period.h"

#include "expr/program.h"

typedef struct {
    const program *prog;
    fmpq *gain; // by position: x -> x + P changes the value by gain * P
    // greatest common divisor of what the arguments of sin, cos and half of
    // what those of tan gain: P
    fmpq_t pitch;
    // pitch = 2 pi
} shift;

static const uint32_t *operands_of(const shift *s, const instruction *c) {
    return s->prog->operands + c->first;
}

// c0 + c1 t1 + c2 t2 ..
static void gain_of_sum(shift *s, const instruction *c, fmpq *gain) {
    const uint32_t *at = operands_of(s, c);
    for (uint32_t i = 2; i < c->count; i += 2)
        if (!fmpq_is_zero(s->gain + at[i]))
            fmpq_addmul(gain, expr_number_value(s->prog->pool, s->prog->code[at[i - 1]].node),
                        s->gain + at[i]);
}

static bool operands_stay(const shift *s, const instruction *c) {
    bool stay = true;
    for (uint32_t i = 0; i < c->count; i++)
        stay = stay && fmpq_is_zero(s->gain + operands_of(s, c)[i]);
    return stay;
}

static void turn(shift *s, const fmpq *gain, ulong times) {
    fmpq_t whole;
    fmpq_init(whole);
    fmpq_mul_ui(whole, gain, times);
    fmpq_gcd(s->pitch, s->pitch, whole);
    fmpq_clear(whole);
}

// False where the value becomes something that is not `value + gain * P`.
static bool follow(shift *s, uint32_t at) {
    const instruction *c = &s->prog->code[at];
    switch (c->kind) {
    case EXPR_SUM: gain_of_sum(s, c, s->gain + at); return true;
    case EXPR_SIN:
    case EXPR_COS: turn(s, s->gain + operands_of(s, c)[0], 1); return true;
    case EXPR_TAN: turn(s, s->gain + operands_of(s, c)[0], 2); return true;
    default: return operands_stay(s, c);
    }
}

// Who uses a position: user[first[at]] .. user[first[at + 1] - 1]; outputs are used by nobody
typedef struct {
    uint32_t *first, *user;
    bool *is_output;
} uses;

static uses uses_of(const program *prog) {
    uses u = {memory_zeros(uint32_t, prog->length + 2), NULL, memory_zeros(bool, prog->length + 1)};
    for (uint32_t i = 0; i < prog->length; i++)
        for (uint32_t k = 0; k < prog->code[i].count; k++)
            u.first[prog->operands[prog->code[i].first + k] + 2]++;
    for (uint32_t i = 2; i < prog->length + 2; i++) u.first[i] += u.first[i - 1];
    u.user = memory_array(uint32_t, u.first[prog->length + 1] + 1);
    for (uint32_t i = 0; i < prog->length; i++)
        for (uint32_t k = 0; k < prog->code[i].count; k++)
            u.user[u.first[prog->operands[prog->code[i].first + k] + 1]++] = i;
    for (uint32_t i = 0; i < prog->output_count; i++) u.is_output[prog->outputs[i]] = true;
    return u;
}

// Positions whose operands have changed, smallest first
typedef struct {
    uint32_t *at, count, capacity;
} queue;

static void enqueue(queue *q, uint32_t at) {
    array_reserve(q->at, q->count, q->capacity);
    uint32_t i = q->count++;
    for (; i && q->at[(i - 1) / 2] > at; i = (i - 1) / 2) q->at[i] = q->at[(i - 1) / 2];
    q->at[i] = at;
}

static uint32_t dequeue(queue *q) {
    const uint32_t least = q->at[0], last = q->at[--q->count];
    uint32_t i = 0;
    for (uint32_t child; (child = 2 * i + 1) < q->count; i = child) {
        if (child + 1 < q->count && q->at[child + 1] < q->at[child]) child++;
        if (q->at[child] >= last) break;
        q->at[i] = q->at[child];
    }
    q->at[i] = last;
    return least;
}

// From the symbol upwards, as far as values change
static bool follow_all(shift *s, const uses *u, uint32_t symbol_at, queue *touched) {
    queue open = {0};
    bool good = true;
    fmpq_one(s->gain + symbol_at);
    for (uint32_t at = symbol_at; good;) {
        enqueue(touched, at);
        good = fmpq_is_zero(s->gain + at) || !u->is_output[at];
        for (uint32_t i = u->first[at]; i < u->first[at + 1] && !fmpq_is_zero(s->gain + at); i++)
            enqueue(&open, u->user[i]);
        if (!open.count) break;
        at = dequeue(&open);
        while (open.count && open.at[0] == at) dequeue(&open);
        good = good && follow(s, at);
    }
    memory_free(open.at);
    return good;
}

void expr_periods(pool *p, uint32_t count, const expr *e, uint32_t symbols, const expr *symbol,
                  period_kind *kind, fmpq *period) {
    program *prog = program_create(p, count, e);
    uses u = uses_of(prog);
    shift s = {.prog = prog, .gain = _fmpq_vec_init(prog->length)};
    fmpq_init(s.pitch);
    uint32_t *place = memory_zeros(uint32_t, pool_symbol_count(p) + 1); // position + 1
    for (uint32_t i = 0; i < prog->length; i++)
        if (prog->code[i].kind == EXPR_SYMBOL) place[prog->code[i].payload] = i + 1;
    for (uint32_t i = 0; i < symbols; i++) {
        const uint32_t at = place[expr_symbol_index(p, symbol[i])];
        kind[i] = PERIOD_ABSENT;
        if (!at) continue;
        queue touched = {0};
        fmpq_zero(s.pitch);
        const bool found = follow_all(&s, &u, at - 1, &touched) && !fmpq_is_zero(s.pitch);
        kind[i] = found ? PERIOD_FOUND : PERIOD_NONE;
        if (found) fmpq_inv(&period[i], s.pitch);
        for (uint32_t k = 0; k < touched.count; k++) fmpq_zero(s.gain + touched.at[k]);
        memory_free(touched.at);
    }
    memory_free(place), memory_free(u.first), memory_free(u.user), memory_free(u.is_output);
    fmpq_clear(s.pitch);
    _fmpq_vec_clear(s.gain, prog->length);
    program_free(prog);
}

period_kind expr_period(pool *p, uint32_t count, const expr *e, expr symbol, fmpq_t period) {
    period_kind kind;
    expr_periods(p, count, e, 1, &symbol, &kind, period);
    return kind;
}
