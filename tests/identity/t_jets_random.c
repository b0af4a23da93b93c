// Random three-address code along random curves: every coefficient as Arb's power series have it.
#include "support/support.h"

#include "execute/jets.h"

#include <arb_poly.h>
#include <math.h>
#include <stdlib.h>

enum { ORDER = 12, STATES = 3, TAPES = 500, NODES = 9, BITS = 300 };

// Rounding grows with the coefficients that cancel: it is measured against
// the largest in any register.
static const double ROUNDING = 1e-12;

typedef struct {
    world w;
    expr state[STATES], t, parameter;
    uint64_t random;
} maker;

static uint32_t below(maker *m, uint32_t n) { return (uint32_t)(random_next(&m->random) % n); }

// Arguments are kept within the domains: asin(x/4), sqrt(3 + x), log(4 +
// x) ..; divisors away from 0.
static expr make_node(maker *m, const expr *have, uint32_t count) {
    pool *p = m->w.p;
    const expr a = have[below(m, count)], b = have[below(m, count)];
    // > 0; |.| < 1/2
    const expr up = expr_add(p, expr_int(p, 2), expr_square(p, a)), down = expr_div(p, a, up);
    static const expr_kind plain[] = {EXPR_SIN,  EXPR_COS,  EXPR_TAN,  EXPR_ASIN, EXPR_ACOS,
                                      EXPR_ATAN, EXPR_SINH, EXPR_COSH, EXPR_TANH, EXPR_EXP};
    // sin, cos and tan of one angle and of sums of angles, which code finds from one another
    static const expr_kind circular[] = {EXPR_SIN, EXPR_COS, EXPR_TAN};
    const expr other = expr_div(p, b, expr_add(p, expr_int(p, 2), expr_square(p, b))),
               angle[4] = {down, expr_add(p, down, other), expr_sub(p, down, other),
                           expr_neg(p, expr_add(p, down, other))};
    const uint32_t which = below(m, 4);
    switch (below(m, 15)) {
    case 13: return expr_function(p, circular[below(m, 3)], &angle[which]);
    case 14: // all of them
        return expr_sum(p, 4,
                        (expr[]){expr_function(p, EXPR_SIN, &down),
                                 expr_function(p, EXPR_COS, &other),
                                 expr_function(p, EXPR_SIN, &angle[which]),
                                 expr_mul(p, expr_function(p, EXPR_COS, &angle[which]),
                                          expr_function(p, EXPR_TAN, &angle[which]))});
    case 0: return expr_add(p, a, b);
    case 1: return expr_sub(p, a, expr_mul(p, expr_rational(p, 3, 7), b));
    case 2:
    case 3: return expr_mul(p, a, b);
    case 4: return expr_div(p, b, up);
    case 5: return expr_div(p, expr_int(p, 3), up);
    case 6: return expr_sqrt(p, up);
    case 7: return expr_pow(p, up, expr_rational(p, 1 + (int64_t)below(m, 5), 3));
    case 8: return below(m, 2) ? expr_pow(p, up, m->parameter) : expr_pow(p, up, down);
    case 9:
        return expr_function(
            p, EXPR_ATAN2,
            (expr[]){below(m, 3) ? down : m->parameter, below(m, 3) ? up : m->parameter});
    case 10: {
        const expr negative = expr_sub(p, down, EXPR_ONE);
        const uint32_t choice = below(m, 3);
        return expr_function(p, choice ? EXPR_ABS : EXPR_LOG, choice == 2 ? &negative : &up);
    }
    default: return expr_function(p, plain[below(m, sizeof plain / sizeof *plain)], &down);
    }
}

// The same operation on Arb's series; the series of atan2 is that of atan where x > 0,
// which is where the tapes use it.
static void arb_step(arb_poly_t r, const arb_poly_t a, const arb_poly_t b, tape_operation op) {
    const slong n = ORDER + 1;
    arb_poly_t h;
    arb_poly_init(h);
    switch (op) {
    case TAPE_ADD: arb_poly_add(r, a, b, BITS); break;
    case TAPE_SUB: arb_poly_sub(r, a, b, BITS); break;
    case TAPE_MUL: arb_poly_mullow(r, a, b, n, BITS); break;
    case TAPE_DIV: arb_poly_div_series(r, a, b, n, BITS); break;
    case TAPE_NEG: arb_poly_neg(r, a); break;
    case TAPE_SQRT: arb_poly_sqrt_series(r, a, n, BITS); break;
    case TAPE_POW: arb_poly_pow_series(r, a, b, n, BITS); break;
    case TAPE_SIN: arb_poly_sin_series(r, a, n, BITS); break;
    case TAPE_COS: arb_poly_cos_series(r, a, n, BITS); break;
    case TAPE_TAN: arb_poly_tan_series(r, a, n, BITS); break;
    case TAPE_ASIN: arb_poly_asin_series(r, a, n, BITS); break;
    case TAPE_ACOS: arb_poly_acos_series(r, a, n, BITS); break;
    case TAPE_ATAN: arb_poly_atan_series(r, a, n, BITS); break;
    case TAPE_ATAN2:
        arb_poly_div_series(h, a, b, n, BITS);
        arb_poly_atan_series(r, h, n, BITS);
        break;
    case TAPE_SINH: arb_poly_sinh_series(r, a, n, BITS); break;
    case TAPE_COSH: arb_poly_cosh_series(r, a, n, BITS); break;
    case TAPE_TANH: // sinh/cosh
        arb_poly_sinh_cosh_series(r, h, a, n, BITS);
        arb_poly_div_series(r, r, h, n, BITS);
        break;
    case TAPE_EXP: arb_poly_exp_series(r, a, n, BITS); break;
    case TAPE_LOG: arb_poly_log_series(r, a, n, BITS); break;
    case TAPE_ABS:
        if (arb_is_negative(a->coeffs)) arb_poly_neg(r, a);
        else arb_poly_set(r, a);
        break;
    default: fail_msg("no series of %s", tape_operation_name(op));
    }
    arb_poly_clear(h);
}

