// One statement: proved, refuted at a real state, or undecided.
#include "prove/proof_session.h"

void verdict_set_proved(verdict *v, const modular_test *t) {
    v->verdict = VERDICT_PROVED;
    v->method = "modular";
    v->trials = t->needed;
    v->bound = modular_test_bound(t);
}

const closed_motion *closed_motion_of(proof_session *ps) {
    if (!ps->closed.eq)
        ps->closed = closed_motion_create(ps->reference), ps->basis = basis_create(ps->system);
    return &ps->closed;
}

bool proof_session_certifies(proof_session *ps, uint32_t count, const expr *e) {
    for (uint32_t i = 0; i < count; i++)
        if (certificate_is_zero(closed_motion_of(ps), e[i]) != NORMAL_YES) return false;
    return true;
}

void verdict_set_certificate(verdict *v, bool found) {
    if (found) {
        v->verdict = VERDICT_PROVED;
        v->method = "certificate";
        v->bound = 0;
        v->trials = 0;
    } else if (!v->remark && v->verdict == VERDICT_PROVED) {
        v->remark = "no certificate within the bounds of size";
    }
}

static void certify(proof_session *ps, uint32_t count, const expr *e, verdict *v) {
    verdict_set_certificate(v, proof_session_certifies(ps, count, e));
}

test_result statement_test(proof_session *ps, modular_test *t, uint32_t count, const expr *e) {
    modular_test_prepare(t, count, e);
    const test_result result = t->usable ? modular_test_run(t, count, e) : TEST_IMPOSSIBLE;
    if (result != TEST_IMPOSSIBLE || t != &ps->classical) return result;
    verdict seen = {.side = {EXPR_NONE, EXPR_NONE}}; // what F_p cannot tell, a real state may
    const bool nonzero =
        witness_against(&ps->samples, ps->has_branches ? ps->plain : t->eq, count, e, &seen);
    memory_free(seen.witness);
    if (nonzero) return TEST_NONZERO;
    return proof_session_certifies(ps, count, e) ? TEST_ZERO : TEST_IMPOSSIBLE;
}

// Not true in general, but for the functions or also the parameter values that the model states?
static bool holds_as_stated(proof_session *ps, const modular_test *t, uint32_t count, const expr *e,
                            verdict *v) {
    static const char *const remark[2] = {"for the given functions of the model",
                                          "for the parameter values of the model only"};
    if (t != &ps->classical) return false;
    for (int i = 0; i < 2; i++) {
        modular_test *stated = &ps->stated[i];
        if (!(i ? ps->m->parameters_count : ps->m->givens_count)) continue;
        if (!stated->eq)
            modular_test_create(stated, ps->system, t->eq, i ? FREE_NOTHING : FREE_PARAMETERS,
                                ps->tested_count, ps->tested);
        modular_test_prepare(stated, count, e);
        if (!stated->usable || modular_test_run(stated, count, e) != TEST_ZERO) continue;
        verdict_set_proved(v, stated);
        v->remark = remark[i];
        v->scope.stated_values = i == 1;
        return true;
    }
    return false;
}

bool statement_holds_on_every_path(proof_session *ps, uint32_t count, const expr *e) {
    if (!ps->paths.usable) return false;
    modular_test_prepare(&ps->paths, count, e);
    return modular_test_run(&ps->paths, count, e) == TEST_ZERO;
}

// Both routes said what they know; a proof by algebra stands only if no state contradicts it.
static void weigh(proof_session *ps, const equations *eq, const statement *st,
                  const typed_check *check, verdict *v) {
    arena *a = &ps->m->ctx->arena;
    const span at = st->claim ? st->claim->at : st->invariant ? st->invariant->at : (span){0};
    if (check->result == CHECK_CONTRADICTS) {
        const bool corner = statement_is_on_break(ps, st, check->at);
        v->verdict = VERDICT_UNDECIDED, v->method = "", v->trials = 0, v->bound = 0;
        witness_note_state(eq, check->at, check->gap, v);
        if (corner) v->verdict = VERDICT_REFUTED, v->method = "witness";
        v->remark =
            corner ? "it holds at almost all states, and not at this one"
                   : arena_format(
                         a,
                         "internal error: the algebra finds 0 here, the statement as typed (%s) "
                         "does not; please report it with the model and this state (--seed %llu)",
                         span_place(ps->m, at), (unsigned long long)ps->request->seed);
    } else if (check->result == CHECK_UNDEFINED) {
        const char *what = span_text(ps->m, check->finding.at);
        v->verdict = VERDICT_UNDECIDED, v->method = "", v->trials = 0, v->bound = 0;
        v->remark = what ? arena_format(a, "it has no value on the constraints, like 0/0: `%s`, %s",
                                        what, check->finding.reason)
                         : arena_format(a, "it has no value on the constraints, like 0/0: %s",
                                        check->finding.reason);
    } else if (check->undefined && check->finding.status == TYPED_UNDEFINED && !v->place) {
        const char *what = span_text(ps->m, check->finding.at);
        v->place = what ? arena_format(a, "where defined: `%s`, %s at some states", what,
                                       check->finding.reason)
                        : "where defined";
    } else if (check->result == CHECK_NOTHING) {
        v->scope.algebra_alone = true;
    } else if (check->result == CHECK_AGREES && !check->stated && !v->place) {
        v->place = "not for the stated parameter values: no state was found there at which the "
                   "motion is determined";
    }
}

