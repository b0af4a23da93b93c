// Claims: brought to residuals that must vanish along a motion, and judged.
#include "derive/deliver.h"
#include "normal/normal.h"
#include "prove/proof_session.h"

#include <string.h>

static arena *arena_of(const proof_session *ps) { return &ps->m->ctx->arena; }

// --- the motion it speaks of --------------------------------------------------------------------

static bool has_options(const named_motion *m, const claim *q) {
    if (m->system->option_count != q->option_count) return false;
    for (uint32_t i = 0; i < q->option_count; i++)
        if (strcmp(m->system->options[i].name, q->options[i].name) != 0 ||
            m->system->options[i].value != q->options[i].value)
            return false;
    return true;
}

// The motion of form f with the options of the claim, derived when first asked for.
static named_motion *motion_of(proof_session *ps, const formalism *f, const claim *q) {
    for (uint32_t i = 0; i < ps->motions_count; i++)
        if (ps->motions[i]->form == f && has_options(ps->motions[i], q)) return ps->motions[i];
    named_motion *made = arena_new(arena_of(ps), named_motion);
    made->form = f;
    made->system = arena_new(arena_of(ps), mechanics);
    *made->system = *ps->system;
    made->system->options = q->options, made->system->option_count = q->option_count;
    made->eq = formalism_derive(f, made->system);
    list_push(ps, motions, made);
    return made;
}

static const char *unknown_option(const proof_session *ps, const formalism *f, const claim *q) {
    for (uint32_t i = 0; i < q->option_count; i++)
        if (!f->option || strcmp(f->option, q->options[i].name) != 0)
            return arena_format(arena_of(ps), "`%s` has no option `%s`%s%s", f->id,
                                q->options[i].name, f->option ? ", it has " : "",
                                f->option ? f->option : "");
    return NULL;
}

static void find_motion(proof_session *ps, prepared_claim *prep) {
    const char *id = prep->claim->mechanics;
    if (!id) return;
    const formalism *f = formalism_find(id); // it is there: see check_mechanics of api/context.c
    const char *refusal = formalism_refusal(f, ps->system);
    if (refusal) prep->trouble = arena_format(arena_of(ps), "`%s` does not apply: %s", id, refusal);
    else prep->trouble = unknown_option(ps, f, prep->claim);
    if (!prep->trouble) prep->motion = motion_of(ps, f, prep->claim);
}

// --- variations ---------------------------------------------------------------------------------

static uint32_t index_of(const mechanics *s, expr coordinate) {
    uint32_t i = 0;
    while (s->q[i] != coordinate) i++;
    return i;
}

// delta(q_i) = sum_s B_is w_s: Chetaev's conditions hold, w is arbitrary.
static expr displacement_of(const proof_session *ps, uint32_t i) {
    const mechanics *s = ps->system;
    return expr_dot(s->pool, s->m, ps->basis.column + i * s->m, ps->paths.displacement);
}

// transpose(q_i) = sum_j (W^-1 E(L))_ij delta(q_j)
static expr transposed_of(const proof_session *ps, const equations *eq, uint32_t i) {
    const mechanics *s = ps->system;
    expr sum = EXPR_ZERO;
    for (uint32_t j = 0; j < s->n; j++)
        sum = expr_add(s->pool, sum,
                       expr_mul(s->pool, eq->transposition[i * s->n + j], displacement_of(ps, j)));
    return sum;
}

static expr with_variations(proof_session *ps, const equations *eq, prepared_claim *prep, expr e) {
    const mechanics *s = ps->system;
    for (uint32_t i = 0; i < ps->m->variations_count && !prep->trouble; i++) {
        const variation *v = &ps->m->variations[i];
        if (!expr_depends_on(s->pool, e, 1, &v->symbol)) continue;
        const bool transposes = expr_as_symbol(s->pool, v->symbol)->role == ROLE_TRANSPOSE;
        if (transposes && !eq->transposition) {
            prep->trouble =
                "transpositional relations belong to a mechanics that has them: `under a-model`";
            return e;
        }
        if (!ps->paths.eq) {
            prep->trouble = "variations are judged for constraints on positions and velocities";
            return e;
        }
        if (!ps->basis.column) ps->basis = basis_create(s);
        const uint32_t at = index_of(s, v->coordinate);
        const expr value = transposes ? transposed_of(ps, eq, at) : displacement_of(ps, at);
        e = expr_replace(s->pool, e, 1, &v->symbol, &value);
        prep->of_every_path |= transposes;
    }
    return e;
}

// --- equations ----------------------------------------------------------------------------------

