// The energy balance (docs/mathematics.md, section 6), in velocities and in quasi-velocities, and
// which of its contributions vanish. In quasi-velocities, with eta = Z q' + psi, alpha q' + beta =
// 0, (Gamma Theta) = [Z; alpha]^-1, q' = Gamma eta - w, w = Gamma psi + Theta beta, P = the momenta
// along all n quasi-velocities (also the constrained ones) and turning = d/dt [Z; alpha] -
// J_q [Z q' + psi; alpha q' + beta]:
//   d/dt (eta.dL~/d eta - L~)
//     = -dL~/dt - sum_rho P_rho dZ_rho/dt.q'                                      explicit time
//     + w.dL~/dq + sum_rho P_rho (d(psi, beta)_rho/dq.q' - turning_rho.w)         psi and beta
//     + eta.Q*                                                                    forces
//     + sum_nu lambda_nu (dPhi_nu/dq^(p)).Gamma eta                constraints of order p >= 2
// T15 (18) is this without the momenta along the constrained directions, which (17) lost, and with
// a sign of its own; it holds as printed in the stationary case only. To derive it: multiply (17),
// corrected, by eta and use Gamma eta = q' + w, turning_rho.q' = dZ_rho/dt.q' - dz_rho/dq.q'.
#include "derive/frame.h"
#include "derive/manifold.h"
#include "derive/refusal.h"
#include "prove/proof_session.h"

typedef struct {
    const char *name;
    expr part;
} energy_part;

typedef struct {
    const char *name;
    expr gap; // dh/dt less all contributions: zero along the motion
    energy_part parts[6];
    uint32_t part_count;
} energy_balance;

// h = sum q'_i dL/dq'_i - L:  dh/dt = -dL/dt|explicit + sum Q_i q'_i + sum_nu lambda_nu sum_i q'_i
// dPhi_nu/dq'_i (order p >= 2: dPhi_nu/dq^(p)_i).
static energy_balance balance_in_velocities(const mechanics *s) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    expr *momentum = arena_array(a, expr, s->n), *position = arena_array(a, expr, s->n);
    expr_gradient(p, s->lagrangian, s->n, s->qd, momentum);
    expr_gradient(p, s->lagrangian, s->n, s->q, position);
    const expr h = expr_sub(p, expr_dot(p, s->n, s->qd, momentum), s->lagrangian);
    expr explicit_rate =
        expr_sub(p, expr_ddt(p, s->lagrangian), expr_dot(p, s->n, position, s->qd));
    explicit_rate = expr_sub(p, explicit_rate, expr_dot(p, s->n, momentum, s->qdd));
    expr reactions = EXPR_ZERO, servos = EXPR_ZERO;
    for (uint32_t nu = 0; nu < s->k + s->h; nu++) {
        const bool servo = mechanics_is_servo(s, nu);
        const expr *along = (servo ? s->servo : mechanics_slopes(s)) + nu * s->n,
                   power = expr_mul(p, s->multiplier[nu], expr_dot(p, s->n, along, s->qd));
        *(servo ? &servos : &reactions) = expr_add(p, servo ? servos : reactions, power);
    }
    energy_balance b = {.name = "balance", .part_count = 3};
    b.parts[0] = (energy_part){"explicit time", expr_neg(p, explicit_rate)};
    b.parts[1] = (energy_part){"active forces", expr_dot(p, s->n, s->applied, s->qd)};
    b.parts[2] = (energy_part){"reactions of the constraints", reactions};
    if (s->servo) // sum_nu lambda_nu b_nu.q'
        b.parts[b.part_count++] = (energy_part){"reactions of the servo constraints", servos};
    b.gap = expr_ddt(p, h);
    for (uint32_t i = 0; i < b.part_count; i++) b.gap = expr_sub(p, b.gap, b.parts[i].part);
    return b;
}

typedef struct {
    const mechanics *s;
    pool *p;
    arena *arena;
    manifold m;
    frame f;
    expr lagrangian; // L~
    expr *position;  // dL~/dq
    expr *eta_momentum;
    expr *momentum; // P_rho, all n
} quasi_energy;

// the part of d/dt that stays when q' = 0 and eta' = 0
static expr explicit_rate(const quasi_energy *w, expr f) {
    expr *zero = arena_array(w->arena, expr, w->s->n);
    expr rate = expr_replace(w->p, expr_ddt(w->p, f), w->s->n, w->s->qd, zero);
    for (uint32_t i = 0; i < w->s->m; i++)
        rate = expr_replace(w->p, rate, 1, &w->m.v.eta_rate[i], zero);
    return rate;
}

// d/dt of a function of (q, eta, t) at fixed q and eta: all of d/dt less
// the parts through q and eta
static expr explicit_rate_of_lagrangian(const quasi_energy *w) {
    const mechanics *s = w->s;
    expr rate = manifold_rate(&w->m, w->lagrangian);
    rate = expr_sub(w->p, rate, expr_dot(w->p, s->n, w->position, w->m.v.velocity));
    return expr_sub(w->p, rate, expr_dot(w->p, s->m, w->eta_momentum, w->m.v.eta_rate));
}