// Is the motion on one of several branches of the constraints: of a root
// solved for, or of a product?
static bool is_on_a_branch(const proof_session *ps) {
    bool branch = ps->has_branches && ps->m->initial_count;
    for (uint32_t i = 0; i < ps->system->k + ps->system->h; i++)
        branch |= ps->m->constraints[ps->system->constraint[i]].is_branch;
    return branch;
}

void verdict_weigh_motion(proof_session *ps, const modular_test *t, verdict *v) {
    if (v->verdict != VERDICT_PROVED) return;
    v->scope.branch = is_on_a_branch(ps);
    v->scope.stated_values |= ps->special != NULL;
    if (ps->broken && t == &ps->classical) {
        v->verdict = VERDICT_UNDECIDED, v->method = "", v->trials = 0, v->bound = 0;
        v->remark = ps->broken;
    } else if (ps->special && !v->place) {
        v->place = arena_format(
            &ps->m->ctx->arena,
            "for the parameter values of the model only: for others the constraint `%s` acts",
            ps->special);
    }
}

// Can what was typed jump, or lose its value? If not, zero almost everywhere is zero everywhere.
static void set_scope(proof_session *ps, const statement *st, const typed_check *check,
                      verdict *v) {
    enum { MOST_BREAKS = 32 };
    typed_break at[MOST_BREAKS];
    const typed_form *form = st->claim       ? &st->claim->typed
                             : st->invariant ? &st->invariant->typed
                                             : NULL;
    const uint32_t count = form ? typed_breaks(ps->m, form, MOST_BREAKS, at) : 0;
    v->scope.everywhere = form && check->typed && !count;
    v->scope.where_defined = check->undefined > 0;
    for (uint32_t i = 0; i < count && i < MOST_BREAKS; i++)
        v->scope.where_defined |= at[i].kind == TYPED_POLE || at[i].kind == TYPED_EDGE;
}

static void judge_by_algebra(proof_session *ps, modular_test *t, const equations *plain,
                             const statement *st, verdict *v) {
    modular_test_prepare(t, st->count, st->residual);
    const test_result result =
        t->usable ? modular_test_run(t, st->count, st->residual) : TEST_IMPOSSIBLE;
    if (result == TEST_ZERO) {
        verdict_set_proved(v, t);
        if (ps->request->certify && t == &ps->classical) certify(ps, st->count, st->residual, v);
        return;
    }
    // A certificate divides, perhaps by what is 0 here: a state that shows the contrary comes first
    if (typed_check_find_witness(ps, plain, st, v)) return;
    if (result == TEST_IMPOSSIBLE && t == &ps->classical) certify(ps, st->count, st->residual, v);
    if (v->verdict == VERDICT_PROVED) return;
    if (pieces_judge(ps, t->eq, false, st, v)) return;
    if (result == TEST_NONZERO && holds_as_stated(ps, t, st->count, st->residual, v)) return;
    if (pieces_judge(ps, t->eq, true, st, v)) return;
    if (result == TEST_NONZERO && typed_check_closely(ps, plain, st, v)) return;
    v->remark = result == TEST_IMPOSSIBLE
                    ? "no random point of the motion could be made"
                    : "not an identity in algebra, yet zero wherever it was tried";
}

void statement_judge(proof_session *ps, modular_test *t, const statement *st, verdict *v) {
    const equations *plain = t == &ps->classical && ps->has_branches ? ps->plain : t->eq;
    judge_by_algebra(ps, t, plain, st, v);
    if (v->verdict != VERDICT_PROVED || ps->request->algebra_alone) return;
    typed_check check;
    typed_check_init(&check);
    typed_check_statement(ps, plain, st, !v->remark, &check);
    weigh(ps, plain, st, &check, v);
    if (v->verdict == VERDICT_PROVED) set_scope(ps, st, &check, v);
    typed_check_clear(&check);
    verdict_weigh_motion(ps, t, v);
}

verdict *verdict_begin(proof_session *ps, const char *kind, const char *name) {
    list_push(ps->out, verdicts,
              (verdict){.kind = kind,
                        .name = name,
                        .verdict = VERDICT_UNDECIDED,
                        .method = "",
                        .side = {EXPR_NONE, EXPR_NONE}});
    return &ps->out->verdicts[ps->out->verdicts_count - 1];
}
