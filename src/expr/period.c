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

static bool follow_all(shift *s, uint32_t symbol, bool *occurs) {
    bool good = true;
    for (uint32_t i = 0; i < s->prog->length && good; i++) {
        const instruction *c = &s->prog->code[i];
        if (c->kind == EXPR_SYMBOL && c->payload == symbol) fmpq_one(s->gain + i), *occurs = true;
        else good = follow(s, i);
    }
    for (uint32_t i = 0; i < s->prog->output_count && good; i++)
        good = fmpq_is_zero(s->gain + s->prog->outputs[i]);
    return good;
}

period_kind expr_period(pool *p, uint32_t count, const expr *e, expr symbol, fmpq_t period) {
    program *prog = program_create(p, count, e);
    shift s = {.prog = prog, .gain = _fmpq_vec_init(prog->length)};
    fmpq_init(s.pitch);
    bool occurs = false;
    const bool good = follow_all(&s, expr_symbol_index(p, symbol), &occurs);
    const bool found = good && !fmpq_is_zero(s.pitch);
    if (found) fmpq_inv(period, s.pitch);
    fmpq_clear(s.pitch);
    _fmpq_vec_clear(s.gain, prog->length);
    program_free(prog);
    return !occurs ? PERIOD_ABSENT : found ? PERIOD_FOUND : PERIOD_NONE;
}
