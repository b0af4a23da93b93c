// Programs over F_p at a random point (see program.h). Sound for identity testing: only the algebra
// of these functions can make an expression vanish at random points, and then it vanishes for real
// values of the symbols, too.
#include "expr/program.h"

#include "expr/pool_internal.h"

#include <assert.h>
#include <flint/nmod_vec.h>
#include <flint/ulong_extras.h>

typedef struct {
    const program *prog;
    const modular_point *at;
    nmod_t mod;
    mp_limb_t *value; // by position
    // of all coefficients inside sin, cos, exp ...: atoms are scaled by 1/denominator
    mp_limb_t denominator;
    modular_status status;
} machine;

// A residue that is a random function of (tag, x), the same for the same
// arguments at the same point.
static mp_limb_t oracle(const machine *m, uint64_t tag, mp_limb_t x) {
    uint64_t state = m->at->seed ^ (tag * 0xD1342543DE82EF95u);
    state = random_next(&state) ^ x;
    random_next(&state);
    return random_next(&state) % m->mod.n;
}

static mp_limb_t inverse(machine *m, mp_limb_t x) {
    if (!x) {
        m->status = MODULAR_RETRY;
        return 0;
    }
    return nmod_inv(x, m->mod);
}

// A number that is not zero, but is modulo p, has no place here: another prime is drawn.
static mp_limb_t reduce(machine *m, const fmpq *q) {
    const mp_limb_t n = fmpz_fdiv_ui(fmpq_numref(q), m->mod.n),
                    d = fmpz_fdiv_ui(fmpq_denref(q), m->mod.n);
    if (!n && !fmpq_is_zero(q)) m->status = MODULAR_RETRY;
    return nmod_mul(n, inverse(m, d), m->mod);
}

// --- roots ---------------------------------------------------------------------------------------

// +1 for a nonzero square, which stands for a positive number, -1 for the others; p = 3 mod 4.
static int sign_of(machine *m, mp_limb_t u) {
    if (!u) m->status = MODULAR_RETRY;
    return u ? n_jacobi_unsigned(u, m->mod.n) : 0;
}

// x^(1/q): for even q of a positive x, the root that is positive itself; for odd q the unique root
// when q is prime to p - 1, of any x.
static mp_limb_t root(machine *m, mp_limb_t x, ulong q) {
    mp_limb_t r = x;
    if (!x) return 0;
    if (q % 2 == 0 && sign_of(m, x) != 1) m->status = MODULAR_RETRY;
    // r^((p + 1)/2) = r for squares
    for (; q % 2 == 0; q /= 2) r = nmod_pow_ui(r, (m->mod.n + 1) / 4, m->mod);
    if (q == 1) return r;
    mp_limb_t inverse_exponent;
    if (n_gcdinv(&inverse_exponent, q % (m->mod.n - 1), m->mod.n - 1) != 1) {
        m->status = MODULAR_RETRY;
        return 0;
    }
    return nmod_pow_ui(r, inverse_exponent, m->mod);
}

static mp_limb_t raise_to(machine *m, mp_limb_t base, const fmpq *e) {
    if (!fmpz_abs_fits_ui(fmpq_numref(e)) || !fmpz_abs_fits_ui(fmpq_denref(e))) {
        m->status = MODULAR_UNSUPPORTED;
        return 0;
    }
    const ulong q = fmpz_get_ui(fmpq_denref(e));
    if (q != 1) base = root(m, base, q);
    fmpz_t size;
    fmpz_init(size);
    fmpz_abs(size, fmpq_numref(e));
    const ulong n = fmpz_get_ui(size);
    fmpz_clear(size);
    if (fmpq_sgn(e) < 0) base = inverse(m, base);
    return nmod_pow_ui(base, n, m->mod);
}

// --- circle and hyperbola ------------------------------------------------------------------------

typedef struct {
    mp_limb_t c, s; // c^2 + s^2 = 1, multiplied as c + i s
} circle_point;

static circle_point circle_multiply(const machine *m, circle_point a, circle_point b) {
    return (circle_point){nmod_sub(nmod_mul(a.c, b.c, m->mod), nmod_mul(a.s, b.s, m->mod), m->mod),
                          nmod_add(nmod_mul(a.c, b.s, m->mod), nmod_mul(a.s, b.c, m->mod), m->mod)};
}