static quasi_energy quasi_energy_of(const mechanics *s) {
    quasi_energy w = {.s = s,
                      .p = s->pool,
                      .arena = &s->model->ctx->arena,
                      .m = manifold_create(s),
                      .f = frame_create(s)};
    expr *full = arena_array(w.arena, expr, s->n), *column = arena_array(w.arena, expr, s->n);
    w.position = arena_array(w.arena, expr, s->n),
    w.eta_momentum = arena_array(w.arena, expr, s->m),
    w.momentum = arena_array(w.arena, expr, s->n);
    w.lagrangian = manifold_star(&w.m, s->lagrangian);
    manifold_q_gradient(&w.m, s->lagrangian, w.position);
    manifold_eta_gradient(&w.m, s->lagrangian, w.eta_momentum);
    expr_gradient(w.p, s->lagrangian, s->n, s->qd, full);
    for (uint32_t rho = 0; rho < s->n; rho++) {
        for (uint32_t i = 0; i < s->n; i++) column[i] = w.f.inverse[i * s->n + rho];
        w.momentum[rho] = manifold_star(&w.m, expr_dot(w.p, s->n, full, column));
    }
    return w;
}

// The contribution of the offsets from..to: w.dL~/dq + sum_rho P_rho (dz_rho/dq.q' -
// turning_rho.w), w = the columns from..to of the inverse times z
static expr offset_part(const quasi_energy *w, uint32_t from, uint32_t to) {
    const mechanics *s = w->s;
    pool *p = w->p;
    const uint32_t n = s->n;
    expr *shift = arena_array(w->arena, expr, n), *by_position = arena_array(w->arena, expr, n),
         sum;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t rho = from; rho < to; rho++)
            shift[i] =
                expr_add(p, shift[i], expr_mul(p, w->f.inverse[i * n + rho], w->f.offset[rho]));
    sum = expr_dot(p, n, shift, w->position);
    for (uint32_t rho = 0; rho < n; rho++) {
        const expr form = rho < s->m ? s->psi[rho] : s->phi[rho - s->m];
        expr inner = EXPR_ZERO;
        expr_gradient(p, form, n, s->q, by_position);
        for (uint32_t j = 0; j < n; j++) {
            const expr turning = expr_sub(p, manifold_rate(&w->m, w->f.matrix[rho * n + j]),
                                          manifold_star(&w->m, by_position[j]));
            inner = expr_sub(p, inner, expr_mul(p, turning, shift[j]));
        }
        if (rho >= from && rho < to) {
            expr_gradient(p, w->f.offset[rho], n, s->q, by_position);
            inner = expr_add(p, inner, expr_dot(p, n, by_position, w->m.v.velocity));
        }
        sum = expr_add(p, sum, expr_mul(p, w->momentum[rho], inner));
    }
    return sum;
}

// The power of the reactions of constraints of order 2 and higher, which the
// projection on Gamma does not remove
static expr higher_reactions(const quasi_energy *w) {
    const mechanics *s = w->s;
    expr *along = arena_array(w->arena, expr, s->m), power = EXPR_ZERO;
    for (uint32_t nu = s->k; nu < s->k + s->h; nu++) {
        manifold_project(&w->m, mechanics_slopes(s) + nu * s->n, along);
        power = expr_add(w->p, power,
                         expr_mul(w->p, s->multiplier[nu], expr_dot(w->p, s->m, along, s->eta)));
    }
    return power;
}

// h~ = sum eta_s dL~/d eta_s - L~, for linear-affine constraints and quasi-velocities
static energy_balance balance_in_quasi_velocities(const mechanics *s) {
    const quasi_energy w = quasi_energy_of(s);
    pool *p = w.p;
    energy_balance b = {.name = "balance in quasi-velocities", .part_count = 4};
    expr *force = arena_array(w.arena, expr, s->m), *servo = arena_array(w.arena, expr, s->n),
         time_part = expr_neg(p, explicit_rate_of_lagrangian(&w));
    manifold_project(&w.m, s->applied, force);
    for (uint32_t rho = 0; rho < s->n; rho++)
        for (uint32_t j = 0; j < s->n; j++) {
            const expr rate = explicit_rate(&w, w.f.matrix[rho * s->n + j]);
            time_part =
                expr_sub(p, time_part,
                         expr_product(p, 3, (expr[]){w.momentum[rho], rate, w.m.v.velocity[j]}));
        }
    b.parts[0] = (energy_part){"explicit time", time_part};
    b.parts[1] = (energy_part){"psi", offset_part(&w, 0, s->m)};
    b.parts[2] = (energy_part){"beta", offset_part(&w, s->m, s->n)};
    b.parts[3] = (energy_part){"active forces", expr_dot(p, s->m, s->eta, force)};
    for (uint32_t i = 0; i < s->n && s->servo; i++)
        servo[i] = expr_sub(p, s->force[i], s->applied[i]);
    if (s->servo) { // eta.B^T sum_nu lambda_nu b_nu: B^T dPhi_nu/dq' = 0
        expr *along = arena_array(w.arena, expr, s->m);
        manifold_project(&w.m, servo, along);
        b.parts[b.part_count++] =
            (energy_part){"reactions of the servo constraints", expr_dot(p, s->m, s->eta, along)};
    }
    if (s->h)
        b.parts[b.part_count++] =
            (energy_part){"reactions of the constraints of higher order", higher_reactions(&w)};
    const expr h = expr_sub(p, expr_dot(p, s->m, s->eta, w.eta_momentum), w.lagrangian);
    b.gap = manifold_rate(&w.m, h);
    for (uint32_t i = 0; i < b.part_count; i++) b.gap = expr_sub(p, b.gap, b.parts[i].part);
    return b;
}

