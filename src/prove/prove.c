// Judging a model: agreement of the forms, claims, invariants, the energy balance, the mass matrix.
#include "prove/prove.h"

#include "derive/refusals.h"
#include "prove/certificate.h"
#include "prove/energy.h"
#include "prove/stage.h"
#include "prove/witness.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    model *m;
    const mechanics *system;
    const prove_request *request;
    judgement *out;
    stage_motion classical, other, stated[2]; // everything arbitrary; another mechanics; givens, then parameters too, as the model states them
    closed_motion closed;
    velocity_basis basis; // made with it when a certificate is first wanted
    const equations *reference;
    witness_room room;
    const expr *tested; // everything whose degree matters
    uint32_t tested_count;
    const equations *plain; // in q' themselves, whichever branch of the constraints they are on; for witnesses
    bool has_branches;      // constraints not linear in the velocities were solved for them
} court;

// --- one statement -------------------------------------------------------------------------------------------------------------

static void proved(verdict *v, const stage_motion *s) {
    v->verdict = VERDICT_PROVED;
    v->method = "modular";
    v->trials = s->needed;
    v->bound = stage_bound(s);
}

static const closed_motion *closed_of(court *c) {
    if (!c->closed.eq) c->closed = closed_motion_create(c->reference), c->basis = basis_create(c->system);
    return &c->closed;
}

static bool certified(court *c, uint32_t count, const expr *e) {
    for (uint32_t i = 0; i < count; i++)
        if (certificate_is_zero(closed_of(c), e[i]) != NORMAL_YES) return false;
    return true;
}

static void set_certificate(verdict *v, bool found) {
    if (found) {
        v->verdict = VERDICT_PROVED;
        v->method = "certificate";
        v->bound = 0;
        v->trials = 0;
    } else if (!v->remark && v->verdict == VERDICT_PROVED) {
        v->remark = "no certificate within the bounds of size";
    }
}

static void certify(court *c, uint32_t count, const expr *e, verdict *v) { set_certificate(v, certified(c, count, e)); }

// Not true in general, but for the functions or also the parameter values that the model states?
static bool holds_as_stated(court *c, const stage_motion *s, uint32_t count, const expr *e, verdict *v) {
    static const char *const remark[2] = {"for the given functions of the model", "for the parameter values of the model only"};
    if (s != &c->classical) return false;
    for (int i = 0; i < 2; i++) {
        stage_motion *stated = &c->stated[i];
        if (!(i ? c->m->parameters_count : c->m->givens_count)) continue;
        if (!stated->eq) stage_create(stated, c->system, s->eq, i ? FREE_NOTHING : FREE_PARAMETERS, c->tested_count, c->tested);
        stage_prepare(stated, count, e);
        if (!stated->usable || stage_test(stated, count, e, false) != TEST_ZERO) continue;
        proved(v, stated);
        v->remark = remark[i];
        return true;
    }
    return false;
}

// The residuals vanish along the motion of s, or they do not, or we cannot tell.
static void judge(court *c, stage_motion *s, uint32_t count, const expr *e, verdict *v) {
    stage_prepare(s, count, e);
    const test_result result = s->usable ? stage_test(s, count, e, false) : TEST_IMPOSSIBLE;
    const equations *plain = s == &c->classical && c->has_branches ? c->plain : s->eq;
    if (result != TEST_NONZERO && plain != s->eq && witness_against(&c->room, plain, count, e, v)) { // true on one branch of the constraints only
        if (result == TEST_ZERO) v->remark = "it holds on another branch of the constraints";
        return;
    }
    if (result == TEST_ZERO) {
        proved(v, s);
        if (strcmp(v->kind, "claim") == 0 && stage_test(s, count, e, true) == TEST_ZERO)
            v->remark = "identity: it holds for every acceleration";
        if (c->request->certify && s == &c->classical) certify(c, count, e, v);
        return;
    }
    if (result == TEST_IMPOSSIBLE && s == &c->classical) certify(c, count, e, v);
    if (v->verdict == VERDICT_PROVED || witness_against(&c->room, plain, count, e, v)) return;
    if (result == TEST_NONZERO && holds_as_stated(c, s, count, e, v)) return;
    v->remark = result == TEST_IMPOSSIBLE ? "no random point of the motion could be made" : "not an identity in algebra, yet zero wherever it was tried";
}