static circle_point circle_power(const machine *m, circle_point a, const fmpz_t n) {
    circle_point r = {1, 0};
    if (fmpz_sgn(n) < 0) a.s = nmod_neg(a.s, m->mod);
    for (ulong i = 0; i < fmpz_bits(n); i++) {
        fmpz_t size;
        fmpz_init(size);
        fmpz_abs(size, n);
        if (fmpz_tstbit(size, i)) r = circle_multiply(m, r, a);
        fmpz_clear(size);
        a = circle_multiply(m, a, a);
    }
    return r;
}

// The random point ((1 - u^2)/(1 + u^2), 2u/(1 + u^2)) that stands for the angle atom/denominator.
static circle_point circle_atom(machine *m, uint64_t tag, mp_limb_t atom) {
    const mp_limb_t u = oracle(m, tag, atom), u2 = nmod_mul(u, u, m->mod);
    const mp_limb_t d = inverse(m, nmod_add(1, u2, m->mod));
    return (circle_point){nmod_mul(nmod_sub(1, u2, m->mod), d, m->mod),
                          nmod_mul(nmod_add(u, u, m->mod), d, m->mod)};
}

// A point of the circle of order 2*turn, which stands for the angle pi/turn. The circle
// has p + 1 points, and 2*turn divides that. Any of these points will do as well as any
// other: they are conjugate over Q.
static circle_point circle_fraction(machine *m) {
    const mp_limb_t order = 2 * m->at->angles.turn;
    assert(order);
    n_factor_t primes;
    n_factor_init(&primes);
    n_factor(&primes, order, 1);
    fmpz_t e;
    fmpz_init(e);
    for (mp_limb_t attempt = 0;; attempt++) {
        fmpz_set_ui(e, (m->mod.n + 1) / order);
        const circle_point w = circle_power(m, circle_atom(m, 9, attempt), e);
        bool full = true;
        for (int i = 0; i < primes.num && full; i++) {
            fmpz_set_ui(e, order / primes.p[i]);
            const circle_point z = circle_power(m, w, e);
            full = z.c != 1 || z.s != 0;
        }
        if (!full) continue;
        fmpz_clear(e);
        return w;
    }
}

// n = coefficient * denominator, an integer by the choice of the denominator.
static void scaled_coefficient(machine *m, fmpz_t n, const fmpq *coefficient) {
    fmpz_mul_ui(n, fmpq_numref(coefficient), m->denominator);
    if (!fmpz_divisible(n, fmpq_denref(coefficient))) m->status = MODULAR_UNSUPPORTED;
    fmpz_fdiv_q(n, n, fmpq_denref(coefficient));
}

typedef void atom_visitor(machine *m, mp_limb_t atom, const fmpz_t multiple, bool is_pi,
                          void *result);

// Split an argument into integer multiples of atoms/denominator: the terms of a sum, the
// constant 1, pi, or the whole thing.
static void visit_argument(machine *m, uint32_t position, atom_visitor *visit, void *result) {
    const pool *p = m->prog->pool;
    const instruction *c = &m->prog->code[position];
    fmpz_t n;
    fmpz_init(n);
    if (c->kind == EXPR_SUM) {
        scaled_coefficient(m, n, number_at(p, expr_operand(p, c->node, 0)));
        if (!fmpz_is_zero(n)) visit(m, 1, n, false, result);
        for (uint32_t j = 1; j < c->count; j += 2) {
            const uint32_t term = m->prog->operands[c->first + j + 1];
            scaled_coefficient(m, n, number_at(p, expr_operand(p, c->node, j)));
            visit(m, m->value[term], n, m->prog->code[term].kind == EXPR_PI, result);
        }
    } else if (c->kind == EXPR_NUMBER) {
        scaled_coefficient(m, n, number_at(p, c->node));
        visit(m, 1, n, false, result);
    } else {
        fmpz_set_ui(n, m->denominator);
        visit(m, m->value[position], n, c->kind == EXPR_PI, result);
    }
    fmpz_clear(n);
}

// A multiple of an atom that is too large to be taken apart is an atom of its own: its
// value, and the sign as multiple.
static bool is_own_atom(const machine *m, mp_limb_t *atom, fmpz_t multiple) {
    if (fmpz_bits(multiple) <= MOST_MULTIPLE_BITS) return false;
    const int sign = fmpz_sgn(multiple);
    fmpz_abs(multiple, multiple);
    *atom = nmod_mul(*atom, fmpz_fdiv_ui(multiple, m->mod.n), m->mod);
    fmpz_set_si(multiple, sign);
    return true;
}

