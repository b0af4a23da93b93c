// Signs and branches at random. In F_p sqrt(u) is the root of u that is a square itself. If u is no
// square in the field of the functions so far, both roots are conjugate and nothing is lost; if u
// may be one, as in sqrt(x^2) = x, the sign is that of something else (here: whether x is a
// square), and a false statement survives a trial with probability 1/2 (of c such choices: 1 -
// 2^-c). That u is no square is seen at a point where it is none while the radicands before it are:
// u = v^2 would be a square wherever v can be computed.
#include "prove/choices.h"

#include <math.h>
#include <string.h>

enum { MOST_ROOTS = 8, MOST_SIGNS = 6, POINTS_FOR_BRANCHES = 40, POINTS_FOR_A_ROOT = 24 };

typedef struct {
    expr radicand[MOST_ROOTS];
    uint32_t count;
    expr signed_one[MOST_SIGNS]; // arguments of abs and sign
    uint32_t signs;
    bool too_many;
} root_list;

static bool is_listed(const root_list *r, expr u) {
    for (uint32_t i = 0; i < r->count; i++)
        if (r->radicand[i] == u) return true;
    return false;
}

// abs(u) and sign(u) hang on one sign.
static void note_sign(expr u, root_list *out) {
    for (uint32_t i = 0; i < out->signs && i < MOST_SIGNS; i++)
        if (out->signed_one[i] == u) return;
    if (out->signs < MOST_SIGNS) out->signed_one[out->signs] = u;
    out->signs++;
}

// Radicands of even roots below the expressions, inner ones first, and the number of abs and sign.
static void list_roots(pool *p, uint32_t count, const expr *e, root_list *out) {
    uint32_t n;
    expr *nodes = expr_reachable(p, count, e, &n);
    for (uint32_t i = 0; i < n; i++) {
        const expr_kind kind = expr_kind_of(p, nodes[i]);
        if (kind == EXPR_ABS || kind == EXPR_SIGN) note_sign(expr_operand(p, nodes[i], 0), out);
        for (uint32_t j = 0; kind == EXPR_PRODUCT && j < expr_operand_count(p, nodes[i]); j += 2) {
            const expr base = expr_operand(p, nodes[i], j);
            const fmpz *q = fmpq_denref(expr_number_value(p, expr_operand(p, nodes[i], j + 1)));
            if (fmpz_is_odd(q) || is_listed(out, base)) continue;
            if (out->count == MOST_ROOTS) out->too_many = true;
            else out->radicand[out->count++] = base;
        }
    }
    memory_free(nodes);
}

static bool holds_acceleration(pool *p, expr e) {
    for (uint32_t i = 0; i < pool_symbol_count(p); i++) {
        const symbol *s = pool_symbol(p, i);
        const bool solved =
            s->role == ROLE_MULTIPLIER || (s->role == ROLE_COORDINATE && s->order > 1);
        if (solved && expr_depends_on(p, e, 1, &s->node)) return true;
    }
    return false;
}

// Is there a point where the last radicand is no square and those before it are?
static bool is_no_square(modular_motion *mod, uint32_t count, const expr *radicand) {
    mp_limb_t value[MOST_ROOTS];
    bool found = false;
    // q'' and lambda are not solved for here
    if (holds_acceleration(mod->system->pool, radicand[count - 1])) return false;
    for (uint32_t i = 0; i < (uint32_t)POINTS_FOR_A_ROOT << count && !found; i++) {
        modular_state x;
        if (modular_state_create(mod, &x) == MODULAR_OK &&
            modular_values(mod, &x, count, radicand, value) == MODULAR_OK) {
            found = value[count - 1] && n_jacobi_unsigned(value[count - 1], x.at.prime) == -1;
            for (uint32_t j = 0; j + 1 < count && found; j++)
                found = value[j] && n_jacobi_unsigned(value[j], x.at.prime) == 1;
        }
        modular_state_free(&x);
    }
    return found;
}

// Branches of constraints that were solved as polynomials and were never seen to be irreducible.
static uint32_t open_branches(modular_motion *mod) {
    uint32_t open = 0;
    for (int i = 0; i < POINTS_FOR_BRANCHES; i++) {
        modular_state x;
        modular_state_create(mod, &x);
        modular_state_free(&x);
        open = 0;
        for (uint32_t j = 0; j < mod->branch_count; j++)
            if (!mod->branch[j].irreducible)
                open += (uint32_t)ceil(log2((double)mod->branch[j].degree));
        if (!open) break;
    }
    return open;
}

uint32_t choices_count(modular_motion *mod, uint32_t count, const expr *e) {
    const mechanics *s = mod->system;
    root_list roots = {0};
    // Off the constraints for the roots of V itself: V(q, eta, t) at q' that are not on them.
    modular_motion loose = *mod;
    loose.v.velocity = s->qd, loose.v.explicit_velocities = true;
    if (mod->v.explicit_velocities) list_roots(s->pool, s->n, mod->v.velocity, &roots);
    const uint32_t in_velocity = roots.count;
    expr *all = memory_array(expr, count + s->n);
    memcpy(all, e, sizeof(expr) * count);
    if (mod->v.explicit_velocities) memcpy(all + count, mod->v.velocity, sizeof(expr) * s->n);
    roots.signs = 0;
    list_roots(s->pool, mod->v.explicit_velocities ? count + s->n : count, all, &roots);
    memory_free(all);
    uint32_t choices = roots.signs + open_branches(mod);
    for (uint32_t i = 0; i < roots.count && !roots.too_many; i++)
        choices += !is_no_square(i < in_velocity ? &loose : mod, i + 1, roots.radicand);
    return roots.too_many || choices > MOST_SIGNS ? UINT32_MAX : choices;
}

double choices_trials(uint32_t choices, double bits) {
    return choices ? ceil(bits / -log2(1 - exp2(-(double)choices))) : 1;
}