static verdict *begin(court *c, const char *kind, const char *name) {
    model_push(c->out, verdicts, (verdict){.kind = kind, .name = name, .verdict = VERDICT_UNDECIDED, .method = ""});
    return &c->out->verdicts[c->out->verdicts_count - 1];
}

// --- what is judged ------------------------------------------------------------------------------------------------------------

// The residuals of another form with its own unknowns replaced by what they mean along the motion: eta' = d/dt Psi, p = dL/dq'.
static void in_accelerations(const court *c, const equations *eq, expr *out) {
    pool *p = c->system->pool;
    for (uint32_t i = 0; i < eq->unknown_count; i++) {
        out[i] = eq->residual[i].value;
        for (uint32_t j = 0; j < eq->auxiliaries_count; j++) {
            const expr from[2] = {eq->auxiliaries[j].symbol, expr_symbol_derivative(p, eq->auxiliaries[j].symbol)};
            const expr to[2] = {eq->auxiliaries[j].value, expr_ddt(p, eq->auxiliaries[j].value)};
            out[i] = expr_replace(p, out[i], 2, from, to);
        }
    }
}

static test_result compare_at_point(court *c, const equations *eq, uint32_t i) {
    const mechanics *s = c->system;
    const field_point *known = stage_point(&c->classical, i);
    if (!known) return TEST_IMPOSSIBLE;
    field_point p = stage_copy_point(&c->classical.before[i]);
    test_result result = TEST_IMPOSSIBLE;
    if (field_solve(&c->classical.field, eq, &p) == MODULAR_OK) {
        result = TEST_ZERO;
        for (uint32_t j = 0; j < s->n; j++) {
            const uint32_t at = expr_symbol_index(s->pool, s->qdd[j]);
            if (p.value[at] != known->value[at]) result = TEST_NONZERO;
        }
        for (uint32_t j = 0; j < eq->multiplier_count; j++) {
            const uint32_t at = expr_symbol_index(s->pool, s->multiplier[j]);
            if (p.value[at] != known->value[at]) result = TEST_NONZERO;
        }
    }
    field_point_free(&p);
    return result;
}

static void judge_form(court *c, const equations *eq) {
    verdict *v = begin(c, "form", eq->form);
    uint32_t done = 0;
    test_result result = TEST_ZERO;
    expr *own = arena_array(&c->m->ctx->arena, expr, eq->unknown_count + c->system->n);
    for (uint32_t i = 0; i < eq->unknown_count; i++) own[i] = eq->residual[i].value;
    for (uint32_t i = 0; i < c->system->n; i++) own[eq->unknown_count + i] = eq->acceleration[i];
    stage_prepare(&c->classical, eq->unknown_count + c->system->n, own);
    const uint32_t trials = c->classical.needed;
    for (uint32_t i = 0; done < trials && i < trials * POINTS_PER_TRIAL && result != TEST_NONZERO; i++) {
        result = compare_at_point(c, eq, i);
        done += result != TEST_IMPOSSIBLE;
    }
    const bool enough = c->classical.usable && trials && done >= trials;
    expr *residual = arena_array(&c->m->ctx->arena, expr, eq->unknown_count);
    if (result != TEST_NONZERO && enough) proved(v, &c->classical);
    if (result != TEST_NONZERO && (c->request->certify || !enough)) {
        bool found = certificate_of_form(closed_of(c), &c->basis, eq) == NORMAL_YES;
        if (!found) {
            in_accelerations(c, eq, residual);
            found = certified(c, eq->unknown_count, residual);
        }
        set_certificate(v, found);
    }
    if (v->verdict == VERDICT_PROVED || witness_between(&c->room, c->classical.eq, eq, v)) return;
    v->remark = enough ? "differs in algebra, yet not at any state tried" : "no random point of the motion could be made";
}