// multiple*pi/denominator as a multiple of pi/turn
static void visit_pi(machine *m, const fmpz_t multiple, circle_point *r) {
    const mp_limb_t turn = m->at->angles.turn ? m->at->angles.turn : 1;
    fmpz_t parts;
    fmpz_init(parts);
    fmpz_mul_ui(parts, multiple, turn);
    if (!fmpz_divisible_si(parts, (slong)m->denominator)) m->status = MODULAR_UNSUPPORTED;
    fmpz_fdiv_q_ui(parts, parts, m->denominator);
    fmpz_fdiv_r(parts, parts, (fmpz[]){(fmpz)(2 * turn)});
    if (fmpz_equal_ui(parts, turn))
        *r = (circle_point){nmod_neg(r->c, m->mod), nmod_neg(r->s, m->mod)};
    else if (!fmpz_is_zero(parts))
        *r = circle_multiply(m, *r, circle_power(m, circle_fraction(m), parts));
    fmpz_clear(parts);
}

static void visit_circle(machine *m, mp_limb_t atom, const fmpz_t multiple, bool is_pi,
                         void *result) {
    circle_point *r = result;
    if (is_pi) {
        visit_pi(m, multiple, r);
        return;
    }
    fmpz_t n;
    fmpz_init_set(n, multiple);
    const uint64_t tag = is_own_atom(m, &atom, n) ? 7 : 2;
    *r = circle_multiply(m, *r, circle_power(m, circle_atom(m, tag, atom), n));
    fmpz_clear(n);
}

// exp is positive: its base is a square
static void visit_exponential(machine *m, mp_limb_t atom, const fmpz_t multiple, bool is_pi,
                              void *result) {
    (void)is_pi;
    fmpz_t n;
    fmpz_init_set(n, multiple);
    mp_limb_t *r = result, base = oracle(m, is_own_atom(m, &atom, n) ? 8 : 3, atom);
    base = nmod_mul(base, base, m->mod);
    if (fmpz_sgn(n) < 0) base = inverse(m, base), fmpz_neg(n, n);
    *r = nmod_mul(*r, nmod_pow_ui(base, fmpz_get_ui(n), m->mod), m->mod);
    fmpz_clear(n);
}

static mp_limb_t circular(machine *m, expr_kind kind, uint32_t argument) {
    circle_point r = {1, 0};
    visit_argument(m, argument, visit_circle, &r);
    if (kind == EXPR_SIN) return r.s;
    return kind == EXPR_COS ? r.c : nmod_mul(r.s, inverse(m, r.c), m->mod);
}

static mp_limb_t exponential(machine *m, expr_kind kind, uint32_t argument) {
    mp_limb_t e = 1;
    visit_argument(m, argument, visit_exponential, &e);
    if (kind == EXPR_EXP) return e;
    const mp_limb_t back = inverse(m, e), half = inverse(m, 2);
    const mp_limb_t sinh = nmod_mul(half, nmod_sub(e, back, m->mod), m->mod);
    const mp_limb_t cosh = nmod_mul(half, nmod_add(e, back, m->mod), m->mod);
    if (kind == EXPR_SINH) return sinh;
    return kind == EXPR_COSH ? cosh : nmod_mul(sinh, inverse(m, cosh), m->mod);
}

// --- the program ---------------------------------------------------------------------------------

// A random function of the values of all operands.
static mp_limb_t opaque(const machine *m, const instruction *c) {
    mp_limb_t x = oracle(m, 16 + (uint64_t)c->kind, c->payload);
    for (uint32_t j = 0; j < c->count; j++)
        x = oracle(m, 4, x ^ oracle(m, 5 + j, m->value[m->prog->operands[c->first + j]]));
    return x;
}

static mp_limb_t with_sign(machine *m, mp_limb_t of, mp_limb_t value) {
    return sign_of(m, of) < 0 ? nmod_neg(value, m->mod) : value;
}

static mp_limb_t step(machine *m, const instruction *c, const mp_limb_t *symbols) {
    const uint32_t *operand = m->prog->operands + c->first;
    mp_limb_t v;
    switch (c->kind) {
    case EXPR_NUMBER: return reduce(m, number_at(m->prog->pool, c->node));
    case EXPR_SYMBOL: return symbols[c->payload];
    case EXPR_SUM:
        v = m->value[operand[0]];
        for (uint32_t j = 1; j < c->count; j += 2)
            v = nmod_add(v, nmod_mul(m->value[operand[j]], m->value[operand[j + 1]], m->mod),
                         m->mod);
        return v;
    case EXPR_PRODUCT:
        v = 1;
        for (uint32_t j = 0; j < c->count; j += 2)
            v = nmod_mul(v,
                         raise_to(m, m->value[operand[j]],
                                  number_at(m->prog->pool, m->prog->code[operand[j + 1]].node)),
                         m->mod);
        return v;
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TAN: return circular(m, c->kind, operand[0]);
    case EXPR_EXP:
    case EXPR_SINH:
    case EXPR_COSH:
    case EXPR_TANH: return exponential(m, c->kind, operand[0]);
    case EXPR_SIGN: return with_sign(m, m->value[operand[0]], 1);
    case EXPR_ABS: return with_sign(m, m->value[operand[0]], m->value[operand[0]]);
    default: return opaque(m, c);
    }
}

