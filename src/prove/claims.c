// Claims: brought to residuals that must vanish along a motion, and judged.
#include "prove/court.h"

#include <stdlib.h>
#include <string.h>

static arena *arena_of(const court *c) { return &c->m->ctx->arena; }

// --- the motion it speaks of ---------------------------------------------------------------------

static bool has_options(const named_motion *m, const claim *q) {
    if (m->system->option_count != q->option_count) return false;
    for (uint32_t i = 0; i < q->option_count; i++)
        if (strcmp(m->system->options[i].name, q->options[i].name) != 0 ||
            m->system->options[i].value != q->options[i].value)
            return false;
    return true;
}

// The motion of form f with the options of the claim, derived when first asked for.
static named_motion *motion_of(court *c, const formalism *f, const claim *q) {
    for (uint32_t i = 0; i < c->motions_count; i++)
        if (c->motions[i]->form == f && has_options(c->motions[i], q)) return c->motions[i];
    named_motion *made = arena_new(arena_of(c), named_motion);
    made->form = f;
    made->system = arena_new(arena_of(c), mechanics);
    *made->system = *c->system;
    made->system->options = q->options, made->system->option_count = q->option_count;
    made->eq = formalism_derive(f, made->system);
    model_push(c, motions, made);
    return made;
}

static const char *unknown_option(const court *c, const formalism *f, const claim *q) {
    for (uint32_t i = 0; i < q->option_count; i++)
        if (!f->option || strcmp(f->option, q->options[i].name) != 0)
            return arena_format(arena_of(c), "`%s` has no option `%s`%s%s", f->id,
                                q->options[i].name, f->option ? ", it has " : "",
                                f->option ? f->option : "");
    return NULL;
}

static void find_motion(court *c, prepared_claim *p) {
    const char *id = p->claim->mechanics;
    if (!id) return;
    const formalism *f = formalism_find(id);
    const char *near = f ? NULL : formalism_nearest(id),
               *refusal = f ? formalism_refusal(f, c->system) : NULL;
    if (!f)
        p->trouble =
            arena_format(arena_of(c), "there is no mechanics `%s`%s%s%s", id,
                         near ? ", did you mean `" : "", near ? near : "", near ? "`?" : "");
    else if (refusal)
        p->trouble = arena_format(arena_of(c), "`%s` does not apply: %s", id, refusal);
    else p->trouble = unknown_option(c, f, p->claim);
    if (!p->trouble) p->motion = motion_of(c, f, p->claim);
}

// --- variations ----------------------------------------------------------------------------------

static uint32_t index_of(const mechanics *s, expr coordinate) {
    uint32_t i = 0;
    while (s->q[i] != coordinate) i++;
    return i;
}

// delta(q_i) = sum_s B_is w_s: Chetaev's conditions hold, w is arbitrary.
static expr displacement_of(const court *c, uint32_t i) {
    const mechanics *s = c->system;
    return expr_dot(s->pool, s->m, c->basis.column + i * s->m, c->displacement);
}

// transpose(q_i) = sum_j (W^-1 E(L))_ij delta(q_j)
static expr transposed_of(const court *c, const equations *eq, uint32_t i) {
    const mechanics *s = c->system;
    expr sum = EXPR_ZERO;
    for (uint32_t j = 0; j < s->n; j++)
        sum = expr_add(s->pool, sum,
                       expr_mul(s->pool, eq->transposition[i * s->n + j], displacement_of(c, j)));
    return sum;
}

static expr with_variations(court *c, const equations *eq, prepared_claim *p, expr e) {
    const mechanics *s = c->system;
    for (uint32_t i = 0; i < c->m->variations_count && !p->trouble; i++) {
        const variation *v = &c->m->variations[i];
        if (!expr_depends_on(s->pool, e, 1, &v->symbol)) continue;
        const bool transposes = expr_as_symbol(s->pool, v->symbol)->role == ROLE_TRANSPOSE;
        if (transposes && !eq->transposition) {
            p->trouble =
                "transpositional relations belong to a mechanics that has them: `under a-model`";
            return e;
        }
        if (!c->path_equations) {
            p->trouble = "variations are judged for constraints on positions and velocities";
            return e;
        }
        if (!c->basis.column) c->basis = basis_create(s);
        const uint32_t at = index_of(s, v->coordinate);
        const expr value = transposes ? transposed_of(c, eq, at) : displacement_of(c, at);
        e = expr_replace(s->pool, e, 1, &v->symbol, &value);
        p->of_every_path |= transposes;
    }
    return e;
}

// --- equations -----------------------------------------------------------------------------------

// Mechanics whose papers write the multiplier as a rate: lambda[c]' means lambda[c].
static expr without_rates(const mechanics *s, expr e) {
    for (uint32_t i = 0; i < s->k; i++) {
        const expr rate = expr_symbol_derivative(s->pool, s->multiplier[i]);
        e = expr_replace(s->pool, e, 1, &rate, &s->multiplier[i]);
    }
    return e;
}

