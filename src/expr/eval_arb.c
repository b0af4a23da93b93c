// Programs over Arb balls: rigorous enclosures to any precision.
#include "expr/program.h"

#include "expr/pool_internal.h"
#include "expr/spline.h"

static void raise_to(arb_t power, const arb_t base, const fmpq *e, slong prec) {
    fmpq_t exponent;
    *exponent = *e; // a shallow view
    if (fmpz_is_one(fmpq_denref(exponent))) arb_pow_fmpz(power, base, fmpq_numref(exponent), prec);
    // Arb would take a logarithm
    else if (arb_is_zero(base) && fmpq_sgn(exponent) > 0) arb_zero(power);
    else arb_pow_fmpq(power, base, exponent, prec);
}

static void apply(arb_t f, expr_kind kind, const arb_t x, const arb_t y, slong prec) {
    switch (kind) {
    case EXPR_SIN: arb_sin(f, x, prec); break;
    case EXPR_COS: arb_cos(f, x, prec); break;
    case EXPR_TAN: arb_tan(f, x, prec); break;
    case EXPR_ASIN: arb_asin(f, x, prec); break;
    case EXPR_ACOS: arb_acos(f, x, prec); break;
    case EXPR_ATAN: arb_atan(f, x, prec); break;
    case EXPR_ATAN2: arb_atan2(f, x, y, prec); break;
    case EXPR_SINH: arb_sinh(f, x, prec); break;
    case EXPR_COSH: arb_cosh(f, x, prec); break;
    case EXPR_TANH: arb_tanh(f, x, prec); break;
    case EXPR_EXP: arb_exp(f, x, prec); break;
    case EXPR_LOG: arb_log(f, x, prec); break;
    case EXPR_ABS: arb_abs(f, x); break;
    case EXPR_SIGN: arb_sgn(f, x); break;
    case EXPR_POWER: arb_pow(f, x, y, prec); break;
    default: arb_indeterminate(f);
    }
}

static void run_product(const program *prog, const instruction *c, arb_ptr value, arb_t result,
                        slong prec) {
    arb_t power;
    arb_init(power);
    arb_one(result);
    for (uint32_t j = 0; j < c->count; j += 2) {
        const uint32_t base = prog->operands[c->first + j],
                       exponent = prog->operands[c->first + j + 1];
        raise_to(power, value + base, number_at(prog->pool, prog->code[exponent].node), prec);
        arb_mul(result, result, power, prec);
    }
    arb_clear(power);
}

// An abstract function has no value.
static void run_spline(const pool *p, expr e, const arb_t t, arb_t result, slong prec) {
    uint32_t order;
    spline *data = expr_spline(p, e, &order);
    if (data) spline_ball(data, order, t, prec, result);
    else arb_indeterminate(result);
}

void program_run_arb(const program *prog, arb_srcptr symbols, slong prec, arb_ptr out) {
    arb_ptr value = _arb_vec_init((slong)prog->length);
    for (uint32_t i = 0; i < prog->length; i++) {
        budget_check(); // small balls take no memory
        const instruction *c = &prog->code[i];
        const uint32_t *operand = prog->operands + c->first;
        arb_ptr v = value + i;
        switch (c->kind) {
        case EXPR_NUMBER: arb_set_fmpq(v, number_at(prog->pool, c->node), prec); break;
        case EXPR_SYMBOL: arb_set(v, symbols + c->payload); break;
        case EXPR_PI: arb_const_pi(v, prec); break;
        case EXPR_SUM:
            arb_set(v, value + operand[0]);
            for (uint32_t j = 1; j < c->count; j += 2)
                arb_addmul(v, value + operand[j], value + operand[j + 1], prec);
            break;
        case EXPR_APPLY: run_spline(prog->pool, c->node, value + operand[0], v, prec); break;
        case EXPR_PRODUCT: run_product(prog, c, value, v, prec); break;
        default:
            apply(v, c->kind, value + operand[0], c->count > 1 ? value + operand[1] : NULL, prec);
        }
    }
    for (uint32_t i = 0; i < prog->output_count; i++) arb_set(out + i, value + prog->outputs[i]);
    _arb_vec_clear(value, (slong)prog->length);
}