static machine machine_at(const program *prog, const modular_point *at) {
    machine m = {
        .prog = prog, .at = at, .denominator = at->angles.denominator, .status = MODULAR_OK};
    nmod_init(&m.mod, at->prime);
    m.value = memory_array(mp_limb_t, prog->length);
    return m;
}

static void run(machine *m, const mp_limb_t *symbols, mp_limb_t *out) {
    const program *prog = m->prog;
    for (uint32_t i = 0; i < prog->length && m->status == MODULAR_OK; i++)
        m->value[i] = step(m, &prog->code[i], symbols);
    for (uint32_t i = 0; i < prog->output_count && m->status == MODULAR_OK; i++)
        out[i] = m->value[prog->outputs[i]];
}

modular_status program_run_modular(const program *prog, const modular_point *at,
                                   const mp_limb_t *symbols, mp_limb_t *out) {
    machine m = machine_at(prog, at);
    run(&m, symbols, out);
    memory_free(m.value);
    return m.status;
}

// --- the same with one symbol after the other changed --------------------------------------------

// Is the value of the instruction another one, now that the symbol has changed?
static bool is_changed(const program *prog, const instruction *c, uint32_t symbol,
                       const bool *changed) {
    if (c->kind == EXPR_SYMBOL) return c->payload == symbol;
    for (uint32_t j = 0; j < c->count; j++)
        if (changed[prog->operands[c->first + j]]) return true;
    return false;
}

static bool is_among(uint32_t count, const uint32_t *symbol, uint32_t index) {
    for (uint32_t i = 0; i < count; i++)
        if (symbol[i] == index) return true;
    return false;
}

// The positions that hold any of the symbols, in order; the caller frees them
static uint32_t *positions_with(const program *prog, uint32_t count, const uint32_t *symbol,
                                uint32_t *found) {
    uint32_t *list = memory_array(uint32_t, prog->length);
    bool *holds = memory_zeros(bool, prog->length);
    *found = 0;
    for (uint32_t i = 0; i < prog->length; i++) {
        const instruction *c = &prog->code[i];
        holds[i] = c->kind == EXPR_SYMBOL ? is_among(count, symbol, c->payload)
                                          : is_changed(prog, c, EXPR_NONE, holds);
        if (holds[i]) list[(*found)++] = i;
    }
    memory_free(holds);
    return list;
}

modular_status program_probe_modular(const program *prog, const modular_point *at,
                                     mp_limb_t *symbols, uint32_t count, const uint32_t *symbol,
                                     mp_limb_t *out) {
    machine m = machine_at(prog, at);
    uint32_t found;
    uint32_t *list = positions_with(prog, count, symbol, &found);
    mp_limb_t *base = memory_array(mp_limb_t, found);
    bool *changed = memory_zeros(bool, prog->length);
    for (uint32_t i = 0; i < count; i++) symbols[symbol[i]] = 0;
    run(&m, symbols, out);
    for (uint32_t i = 0; i < found && m.status == MODULAR_OK; i++) base[i] = m.value[list[i]];
    for (uint32_t s = 0; s < count && m.status == MODULAR_OK; s++) {
        out += prog->output_count;
        symbols[symbol[s]] = 1;
        for (uint32_t i = 0; i < found && m.status == MODULAR_OK; i++) {
            const instruction *c = &prog->code[list[i]];
            changed[list[i]] = is_changed(prog, c, symbol[s], changed);
            if (changed[list[i]]) m.value[list[i]] = step(&m, c, symbols);
        }
        symbols[symbol[s]] = 0;
        for (uint32_t i = 0; i < prog->output_count && m.status == MODULAR_OK; i++)
            out[i] = m.value[prog->outputs[i]];
        for (uint32_t i = 0; i < found; i++) m.value[list[i]] = base[i], changed[list[i]] = false;
    }
    memory_free(m.value);
    memory_free(list);
    memory_free(base);
    memory_free(changed);
    return m.status;
}