static void prepare_equation(court *c, prepared_claim *p) {
    const mechanics *s = c->system;
    const equations *eq = p->motion ? p->motion->eq : c->reference;
    const expr sides[2] = {p->claim->left, p->claim->right};
    for (int i = 0; i < 2; i++) {
        p->side[i] = with_quantities(c, eq, sides[i], &p->trouble);
        p->side[i] = with_variations(c, eq, p, p->side[i]);
        if (p->motion && p->motion->form->multiplier_is_rate)
            p->side[i] = without_rates(s, p->side[i]);
    }
    expr *gap = arena_new(arena_of(c), expr);
    *gap = expr_sub(s->pool, p->side[0], p->side[1]);
    if (expr_order(s->pool, *gap) > (eq->jerk ? 3 : 2) && !p->trouble)
        p->trouble = "derivatives beyond q'' cannot be judged";
    p->residual = gap;
    p->count = 1;
}

// --- solutions -----------------------------------------------------------------------------------

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

// q -> f(t), with q', q'' and the quasi-velocities, in the residuals and the
// constraints of the classical motion.
static void prepare_solution(court *c, prepared_claim *p) {
    const mechanics *s = c->system;
    const equations *eq = p->motion ? p->motion->eq : c->reference;
    if (eq->unknown_count != s->m) {
        p->trouble = "a solution is judged by equations without multipliers";
        return;
    }
    pool *pool = s->pool;
    expr *from = arena_array(arena_of(c), expr, 3 * s->n),
         *to = arena_array(arena_of(c), expr, 3 * s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        const uint32_t at = index_of(s, p->claim->solution[i].symbol);
        expr value = p->claim->solution[i].value;
        for (uint32_t order = 0; order < 3; order++, value = expr_ddt(pool, value)) {
            from[3 * i + order] = expr_symbol_of_order(pool, s->q[at], order);
            to[3 * i + order] = value;
        }
    }
    expr *r = arena_array(arena_of(c), expr, s->m + 2 * s->k);
    for (uint32_t i = 0; i < s->m; i++) {
        r[p->count] = eq->residual[i].value;
        for (uint32_t j = 0; j < s->m && s->has_quasi; j++) {
            const expr rate[2] = {s->eta[j], expr_symbol_derivative(pool, s->eta[j])},
                       meaning[2] = {s->psi[j], expr_ddt(pool, s->psi[j])};
            r[p->count] = expr_replace(pool, r[p->count], 2, rate, meaning);
        }
        p->count++;
    }
    for (uint32_t i = 0; i < s->k; i++) {
        const constraint *k = &c->m->constraints[s->constraint[i]];
        r[p->count++] = s->phi[i];
        if (k->order == 0) r[p->count++] = k->phi;
    }
    if (divides_by_zero(pool, p->count, r, 3 * s->n, from, to))
        p->trouble = "the equations of motion divide by zero along it";
    expr_substitute(pool, 3 * s->n, from, to, p->count, r, r);
    p->residual = r;
}

// --- the whole -----------------------------------------------------------------------------------

void prepare_claims(court *c) {
    c->claims = arena_array(arena_of(c), prepared_claim, c->m->claims_count);
    if (c->m->claims_count && !c->system->h) make_paths(c), c->room.paths = c->path_equations;
    for (uint32_t i = 0; i < c->m->claims_count; i++) {
        prepared_claim *p = &c->claims[i];
        *p = (prepared_claim){.claim = &c->m->claims[i]};
        find_motion(c, p);
        if (p->trouble) continue;
        if (p->claim->kind == CLAIM_EQUATION) prepare_equation(c, p);
        else if (p->claim->kind == CLAIM_SOLUTION) prepare_solution(c, p);
        else if (!p->motion)
            p->trouble = "`classical` compares another mechanics: `claim NAME under ID: classical`";
    }
}

static stage_motion *stage_of(court *c, const prepared_claim *p) {
    if (p->of_every_path) return &c->paths;
    return p->motion && p->motion->form->mechanics ? &p->motion->stage : &c->classical;
}

static void judge_residuals(court *c, const prepared_claim *p, verdict *v) {
    const bool equation = p->claim->kind == CLAIM_EQUATION;
    if (equation) v->side[0] = p->side[0], v->side[1] = p->side[1];
    statement st = {.count = p->count, .residual = p->residual};
    *(equation ? &st.claim : &st.solution) = p->claim;
    judge(c, stage_of(c, p), &st, v);
    if (!equation && v->verdict == VERDICT_PROVED) {
        look l;
        look_init(&l);
        const bool classical = !p->motion || !p->motion->form->mechanics;
        look_at_solution(c, p->claim, classical, c->reference, 0, &l, v);
        look_clear(&l);
    }
    v->identity = equation && !p->of_every_path && v->verdict == VERDICT_PROVED &&
                  holds_on_every_path(c, p->count, p->residual);
}

void judge_claims(court *c) {
    for (uint32_t i = 0; i < c->m->claims_count; i++) {
        const prepared_claim *p = &c->claims[i];
        verdict *v = begin_verdict(c, "claim", p->claim->name);
        if (p->trouble) v->remark = p->trouble;
        else if (p->claim->kind == CLAIM_CLASSICAL) judge_motion(c, p->motion->eq, v);
        else judge_residuals(c, p, v);
    }
}
