// Values over F_p[e1 .. er], e_i^2 = 0 (see nilpotent.h).
//
// A function of an element follows from its halves u = a + e b, e the last of the e_i:
//     f(a + e b) = f(a) + e f'(a) b,
// so that f(u) grows from its value at the point, half by half.
#include "expr/nilpotent.h"

#include "expr/node_position.h"

#include <flint/nmod_vec.h>
#include <string.h>

struct nilpotent {
    program *prog; // every node below the expressions and their partners is an output
    uint32_t count, products;
    uint32_t *output;  // positions of the expressions
    bool *moves;       // by position: holds a variable, and an expression needs it
    uint32_t *element; // by position: where its coefficients stand; of variables, which one it is
    uint32_t moving;
    // by operand: the position of what else is needed of it at the point: cos beside sin, the power
    // of a factor that is no whole one
    uint32_t *partner;
    mp_limb_t *base; // by position: the value at the point
    nmod_t mod;
};

// --- arithmetic ----------------------------------------------------------------------------------

// out[S] = sum over T in S of a[T] b[S - T]; a and b are smaller than 2^62, so that 16 products fit
// into two words
static void multiply(nmod_t mod, uint32_t r, const mp_limb_t *a, const mp_limb_t *b,
                     mp_limb_t *out) {
    for (uint32_t S = 0; S < 1u << r; S++) {
        mp_limb_t high = 0, low = 0, product_high, product_low;
        uint32_t terms = 0;
        for (uint32_t T = S;; T = (T - 1) & S) {
            umul_ppmm(product_high, product_low, a[T], b[S ^ T]);
            add_ssaaaa(high, low, high, low, product_high, product_low);
            if (!T) break;
            if (++terms % 8 == 0) {
                NMOD2_RED2(low, high, low, mod);
                high = 0;
            }
        }
        NMOD2_RED2(out[S], high, low, mod);
    }
}

static void scale(nmod_t mod, uint32_t r, mp_limb_t factor, mp_limb_t *x) {
    for (uint32_t i = 0; i < 1u << r; i++) x[i] = nmod_mul(factor, x[i], mod);
}

// 1/(a + e b) = 1/a - e b/a^2
static modular_status invert(nmod_t mod, uint32_t r, const mp_limb_t *u, mp_limb_t *out) {
    mp_limb_t square[1 << MOST_NILPOTENT];
    if (!u[0]) return MODULAR_RETRY;
    out[0] = nmod_inv(u[0], mod);
    for (uint32_t k = 0; k < r; k++) {
        const uint32_t h = 1u << k;
        multiply(mod, k, out, out, square);
        multiply(mod, k, square, u + h, out + h);
        scale(mod, k, mod.n - 1, out + h);
    }
    return MODULAR_OK;
}

// (a + e b)^c = a^c + e c a^c b/a; `power` is that of the first coefficient
static modular_status power(nmod_t mod, uint32_t r, const mp_limb_t *u, mp_limb_t c,
                            mp_limb_t power, mp_limb_t *out) {
    mp_limb_t inverse[1 << MOST_NILPOTENT], slope[1 << MOST_NILPOTENT];
    const modular_status status = invert(mod, r, u, inverse);
    out[0] = power;
    for (uint32_t k = 0; k < r && !status; k++) {
        const uint32_t h = 1u << k;
        multiply(mod, k, out, inverse, slope);
        scale(mod, k, c, slope);
        multiply(mod, k, slope, u + h, out + h);
    }
    return status;
}

// sin(a + e b) = sin a + e cos(a) b, cos(a + e b) = cos a - e sin(a) b: both, from their values; of
// sinh and cosh with the other sign
static void circular(nmod_t mod, uint32_t r, const mp_limb_t *u, bool hyperbolic, mp_limb_t *s,
                     mp_limb_t *c) {
    for (uint32_t k = 0; k < r; k++) {
        const uint32_t h = 1u << k;
        multiply(mod, k, c, u + h, s + h);
        multiply(mod, k, s, u + h, c + h);
        if (!hyperbolic) scale(mod, k, mod.n - 1, c + h);
    }
}

