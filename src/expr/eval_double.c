// Programs over machine doubles.
#include "expr/program.h"

#include "expr/pool_internal.h"
#include "expr/spline.h"

#include <math.h>

// The double nearest to q. Whole numbers below 2^53 are doubles, and their quotient is rounded
// once. Otherwise 128 bits of the quotient, cut off, with a tail in place of the rest: no rounding
// of that to fewer bits mistakes it for a number halfway.
static double number_as_double(const fmpq *q) {
    if (fmpz_bits(fmpq_numref(q)) <= 53 && fmpz_bits(fmpq_denref(q)) <= 53)
        return fmpz_get_d(fmpq_numref(q)) / fmpz_get_d(fmpq_denref(q));
    arf_t value, tail;
    arf_init(value), arf_init(tail);
    if (arf_fmpz_div_fmpz(value, fmpq_numref(q), fmpq_denref(q), 128, ARF_RND_DOWN)) {
        arf_set_si(tail, arf_sgn(value));
        arf_mul_2exp_fmpz(tail, tail, ARF_EXPREF(value));
        arf_mul_2exp_si(tail, tail, -140);
        arf_add(value, value, tail, ARF_PREC_EXACT, ARF_RND_DOWN);
    }
    const double nearest = arf_get_d(value, ARF_RND_NEAR);
    arf_clear(value), arf_clear(tail);
    return nearest;
}

static double raise_to(double base, const fmpq *e) {
    if (fmpz_is_one(fmpq_denref(e)) && fmpz_fits_si(fmpq_numref(e))) {
        slong n = fmpz_get_si(fmpq_numref(e));
        double power = 1, square = base;
        for (ulong k = (ulong)(n < 0 ? -n : n); k; k >>= 1, square *= square)
            if (k & 1) power *= square;
        return n < 0 ? 1 / power : power;
    }
    if (fmpz_is_one(fmpq_numref(e)) && fmpz_equal_ui(fmpq_denref(e), 2)) return sqrt(base);
    return pow(base, number_as_double(e));
}

static double sign_of(double x) { return (x > 0) - (x < 0); }

static double apply(expr_kind kind, double x, double y) {
    switch (kind) {
    case EXPR_SIN: return sin(x);
    case EXPR_COS: return cos(x);
    case EXPR_TAN: return tan(x);
    case EXPR_ASIN: return asin(x);
    case EXPR_ACOS: return acos(x);
    case EXPR_ATAN: return atan(x);
    case EXPR_ATAN2: return atan2(x, y);
    case EXPR_SINH: return sinh(x);
    case EXPR_COSH: return cosh(x);
    case EXPR_TANH: return tanh(x);
    case EXPR_EXP: return exp(x);
    case EXPR_LOG: return log(x);
    case EXPR_ABS: return fabs(x);
    case EXPR_SIGN: return sign_of(x);
    case EXPR_POWER: return pow(x, y);
    default: return NAN;
    }
}

// An abstract function has no value.
static double tabulated(const pool *p, expr e, double t) {
    uint32_t order;
    spline *data = expr_spline(p, e, &order);
    return data ? spline_double(data, order, t) : NAN;
}

void program_run_double(const program *prog, const double *symbols, double *out) {
    double *value = memory_array(double, prog->length);
    for (uint32_t i = 0; i < prog->length; i++) {
        const instruction *c = &prog->code[i];
        const uint32_t *operand = prog->operands + c->first;
        double v;
        switch (c->kind) {
        case EXPR_NUMBER: v = number_as_double(number_at(prog->pool, c->node)); break;
        case EXPR_SYMBOL: v = symbols[c->payload]; break;
        case EXPR_PI: v = acos(-1.0); break;
        case EXPR_SUM:
            v = value[operand[0]];
            for (uint32_t j = 1; j < c->count; j += 2)
                v += value[operand[j]] * value[operand[j + 1]];
            break;
        case EXPR_PRODUCT:
            v = 1;
            for (uint32_t j = 0; j < c->count; j += 2)
                v *= raise_to(value[operand[j]],
                              number_at(prog->pool, prog->code[operand[j + 1]].node));
            break;
        case EXPR_APPLY: v = tabulated(prog->pool, c->node, value[operand[0]]); break;
        default: v = apply(c->kind, value[operand[0]], c->count > 1 ? value[operand[1]] : 0);
        }
        value[i] = v;
    }
    for (uint32_t i = 0; i < prog->output_count; i++) out[i] = value[prog->outputs[i]];
    memory_free(value);
}

double expr_value(pool *p, expr e, const double *symbols) {
    program *prog = program_create(p, 1, &e);
    double v = NAN;
    program_run_double(prog, symbols, &v);
    program_free(prog);
    return v;
}