// Mechanics whose papers write the multiplier as a rate: lambda[c]' means lambda[c].
static expr without_rates(const mechanics *s, expr e) {
    for (uint32_t i = 0; i < s->k; i++) {
        const expr rate = expr_symbol_derivative(s->pool, s->multiplier[i]);
        e = expr_replace(s->pool, e, 1, &rate, &s->multiplier[i]);
    }
    return e;
}

static void prepare_equation(proof_session *ps, prepared_claim *prep) {
    const mechanics *s = ps->system;
    const equations *eq = prep->motion ? prep->motion->eq : ps->reference;
    const expr sides[2] = {prep->claim->left, prep->claim->right};
    for (int i = 0; i < 2; i++) {
        prep->side[i] = quantities_replace(ps, eq, sides[i], &prep->trouble);
        prep->side[i] = with_variations(ps, eq, prep, prep->side[i]);
        if (prep->motion && prep->motion->form->multiplier_is_rate)
            prep->side[i] = without_rates(s, prep->side[i]);
    }
    expr *gap = arena_new(arena_of(ps), expr);
    *gap = expr_sub(s->pool, prep->side[0], prep->side[1]);
    if (expr_order(s->pool, *gap) > (eq->jerk ? 3 : 2) && !prep->trouble)
        prep->trouble = "derivatives beyond q'' cannot be judged";
    prep->residual = gap;
    prep->count = 1;
}

// --- solutions ----------------------------------------------------------------------------------

// Would the substitution put 0 into a denominator?
static bool divides_by_zero(pool *p, uint32_t count, const expr *e, uint32_t pairs,
                            const expr *from, const expr *to) {
    uint32_t n;
    bool found = false;
    expr *base = expr_denominators(p, count, e, &n);
    if (n) expr_substitute(p, pairs, from, to, n, base, base);
    for (uint32_t i = 0; i < n; i++) found |= base[i] == EXPR_ZERO;
    memory_free(base);
    return found;
}

// The m residuals of a form, without multipliers: where it had to take them up (derive/reactive.h),
// its last k rows are solved for them. False if that cannot be done.
static bool rows_without_multipliers(proof_session *ps, const equations *eq, expr *row) {
    const mechanics *s = ps->system;
    const uint32_t m = s->m, k = eq->multiplier_count;
    const normal_budget budget = normal_budget_default();
    for (uint32_t i = 0; i < m && i < eq->unknown_count; i++) row[i] = eq->residual[i].value;
    if (eq->unknown_count == m) return true;
    if (eq->unknown_count != m + k || !k || eq->unknown[m] != eq->multiplier[0]) return false;
    expr *last = arena_array(arena_of(ps), expr, k), *lambda = arena_array(arena_of(ps), expr, k);
    for (uint32_t nu = 0; nu < k; nu++) last[nu] = eq->residual[m + nu].value;
    if (!normal_solve(s->pool, k, last, eq->multiplier, &budget, lambda)) return false;
    expr_substitute(s->pool, k, eq->multiplier, lambda, m, row, row);
    return true;
}

// q -> f(t), with q', q'' and the quasi-velocities, in the residuals and the
// constraints of the classical motion.
static void prepare_solution(proof_session *ps, prepared_claim *prep) {
    const mechanics *s = ps->system;
    const equations *eq = prep->motion ? prep->motion->eq : ps->reference;
    expr *r = arena_array(arena_of(ps), expr, s->m + 2 * s->k + 1);
    if (!rows_without_multipliers(ps, eq, r)) {
        prep->trouble = "a solution is judged by equations without multipliers";
        return;
    }
    pool *pool = s->pool;
    expr *from = arena_array(arena_of(ps), expr, 3 * s->n),
         *to = arena_array(arena_of(ps), expr, 3 * s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        const uint32_t at = index_of(s, prep->claim->solution[i].symbol);
        expr value = prep->claim->solution[i].value;
        for (uint32_t order = 0; order < 3; order++, value = expr_ddt(pool, value)) {
            from[3 * i + order] = expr_symbol_of_order(pool, s->q[at], order);
            to[3 * i + order] = value;
        }
    }
    for (uint32_t i = 0; i < s->m; i++) {
        for (uint32_t j = 0; j < s->m && s->has_quasi; j++) {
            const expr rate[2] = {s->eta[j], expr_symbol_derivative(pool, s->eta[j])},
                       meaning[2] = {s->psi[j], expr_ddt(pool, s->psi[j])};
            r[prep->count] = expr_replace(pool, r[prep->count], 2, rate, meaning);
        }
        prep->count++;
    }
    for (uint32_t i = 0; i < s->k; i++) {
        const constraint *k = &ps->m->constraints[s->constraint[i]];
        r[prep->count++] = s->phi[i];
        if (k->order == 0) r[prep->count++] = k->phi;
    }
    if (divides_by_zero(pool, prep->count, r, 3 * s->n, from, to))
        prep->trouble = "the equations of motion divide by zero along it";
    expr_substitute(pool, 3 * s->n, from, to, prep->count, r, r);
    prep->residual = r;
}