// tan(a + e b) = tan a + e (1 + tan(a)^2) b; of tanh with the other sign
static void tangent(nmod_t mod, uint32_t r, const mp_limb_t *u, bool hyperbolic, mp_limb_t *out) {
    mp_limb_t slope[1 << MOST_NILPOTENT];
    for (uint32_t k = 0; k < r; k++) {
        multiply(mod, k, out, out, slope);
        if (hyperbolic) scale(mod, k, mod.n - 1, slope);
        slope[0] = nmod_add(slope[0], 1, mod);
        multiply(mod, k, slope, u + (1u << k), out + (1u << k));
    }
}

// exp(a + e b) = exp a + e exp(a) b
static void exponential(nmod_t mod, uint32_t r, const mp_limb_t *u, mp_limb_t *out) {
    for (uint32_t k = 0; k < r; k++) multiply(mod, k, out, u + (1u << k), out + (1u << k));
}

// --- what is computed ----------------------------------------------------------------------------

static bool is_whole(const pool *p, const instruction *c, uint32_t j) {
    int64_t power;
    return expr_is_integer(p, expr_operand(p, c->node, j + 1), &power);
}

// The node whose value at the point is needed beside operand j; EXPR_NONE: none
static expr partner_of(pool *p, const instruction *c, uint32_t j) {
    const expr argument = c->count ? expr_operand(p, c->node, j) : EXPR_NONE;
    if (c->kind == EXPR_SIN) return expr_function(p, EXPR_COS, &argument);
    if (c->kind == EXPR_COS) return expr_function(p, EXPR_SIN, &argument);
    if (c->kind == EXPR_SINH) return expr_function(p, EXPR_COSH, &argument);
    if (c->kind == EXPR_COSH) return expr_function(p, EXPR_SINH, &argument);
    if (c->kind == EXPR_PRODUCT && j % 2 == 0 && !is_whole(p, c, j))
        return expr_pow(p, argument, expr_operand(p, c->node, j + 1));
    return EXPR_NONE;
}

static bool has_rule(expr_kind kind) {
    return kind == EXPR_SYMBOL || kind == EXPR_SUM || kind == EXPR_PRODUCT ||
           (kind >= EXPR_SIN && kind <= EXPR_TAN) || (kind >= EXPR_SINH && kind <= EXPR_EXP);
}

// The expressions and the partners below them; the caller frees them.
static expr *with_partners(pool *p, uint32_t count, const expr *e, uint32_t *all) {
    program *prog = program_create(p, count, e);
    uint32_t operands = 0;
    for (uint32_t i = 0; i < prog->length; i++) operands += prog->code[i].count;
    expr *roots = memory_array(expr, count + operands);
    memcpy(roots, e, sizeof *e * count);
    *all = count;
    for (uint32_t i = 0; i < prog->length; i++)
        for (uint32_t j = 0; j < prog->code[i].count; j++) {
            const expr partner = partner_of(p, &prog->code[i], j);
            if (partner != EXPR_NONE) roots[(*all)++] = partner;
        }
    program_free(prog);
    return roots;
}

// Which positions move, and whether each of them has a rule. `node`: all of the program's, in index
// order
static bool plan(nilpotent *n, pool *p, const expr *node, uint32_t variables,
                 const expr *variable) {
    const program *prog = n->prog;
    bool *needed = memory_zeros(bool, prog->length), known = true;
    for (uint32_t i = 0; i < n->count; i++) needed[n->output[i]] = true;
    for (uint32_t i = prog->length; i-- > 0;)
        for (uint32_t j = 0; j < prog->code[i].count && needed[i]; j++)
            needed[prog->operands[prog->code[i].first + j]] = true;
    for (uint32_t i = 0; i < prog->length; i++) {
        const instruction *c = &prog->code[i];
        for (uint32_t j = 0; j < variables && c->kind == EXPR_SYMBOL; j++)
            if (variable[j] == c->node) n->moves[i] = true, n->element[i] = j;
        for (uint32_t j = 0; j < c->count && needed[i]; j++)
            n->moves[i] = n->moves[i] || n->moves[prog->operands[c->first + j]];
        if (!n->moves[i]) continue;
        known = known && has_rule(c->kind);
        if (c->kind == EXPR_SYMBOL) continue;
        n->element[i] = n->moving++;
        n->products += c->kind == EXPR_PRODUCT ? c->count : c->kind == EXPR_SUM ? 0 : 2;
        for (uint32_t j = 0; j < c->count && known; j++) {
            const expr partner = partner_of(p, c, j);
            if (partner == EXPR_NONE) continue;
            n->partner[c->first + j] = prog->outputs[node_position(node, prog->length, partner)];
        }
    }
    memory_free(needed);
    return known;
}

