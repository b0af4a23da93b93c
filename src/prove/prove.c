// Judging a model: agreement of the forms, claims, invariants, the energy balance, the mass matrix.
#include "prove/proof_session.h"

#include <assert.h>

static void judge_invariant(proof_session *ps, const named_expression *i) {
    verdict *v = verdict_begin(ps, "invariant", i->name);
    const expr rate = expr_ddt(ps->system->pool, i->value);
    judge_statement(ps, &ps->classical, &(statement){.count = 1, .residual = &rate, .invariant = i},
                    v);
    if (v->verdict == VERDICT_PROVED && !ps->request->algebra_alone)
        continuity_judge(ps, ps->has_branches ? ps->plain : ps->reference, i, v);
}

// --- the whole ----------------------------------------------------------------------------------

static bool is_wanted(const prove_request *r, const formalism *f) {
    for (uint32_t i = 0; i < r->form_count; i++)
        if (r->form[i] == f) return true;
    return r->form_count == 0;
}

static void make_tests(proof_session *ps) {
    modular_test_create(&ps->classical, ps->system, ps->reference, FREE_ALL);
    if (ps->paths.eq) modular_test_create(&ps->paths.test, ps->system, ps->paths.eq, FREE_ALL);
    for (uint32_t i = 0; i < ps->motions_count; i++) {
        named_motion *motion = ps->motions[i];
        if (motion->form->mechanics)
            modular_test_create(&motion->test, motion->system, motion->eq, FREE_ALL);
    }
}

static void free_tests(proof_session *ps) {
    modular_test_free(&ps->classical);
    modular_test_free(&ps->paths.test);
    modular_test_free(&ps->stated[0]);
    modular_test_free(&ps->stated[1]);
    for (uint32_t i = 0; i < ps->motions_count; i++) {
        modular_test_free(&ps->motions[i]->test);
        equations_free(ps->motions[i]->eq);
    }
    memory_free(ps->motions);
    equations_free(ps->paths.eq);
}

static void judge_everything(proof_session *ps, uint32_t forms, equations **eq,
                             equations *reference) {
    ps->reference = reference;
    ps->has_branches = reference->explicit_velocities && !basis_is_unique(ps->system);
    equations *plain =
        ps->has_branches ? formalism_derive(formalism_find("multipliers"), ps->system) : NULL;
    ps->plain = plain;
    claims_prepare(ps);
    make_tests(ps);
    if (!ps->request->algebra_alone) typed_check_motion(ps);
    for (uint32_t i = 0; i < forms; i++)
        if (eq[i] != reference || forms == 1)
            judge_form(ps, eq[i], true, verdict_begin(ps, "form", eq[i]->form));
    claims_judge(ps);
    for (uint32_t i = 0; i < ps->m->invariants_count; i++)
        judge_invariant(ps, &ps->m->invariants[i]);
    energy_balance_judge(ps);
    mass_matrix_judge(ps);
    free_tests(ps);
    samples_free(&ps->samples);
    equations_free(plain);
}

hamel_status prove_model(model *m, const mechanics *s, const prove_request *request,
                         judgement *out) {
    proof_session ps = {
        .m = m, .system = s, .request = request, .out = out, .samples = {.m = m, .system = s}};
    arena *a = &m->ctx->arena;
    // the reference: another form where maggi does not apply
    const formalism *usual = formalism_default(s);
    const char *refusal = formalism_refusal(usual, s);
    if (refusal) {
        diag_error(m->ctx, (span){0}, NULL, "nothing can be judged: %s", refusal);
        return HAMEL_MODEL;
    }
    equations **eq = arena_array(a, equations *, formalism_count()), *reference = NULL;
    bool *is_own = arena_array(a, bool, formalism_count());
    uint32_t forms = 0;
    for (uint32_t i = 0; i < formalism_count(); i++) {
        const formalism *f = formalism_at(i);
        if (f->mechanics || (!is_wanted(request, f) && f != usual) || formalism_refusal(f, s))
            continue;
        equations *known = request->derived ? request->derived[i] : NULL,
                  *made = known ? known : formalism_derive(f, s);
        is_own[forms] = !known;
        eq[forms++] = made;
        if (f == usual) reference = made;
    }
    assert(reference); // the usual form applies, and is one of them
    hamel_status status = context_status(m->ctx);
    const uint64_t of_text = m->ctx->seed;
    if (request->seed) context_stir(m->ctx, &request->seed, sizeof request->seed);
    ps.samples.seed = m->ctx->seed;
    if (!status) judge_everything(&ps, forms, eq, reference);
    m->ctx->seed = of_text;
    for (uint32_t i = 0; i < forms; i++)
        if (is_own[i]) equations_free(eq[i]);
    return status ? status : context_status(m->ctx);
}

void judgement_free(judgement *j) {
    for (uint32_t i = 0; i < j->verdicts_count; i++) memory_free(j->verdicts[i].witness);
    memory_free(j->verdicts);
}