// --- every path ---------------------------------------------------------------------------------

static expr arbitrary(equations *eq, const char *name) {
    const expr symbol = expr_symbol(eq->system->pool, name, ROLE_LOCAL);
    list_push(eq, arbitrary, symbol);
    return symbol;
}

// Every path that obeys the constraints: eta' and the virtual displacements delta q = B w are
// arbitrary.
static void make_paths(proof_session *ps) {
    const mechanics *s = ps->system;
    arena *a = &ps->m->ctx->arena;
    const manifold m = manifold_create(s);
    equations *eq = equations_create(s, "paths");
    expr *value = arena_array(a, expr, s->m), *w = arena_array(a, expr, s->m);
    for (uint32_t i = 0; i < s->m; i++) {
        value[i] = expr_sub(s->pool, m.v.eta_rate[i],
                            arbitrary(eq, arena_format(a, "acceleration %u", i + 1)));
        w[i] = arbitrary(eq, arena_format(a, "displacement %u", i + 1));
    }
    deliver_projected(eq, &m, value);
    eq->recovery = NULL; // a path has no reactions
    ps->paths.eq = eq;
    ps->paths.displacement = w;
}

// --- the whole ----------------------------------------------------------------------------------

void claims_prepare(proof_session *ps) {
    ps->claims = arena_array(arena_of(ps), prepared_claim, ps->m->claims_count);
    if (ps->m->claims_count && !ps->system->h) make_paths(ps), ps->samples.paths = ps->paths.eq;
    for (uint32_t i = 0; i < ps->m->claims_count; i++) {
        prepared_claim *prep = &ps->claims[i];
        *prep = (prepared_claim){.claim = &ps->m->claims[i]};
        find_motion(ps, prep);
        if (prep->trouble) continue;
        if (prep->claim->kind == CLAIM_EQUATION) prepare_equation(ps, prep);
        else if (prep->claim->kind == CLAIM_SOLUTION) prepare_solution(ps, prep);
        else if (!prep->motion)
            prep->trouble =
                "`classical` compares another mechanics: `claim NAME under ID: classical`";
    }
}

static modular_test *test_of(proof_session *ps, const prepared_claim *prep) {
    if (prep->of_every_path) return &ps->paths.test;
    return prep->motion && prep->motion->form->mechanics ? &prep->motion->test : &ps->classical;
}

// A statement that holds whatever the acceleration is no equation of motion.
static bool holds_on_every_path(proof_session *ps, uint32_t count, const expr *e) {
    if (!ps->paths.test.usable) return false;
    modular_test_prepare(&ps->paths.test, count, e);
    return modular_test_run(&ps->paths.test, count, e) == TEST_ZERO;
}

static void judge_residuals(proof_session *ps, const prepared_claim *prep, verdict *v) {
    const bool equation = prep->claim->kind == CLAIM_EQUATION;
    if (equation) v->side[0] = prep->side[0], v->side[1] = prep->side[1];
    statement st = {.count = prep->count, .residual = prep->residual};
    *(equation ? &st.claim : &st.solution) = prep->claim;
    judge_statement(ps, test_of(ps, prep), &st, v);
    if (!equation && v->verdict == VERDICT_PROVED) {
        const bool classical = !prep->motion || !prep->motion->form->mechanics;
        solution_judge(ps, prep->claim, classical, v);
    }
    v->identity = equation && !prep->of_every_path && v->verdict == VERDICT_PROVED &&
                  holds_on_every_path(ps, prep->count, prep->residual);
}

void claims_judge(proof_session *ps) {
    for (uint32_t i = 0; i < ps->m->claims_count; i++) {
        const prepared_claim *prep = &ps->claims[i];
        verdict *v = verdict_begin(ps, "claim", prep->claim->name);
        if (prep->trouble) v->remark = prep->trouble;
        else if (prep->claim->kind == CLAIM_CLASSICAL) judge_form(ps, prep->motion->eq, false, v);
        else judge_residuals(ps, prep, v);
    }
}
