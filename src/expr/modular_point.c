// Random points for values in F_p: primes that nobody can choose, and how angles are taken apart.
#include "expr/program.h"

#include "expr/pool_internal.h"

#include <flint/ulong_extras.h>

enum { MOST_TURN = 1 << 16 };

// p = 3 mod 4, so that -1 is no square, and 2*turn divides p + 1, the
// number of points on the circle.
modular_point modular_point_random(modular_angles angles, uint64_t *state) {
    const mp_limb_t step = 4 * (angles.turn ? angles.turn : 1);
    mp_limb_t p;
    do {
        p = ((1ull << 61) + (random_next(state) >> 3)) / step * step + step - 1;
    } while (p >> 62 || !n_is_prime(p));
    return (modular_point){.prime = p, .seed = random_next(state), .angles = angles};
}

// Does the function take an angle (or an exponent) apart?
static bool splits_argument(expr_kind kind) {
    return (kind >= EXPR_SIN && kind <= EXPR_TAN) || (kind >= EXPR_SINH && kind <= EXPR_EXP);
}

// The denominators of the coefficients in one argument; those of pi also for themselves.
static void note_argument(const pool *p, expr argument, fmpz_t all, fmpz_t of_pi) {
    if (expr_is_number(p, argument)) fmpz_lcm(all, all, fmpq_denref(number_at(p, argument)));
    if (expr_kind_of(p, argument) != EXPR_SUM) return;
    for (uint32_t j = 0; j < expr_operand_count(p, argument); j += j ? 2 : 1) {
        const fmpz *d = fmpq_denref(number_at(p, expr_operand(p, argument, j)));
        fmpz_lcm(all, all, d);
        if (j && expr_kind_of(p, expr_operand(p, argument, j + 1)) == EXPR_PI)
            fmpz_lcm(of_pi, of_pi, d);
    }
}

// The least common denominator of the rational coefficients inside arguments of
// sin, cos, tan, exp, sinh ...
modular_angles modular_angles_of(const pool *p) {
    fmpz_t all, of_pi;
    fmpz_init_set_ui(all, 1), fmpz_init_set_ui(of_pi, 1);
    for (expr e = 0; e < pool_size(p); e++)
        if (splits_argument(expr_kind_of(p, e)))
            note_argument(p, expr_operand(p, e, 0), all, of_pi);
    modular_angles angles = {0};
    if (fmpz_abs_fits_ui(all)) {
        angles.denominator = fmpz_get_ui(all);
        angles.turn = fmpz_cmp_ui(of_pi, MOST_TURN) > 0 ? 0 : fmpz_get_ui(of_pi);
    }
    fmpz_clear(all), fmpz_clear(of_pi);
    return angles;
}