static bool holds_role(pool *p, expr e, symbol_role a, symbol_role b, uint32_t order) {
    for (uint32_t i = 0; i < pool_symbol_count(p); i++) {
        const symbol *s = pool_symbol(p, i);
        if ((s->role == a || s->role == b) && s->order >= order && expr_depends_on(p, e, 1, &s->node)) return true;
    }
    return false;
}

static void judge_claim(court *c, const claim *q) {
    verdict *v = begin(c, "claim", q->name);
    pool *p = c->system->pool;
    const expr gap = expr_sub(p, q->left, q->right);
    stage_motion *s = &c->classical;
    if (q->mechanics) s = c->other.eq && strcmp(c->other.eq->form, q->mechanics) == 0 ? &c->other : NULL;
    if (!s) v->remark = arena_format(&c->m->ctx->arena, "the mechanics `%s` is not available for this system", q->mechanics);
    else if (holds_role(p, gap, ROLE_VARIATION, ROLE_TRANSPOSE, 0)) v->remark = "transpositional relations need the A-model";
    else if (holds_role(p, gap, ROLE_COORDINATE, ROLE_COORDINATE, s->eq->jerk ? 4 : 3)) v->remark = "derivatives beyond q'' cannot be judged";
    else judge(c, s, 1, &gap, v);
}

static void judge_invariant(court *c, const named_expression *i) {
    verdict *v = begin(c, "invariant", i->name);
    const expr rate = expr_ddt(c->system->pool, i->value);
    judge(c, &c->classical, 1, &rate, v);
}

// An energy balance, and which of its contributions vanish.
static void judge_balance(court *c, const energy_balance *b) {
    arena *a = &c->m->ctx->arena;
    verdict *v = begin(c, "energy", b->name);
    judge(c, &c->classical, 1, &b->gap, v);
    if (v->verdict != VERDICT_PROVED) return;
    text remark = {0};
    for (uint32_t i = 0; i < b->part_count; i++)
        if (stage_test(&c->classical, 1, &b->parts[i].part, false) == TEST_NONZERO)
            text_format(&remark, "%s%s", remark.length ? ", " : "energy changes by ", b->parts[i].name);
    v->remark = remark.length ? arena_copy(a, remark.bytes, remark.length) : "energy is conserved";
    text_free(&remark);
}

static void judge_energy(court *c) {
    const energy_balance plain = energy_in_velocities(c->system);
    judge_balance(c, &plain);
    if (!c->system->k && !c->system->has_quasi) return; // eta = q': the same statement
    if (needs_linear_frame(c->system)) return;
    const energy_balance quasi = energy_in_quasi_velocities(c->system);
    judge_balance(c, &quasi);
}

static void judge_mass(court *c, const equations *projected) {
    verdict *v = begin(c, "mass", "positive definite");
    mechanics lower = *c->system; // constraints of higher order leave the velocities free: the matrix is that of the system without them
    lower.h = 0;
    equations *free_motion = c->system->h ? formalism_derive(formalism_find("maggi"), &lower) : NULL;
    v->verdict = definite_at_initial_state(&c->room, free_motion ? free_motion : projected);
    equations_free(free_motion);
    if (v->verdict == VERDICT_PROVED) v->method = "interval Cholesky at the initial state";
    else v->remark = "the reduced mass matrix is not positive definite at the initial state";
}

// --- the whole ---------------------------------------------------------------------------------------------------------------

// Everything whose degree matters: residuals of all forms, claims, rates of invariants.
static expr *everything_tested(court *c, uint32_t forms, equations *const *eq, uint32_t *count) {
    expr *e = NULL;
    uint32_t n = 0, capacity = 0;
    for (uint32_t f = 0; f < forms; f++)
        for (uint32_t i = 0; i < eq[f]->unknown_count; i++) {
            array_reserve(e, n, capacity);
            e[n++] = eq[f]->residual[i].value;
        }
    for (uint32_t i = 0; i < c->m->claims_count; i++) {
        array_reserve(e, n, capacity);
        e[n++] = expr_sub(c->system->pool, c->m->claims[i].left, c->m->claims[i].right);
    }
    for (uint32_t i = 0; i < c->m->invariants_count; i++) {
        array_reserve(e, n, capacity);
        e[n++] = expr_ddt(c->system->pool, c->m->invariants[i].value);
    }
    *count = n;
    return e;
}