nilpotent *nilpotent_create(pool *p, uint32_t count, const expr *e, uint32_t variables,
                            const expr *variable) {
    uint32_t roots, nodes, operands = 0;
    expr *root = with_partners(p, count, e, &roots);
    expr *node = expr_reachable(p, roots, root, &nodes);
    nilpotent *n = memory_new(nilpotent);
    *n = (nilpotent){.prog = program_create(p, nodes, node), .count = count};
    for (uint32_t i = 0; i < n->prog->length; i++) operands += n->prog->code[i].count;
    n->output = memory_array(uint32_t, count);
    n->moves = memory_zeros(bool, n->prog->length);
    n->element = memory_zeros(uint32_t, n->prog->length);
    n->partner = memory_zeros(uint32_t, operands);
    n->base = memory_zeros(mp_limb_t, n->prog->length);
    for (uint32_t i = 0; i < count; i++)
        n->output[i] = n->prog->outputs[node_position(node, nodes, e[i])];
    const bool known = plan(n, p, node, variables, variable);
    memory_free(root);
    memory_free(node);
    if (known) return n;
    nilpotent_free(n);
    return NULL;
}

void nilpotent_free(nilpotent *n) {
    if (!n) return;
    program_free(n->prog);
    memory_free(n->output);
    memory_free(n->moves);
    memory_free(n->element);
    memory_free(n->partner);
    memory_free(n->base);
    memory_free(n);
}

uint32_t nilpotent_products(const nilpotent *n) { return n->products; }

modular_status nilpotent_set(nilpotent *n, const modular_point *at, const mp_limb_t *symbols) {
    mp_limb_t *value = memory_array(mp_limb_t, n->prog->output_count);
    const modular_status status = program_run_modular(n->prog, at, symbols, value);
    for (uint32_t i = 0; i < n->prog->output_count && !status; i++)
        n->base[n->prog->outputs[i]] = value[i];
    nmod_init(&n->mod, at->prime);
    memory_free(value);
    return status;
}

// --- the run -------------------------------------------------------------------------------------

typedef struct {
    const nilpotent *n;
    uint32_t r;
    const mp_limb_t *x;
    mp_limb_t *value; // by element
    modular_status status;
} machine;

static const mp_limb_t *element_at(const machine *m, uint32_t position) {
    const bool is_variable = m->n->prog->code[position].kind == EXPR_SYMBOL;
    return (is_variable ? m->x : m->value) + ((size_t)m->n->element[position] << m->r);
}

static void add_terms(const machine *m, const instruction *c, mp_limb_t *out) {
    const nilpotent *n = m->n;
    const uint32_t *operand = n->prog->operands + c->first, size = 1u << m->r;
    out[0] = n->base[operand[0]];
    for (uint32_t j = 1; j < c->count; j += 2) {
        const mp_limb_t factor = n->base[operand[j]];
        if (!n->moves[operand[j + 1]]) {
            out[0] = nmod_add(out[0], nmod_mul(factor, n->base[operand[j + 1]], n->mod), n->mod);
            continue;
        }
        const mp_limb_t *term = element_at(m, operand[j + 1]);
        for (uint32_t i = 0; i < size; i++)
            out[i] = nmod_add(out[i], nmod_mul(factor, term[i], n->mod), n->mod);
    }
}