static double coefficient_of(const arb_poly_t a, slong k) {
    return k < arb_poly_length(a) ? ball_middle(arb_poly_get_coeff_ptr(a, k)) : 0;
}

static void set_input(arb_poly_t r, const double *value, slong stride, slong count) {
    arb_t c;
    arb_init(c);
    for (slong k = 0; k < count; k++) {
        arb_set_d(c, value[k * stride]);
        arb_poly_set_coeff_arb(r, k, c);
    }
    arb_clear(c);
}

// The value of the expression that an output was made from, in doubles and not by code.
static double value_of(pool *p, expr e, const expr *state, expr t, expr parameter, const double *at,
                       double now, double a) {
    double *symbol = calloc(pool_symbol_count(p), sizeof *symbol);
    for (int i = 0; i < STATES; i++) symbol[expr_symbol_index(p, state[i])] = at[i];
    symbol[expr_symbol_index(p, t)] = now, symbol[expr_symbol_index(p, parameter)] = a;
    const double value = expr_value(p, e, symbol);
    free(symbol);
    return value;
}

static void compare(const tape *g, const double *curve, double parameter, int which) {
    const double time[] = {0.3, 1};
    const uint32_t registers = tape_register_count(g), leaves = g->input_count + g->constant_count;
    arb_poly_t *value = malloc(sizeof *value * registers);
    double largest = 1;
    for (uint32_t i = 0; i < registers; i++) arb_poly_init(value[i]);
    for (uint32_t i = 0; i < STATES; i++) set_input(value[i], curve + i, STATES, ORDER + 1);
    set_input(value[STATES], time, 1, 2);
    set_input(value[STATES + 1], &parameter, 1, 1);
    for (uint32_t i = 0; i < g->constant_count; i++) {
        const double constant = tape_constant(g, i).part[0];
        set_input(value[g->input_count + i], &constant, 1, 1);
    }
    for (uint32_t i = 0; i < g->step_count; i++) {
        arb_step(value[leaves + i], value[g->step[i].a], value[g->step[i].b], g->step[i].operation);
        for (slong k = 0; k <= ORDER; k++)
            largest = fmax(largest, fabs(coefficient_of(value[leaves + i], k)));
    }
    long double *out = malloc(sizeof *out * (ORDER + 1) * g->output_count),
                along[STATES * (ORDER + 1)];
    for (uint32_t i = 0; i < STATES * (ORDER + 1); i++) along[i] = curve[i];
    jets_long *j = jets_long_beside(g, false, &parameter);
    assert_true(jets_long_along(j, time[0], along, ORDER, out));
    for (uint32_t i = 0; i < g->output_count; i++)
        for (slong k = 0; k <= ORDER; k++) {
            const double expected = coefficient_of(value[g->output[i]], k),
                         found = (double)out[k * g->output_count + i];
            if (!(fabs(found - expected) <= ROUNDING * largest))
                fail_msg("tape %d, coefficient %ld of output %u: %.17g, not %.17g", which, (long)k,
                         i, found, expected);
        }
    jets_long_free(j);
    free(out);
    for (uint32_t i = 0; i < registers; i++) arb_poly_clear(value[i]);
    free(value);
}

static void every_coefficient_of_random_code_is_that_of_arbs_power_series(void **unused) {
    (void)unused;
    for (int which = 0; which < TAPES; which++) {
        maker m = {.w = world_open(), .random = 20260101 + (uint64_t)which};
        pool *p = m.w.p;
        for (int i = 0; i < STATES; i++) m.state[i] = expr_symbol(p, "z", ROLE_COORDINATE);
        m.t = expr_symbol(p, "t", ROLE_TIME), m.parameter = expr_symbol(p, "a", ROLE_PARAMETER);
        expr have[STATES + 2 + NODES] = {m.state[0], m.state[1], m.state[2], m.t, m.parameter};
        for (int i = 0; i < NODES; i++)
            have[STATES + 2 + i] = make_node(&m, have, (uint32_t)(STATES + 2 + i));
        tape *g = tape_create(p, STATES, m.state, m.t, 1, &m.parameter, NODES, have + STATES + 2);
        double curve[STATES * (ORDER + 1)], size = 1;
        for (int k = 0; k <= ORDER; k++, size *= 0.5)
            for (int i = 0; i < STATES; i++)
                curve[k * STATES + i] = size * random_between(&m.random, -1, 1);
        const double a = random_between(&m.random, 0.5, 2);
        compare(g, curve, a, which);
        long double first[NODES], start[STATES]; // the code says what the expressions say
        for (int i = 0; i < STATES; i++) start[i] = curve[i];
        jets_long *j = jets_long_beside(g, false, &a);
        assert_true(jets_long_along(j, 0.3, start, 0, first));
        for (int i = 0; i < NODES; i++) {
            const double wanted =
                value_of(p, have[STATES + 2 + i], m.state, m.t, m.parameter, curve, 0.3, a);
            if (!(fabs((double)first[i] - wanted) <= ROUNDING * (1 + fabs(wanted))))
                fail_msg("tape %d: output %d is %.17g, not %.17g", which, i, (double)first[i],
                         wanted);
        }
        jets_long_free(j);
        tape_free(g);
        world_close(&m.w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_coefficient_of_random_code_is_that_of_arbs_power_series),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