// --- judged -------------------------------------------------------------------------------------

// Does the expression vanish along the motion? In F_p; where no point can be made there, at real
// states and by certificate. A test that was impossible is not zero.
static test_result test(proof_session *ps, expr e) {
    modular_test *t = &ps->classical;
    modular_test_prepare(t, 1, &e);
    const test_result result = t->usable ? modular_test_run(t, 1, &e) : TEST_IMPOSSIBLE;
    if (result != TEST_IMPOSSIBLE) return result;
    verdict seen = {.side = {EXPR_NONE, EXPR_NONE}}; // what F_p cannot tell, a real state may
    const bool nonzero =
        witness_against(&ps->samples, ps->has_branches ? ps->plain : t->eq, 1, &e, &seen);
    memory_free(seen.witness);
    if (nonzero) return TEST_NONZERO;
    return certificate_of_residuals(ps, 1, &e) ? TEST_ZERO : TEST_IMPOSSIBLE;
}

// Zero for the functions of time that the model gives, if not for all?
static bool vanishes_as_given(proof_session *ps, expr part) {
    expr concrete = part;
    if (!ps->m->givens_count) return false;
    model_concrete(ps->m, false, 1, &part, &concrete);
    return concrete != part && test(ps, concrete) == TEST_ZERO;
}

// Functions that can jump in what makes the energy: sign and atan2, a quotient beside abs or an
// inverse function. The balance speaks of rates, which do not see a jump.
static bool can_jump(const mechanics *s) {
    expr *of = arena_array(&s->model->ctx->arena, expr, s->n + 1);
    of[0] = s->lagrangian;
    for (uint32_t i = 0; i < s->n; i++) of[i + 1] = s->force[i];
    uint32_t count, divisors;
    bool jumps = false, bends = false;
    expr *nodes = expr_reachable(s->pool, s->n + 1, of, &count);
    memory_free(expr_denominators(s->pool, s->n + 1, of, &divisors));
    for (uint32_t i = 0; i < count; i++) {
        const expr_kind kind = expr_kind_of(s->pool, nodes[i]);
        jumps |= kind == EXPR_SIGN || kind == EXPR_ATAN2;
        bends |= kind == EXPR_ABS || kind == EXPR_ATAN || kind == EXPR_ASIN || kind == EXPR_ACOS;
    }
    memory_free(nodes);
    return jumps || (bends && divisors);
}

// An energy balance, and which of its contributions vanish.
static void judge_balance(proof_session *ps, const energy_balance *b) {
    arena *a = &ps->m->ctx->arena;
    verdict *v = verdict_begin(ps, "energy", b->name);
    judge_statement(ps, &ps->classical, &(statement){.count = 1, .residual = &b->gap}, v);
    if (v->verdict != VERDICT_PROVED) return;
    text changes = {0}, open = {0};
    bool given = false;
    for (uint32_t i = 0; i < b->part_count; i++) {
        test_result result = test(ps, b->parts[i].part);
        if (result == TEST_NONZERO && vanishes_as_given(ps, b->parts[i].part))
            result = TEST_ZERO, given = true;
        text *list = result == TEST_NONZERO ? &changes : &open;
        if (result != TEST_ZERO)
            text_format(list, "%s%s", list->length ? ", " : "", b->parts[i].name);
    }
    const char *conserved = arena_format(
        a, "energy is conserved%s%s", given ? ", for the given functions of the model" : "",
        can_jump(ps->system) ? ", where the energies and forces do not jump" : "");
    v->remark = !changes.length && !open.length ? conserved
                : !open.length ? arena_format(a, "energy changes by %s", text_string(&changes))
                : !changes.length
                    ? arena_format(a, "energy may change by %s: whether it does is not known",
                                   text_string(&open))
                    : arena_format(a, "energy changes by %s; whether by %s is not known",
                                   text_string(&changes), text_string(&open));
    text_free(&changes);
    text_free(&open);
}

void energy_balance_judge(proof_session *ps) {
    const energy_balance plain = balance_in_velocities(ps->system);
    judge_balance(ps, &plain);
    if (!ps->system->k && !ps->system->has_quasi) return; // eta = q': the same statement
    if (refusal_unless_linear_frame(ps->system)) return;
    const energy_balance quasi = balance_in_quasi_velocities(ps->system);
    judge_balance(ps, &quasi);
}