static bool is_wanted(const prove_request *r, const formalism *f) {
    for (uint32_t i = 0; i < r->form_count; i++)
        if (r->form[i] == f) return true;
    return r->form_count == 0;
}

static bool speaks_of(const model *m, const char *mechanics) {
    for (uint32_t i = 0; i < m->claims_count; i++)
        if (m->claims[i].mechanics && strcmp(m->claims[i].mechanics, mechanics) == 0) return true;
    return false;
}

// Are the velocities one branch of constraints that are not linear in them?
static bool has_branches(const court *c, const equations *reference) {
    const mechanics *s = c->system;
    bool linear = true;
    for (uint32_t i = 0; i < s->k; i++) linear = linear && c->m->constraints[s->constraint[i]].linear;
    return reference->explicit_velocities && !linear;
}

static void hold_court(court *c, uint32_t forms, equations **eq, equations *reference, equations *other) {
    uint32_t count;
    expr *tested = everything_tested(c, forms, eq, &count);
    c->tested = tested, c->tested_count = count;
    c->reference = reference;
    c->has_branches = has_branches(c, reference);
    equations *plain = c->has_branches ? formalism_derive(formalism_find("multipliers"), c->system) : NULL;
    c->plain = plain;
    stage_create(&c->classical, c->system, reference, FREE_ALL, count, tested);
    if (other) stage_create(&c->other, c->system, other, FREE_ALL, count, tested);
    for (uint32_t i = 0; i < forms; i++)
        if (eq[i] != reference || forms == 1) judge_form(c, eq[i]);
    for (uint32_t i = 0; i < c->m->claims_count; i++) judge_claim(c, &c->m->claims[i]);
    for (uint32_t i = 0; i < c->m->invariants_count; i++) judge_invariant(c, &c->m->invariants[i]);
    judge_energy(c);
    judge_mass(c, reference);
    stage_free(&c->classical);
    stage_free(&c->other);
    stage_free(&c->stated[0]);
    stage_free(&c->stated[1]);
    witness_room_free(&c->room);
    if (plain) equations_free(plain);
    free(tested);
}

hamel_status prove_model(model *m, const mechanics *system, const prove_request *request, judgement *out) {
    court c = {.m = m, .system = system, .request = request, .out = out, .room = {.m = m}};
    arena *a = &m->ctx->arena;
    const formalism *maggi = formalism_default(system); // the reference: another form where maggi does not apply
    const char *refusal = formalism_refusal(maggi, system);
    if (refusal) {
        diag_error(m->ctx, (span){0}, NULL, "nothing can be judged: %s", refusal);
        return HAMEL_MODEL;
    }
    equations **eq = arena_array(a, equations *, formalism_count()), *reference = NULL, *other = NULL;
    uint32_t forms = 0;
    for (uint32_t i = 0; i < formalism_count(); i++) {
        const formalism *f = formalism_at(i);
        if (f->mechanics ? !speaks_of(m, f->mechanics) : !is_wanted(request, f) && f != maggi) continue;
        if (formalism_refusal(f, system)) continue;
        equations *made = formalism_derive(f, system);
        if (f->mechanics) other = made;
        else eq[forms++] = made;
        if (f == maggi) reference = made;
    }
    hamel_status status = context_status(m->ctx);
    if (!status) hold_court(&c, forms, eq, reference, other);
    for (uint32_t i = 0; i < forms; i++) equations_free(eq[i]);
    equations_free(other);
    return status ? status : context_status(m->ctx);
}

void judgement_free(judgement *j) {
    for (uint32_t i = 0; i < j->verdicts_count; i++) free(j->verdicts[i].witness);
    free(j->verdicts);
}