// b^e at the point, factor j of a product; a whole power that divides by 0 has been refused there
static mp_limb_t power_at_point(const nilpotent *n, const instruction *c, uint32_t j) {
    const uint32_t *operand = n->prog->operands + c->first;
    const mp_limb_t b = n->base[operand[j]];
    int64_t e;
    if (!expr_is_integer(n->prog->pool, n->prog->code[operand[j + 1]].node, &e))
        return n->base[n->partner[c->first + j]];
    return e < 0 ? nmod_pow_ui(nmod_inv(b, n->mod), -(mp_limb_t)e, n->mod)
                 : nmod_pow_ui(b, (mp_limb_t)e, n->mod);
}

// b^e with b that moves
static void raise_factor(machine *m, const instruction *c, uint32_t j, mp_limb_t *out) {
    const nilpotent *n = m->n;
    const uint32_t *operand = n->prog->operands + c->first;
    const expr exponent = n->prog->code[operand[j + 1]].node;
    const mp_limb_t *b = element_at(m, operand[j]);
    int64_t e = 0;
    const bool whole = expr_is_integer(n->prog->pool, exponent, &e);
    if (whole && e == 1) memcpy(out, b, sizeof *b << m->r);
    else if (whole && e == 2) multiply(n->mod, m->r, b, b, out);
    else if (whole && e == -1) m->status = invert(n->mod, m->r, b, out);
    else m->status = power(n->mod, m->r, b, n->base[operand[j + 1]], power_at_point(n, c, j), out);
}

static void multiply_factors(machine *m, const instruction *c, mp_limb_t *out) {
    const nilpotent *n = m->n;
    const uint32_t *operand = n->prog->operands + c->first;
    mp_limb_t factor[1 << MOST_NILPOTENT], product[1 << MOST_NILPOTENT], constant = 1;
    bool first = true;
    for (uint32_t j = 0; j < c->count && !m->status; j += 2) {
        if (!n->moves[operand[j]]) {
            constant = nmod_mul(constant, power_at_point(n, c, j), n->mod);
            continue;
        }
        raise_factor(m, c, j, first ? out : factor);
        if (!first && !m->status) {
            multiply(n->mod, m->r, out, factor, product);
            memcpy(out, product, sizeof *out << m->r);
        }
        first = false;
    }
    if (constant != 1) scale(n->mod, m->r, constant, out);
}

static void step(machine *m, uint32_t position, mp_limb_t *out) {
    const nilpotent *n = m->n;
    const instruction *c = &n->prog->code[position];
    mp_limb_t other[1 << MOST_NILPOTENT];
    const mp_limb_t *argument =
        c->kind == EXPR_SUM ? NULL : element_at(m, n->prog->operands[c->first]);
    out[0] = n->base[position];
    other[0] = n->base[n->partner[c->first]];
    switch (c->kind) {
    case EXPR_SUM: add_terms(m, c, out); break;
    case EXPR_PRODUCT: multiply_factors(m, c, out); break;
    case EXPR_SIN: circular(n->mod, m->r, argument, false, out, other); break;
    case EXPR_COS: circular(n->mod, m->r, argument, false, other, out); break;
    case EXPR_SINH: circular(n->mod, m->r, argument, true, out, other); break;
    case EXPR_COSH: circular(n->mod, m->r, argument, true, other, out); break;
    case EXPR_TAN:
    case EXPR_TANH: tangent(n->mod, m->r, argument, c->kind == EXPR_TANH, out); break;
    default: exponential(n->mod, m->r, argument, out);
    }
}

modular_status nilpotent_run(nilpotent *n, uint32_t r, const mp_limb_t *x, mp_limb_t *out) {
    machine m = {.n = n, .r = r, .x = x};
    m.value = memory_zeros(mp_limb_t, (size_t)n->moving << r);
    for (uint32_t i = 0; i < n->prog->length && !m.status; i++)
        if (n->moves[i] && n->prog->code[i].kind != EXPR_SYMBOL)
            step(&m, i, m.value + ((size_t)n->element[i] << r));
    memset(out, 0, (sizeof *out << r) * n->count);
    for (uint32_t i = 0; i < n->count && !m.status; i++) {
        const uint32_t at = n->output[i];
        if (n->moves[at]) memcpy(out + ((size_t)i << r), element_at(&m, at), sizeof *out << r);
        else out[(size_t)i << r] = n->base[at];
    }
    memory_free(m.value);
    return m.status;
}
