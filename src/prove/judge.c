// One statement: proved, refuted at a real state, or undecided.
#include "prove/court.h"

#include <stdlib.h>
#include <string.h>

void set_proved(verdict *v, const stage_motion *s) {
    v->verdict = VERDICT_PROVED;
    v->method = "modular";
    v->trials = s->needed;
    v->bound = stage_bound(s);
}

const closed_motion *closed_motion_of(court *c) {
    if (!c->closed.eq)
        c->closed = closed_motion_create(c->reference), c->basis = basis_create(c->system);
    return &c->closed;
}

bool is_certified(court *c, uint32_t count, const expr *e) {
    for (uint32_t i = 0; i < count; i++)
        if (certificate_is_zero(closed_motion_of(c), e[i]) != NORMAL_YES) return false;
    return true;
}

void set_certificate(verdict *v, bool found) {
    if (found) {
        v->verdict = VERDICT_PROVED;
        v->method = "certificate";
        v->bound = 0;
        v->trials = 0;
    } else if (!v->remark && v->verdict == VERDICT_PROVED) {
        v->remark = "no certificate within the bounds of size";
    }
}

static void certify(court *c, uint32_t count, const expr *e, verdict *v) {
    set_certificate(v, is_certified(c, count, e));
}

test_result test_along(court *c, stage_motion *s, uint32_t count, const expr *e) {
    stage_prepare(s, count, e);
    const test_result result = s->usable ? stage_test(s, count, e) : TEST_IMPOSSIBLE;
    if (result != TEST_IMPOSSIBLE || s != &c->classical) return result;
    verdict seen = {.side = {EXPR_NONE, EXPR_NONE}}; // what F_p cannot tell, a real state may
    const bool nonzero =
        witness_against(&c->room, c->has_branches ? c->plain : s->eq, count, e, &seen);
    memory_free(seen.witness);
    if (nonzero) return TEST_NONZERO;
    return is_certified(c, count, e) ? TEST_ZERO : TEST_IMPOSSIBLE;
}

// Not true in general, but for the functions or also the parameter values that the model states?
static bool holds_as_stated(court *c, const stage_motion *s, uint32_t count, const expr *e,
                            verdict *v) {
    static const char *const remark[2] = {"for the given functions of the model",
                                          "for the parameter values of the model only"};
    if (s != &c->classical) return false;
    for (int i = 0; i < 2; i++) {
        stage_motion *stated = &c->stated[i];
        if (!(i ? c->m->parameters_count : c->m->givens_count)) continue;
        if (!stated->eq)
            stage_create(stated, c->system, s->eq, i ? FREE_NOTHING : FREE_PARAMETERS,
                         c->tested_count, c->tested);
        stage_prepare(stated, count, e);
        if (!stated->usable || stage_test(stated, count, e) != TEST_ZERO) continue;
        set_proved(v, stated);
        v->remark = remark[i];
        v->scope.stated_values = i == 1;
        return true;
    }
    return false;
}

bool holds_on_every_path(court *c, uint32_t count, const expr *e) {
    if (!c->paths.usable) return false;
    stage_prepare(&c->paths, count, e);
    return stage_test(&c->paths, count, e) == TEST_ZERO;
}

// Both routes said what they know; a proof by algebra stands only if no state contradicts it.
static void weigh(court *c, const equations *eq, const statement *st, const look *l, verdict *v) {
    arena *a = &c->m->ctx->arena;
    const span at = st->claim ? st->claim->at : st->invariant ? st->invariant->at : (span){0};
    if (l->result == LOOK_CONTRADICTS) {
        const bool corner = is_on_a_break(c, st, l->at);
        v->verdict = VERDICT_UNDECIDED, v->method = "", v->trials = 0, v->bound = 0;
        witness_note_state(eq, l->at, l->gap, v);
        if (corner) v->verdict = VERDICT_REFUTED, v->method = "witness";
        v->remark =
            corner ? "it holds at almost all states, and not at this one"
                   : arena_format(
                         a,
                         "internal error: the algebra finds 0 here, the statement as typed (%s) "
                         "does not; please report it with the model and this state (--seed %llu)",
                         typed_place(c->m, at), (unsigned long long)c->request->seed);
    } else if (l->result == LOOK_UNDEFINED) {
        const char *what = typed_text(c->m, l->finding.at);
        v->verdict = VERDICT_UNDECIDED, v->method = "", v->trials = 0, v->bound = 0;
        v->remark = what ? arena_format(a, "it has no value on the constraints, like 0/0: `%s`, %s",
                                        what, l->finding.reason)
                         : arena_format(a, "it has no value on the constraints, like 0/0: %s",
                                        l->finding.reason);
    } else if (l->undefined && l->finding.status == TYPED_UNDEFINED && !v->place) {
        const char *what = typed_text(c->m, l->finding.at);
        v->place = what ? arena_format(a, "where defined: `%s`, %s at some states", what,
                                       l->finding.reason)
                        : "where defined";
    } else if (l->result == LOOK_NOTHING) {
        v->scope.algebra_alone = true;
    } else if (l->result == LOOK_AGREES && !l->stated && !v->place) {
        v->place = "not for the stated parameter values: no state was found there at which the "
                   "motion is determined";
    }
}

// Is the motion on one of several branches of the constraints: of a root
// solved for, or of a product?
static bool is_on_a_branch(const court *c) {
    bool branch = c->has_branches && c->m->initial_count;
    for (uint32_t i = 0; i < c->system->k + c->system->h; i++)
        branch |= c->m->constraints[c->system->constraint[i]].is_branch;
    return branch;
}

void weigh_motion(court *c, const stage_motion *s, verdict *v) {
    if (v->verdict != VERDICT_PROVED) return;
    v->scope.branch = is_on_a_branch(c);
    v->scope.stated_values |= c->special != NULL;
    if (c->broken && s == &c->classical) {
        v->verdict = VERDICT_UNDECIDED, v->method = "", v->trials = 0, v->bound = 0;
        v->remark = c->broken;
    } else if (c->special && !v->place) {
        v->place = arena_format(
            &c->m->ctx->arena,
            "for the parameter values of the model only: for others the constraint `%s` acts",
            c->special);
    }
}

// Can what was typed jump, or lose its value? If not, zero almost everywhere is zero everywhere.
static void set_scope(court *c, const statement *st, const look *l, verdict *v) {
    enum { MOST_BREAKS = 32 };
    typed_break at[MOST_BREAKS];
    const typed_form *form = st->claim       ? &st->claim->typed
                             : st->invariant ? &st->invariant->typed
                                             : NULL;
    const uint32_t count = form ? typed_breaks(c->m, form, MOST_BREAKS, at) : 0;
    v->scope.everywhere = form && l->typed && !count;
    v->scope.where_defined = l->undefined > 0;
    for (uint32_t i = 0; i < count && i < MOST_BREAKS; i++)
        v->scope.where_defined |= at[i].kind == TYPED_POLE || at[i].kind == TYPED_EDGE;
}

static void judge_by_algebra(court *c, stage_motion *s, const equations *plain, const statement *st,
                             verdict *v) {
    stage_prepare(s, st->count, st->residual);
    const test_result result = s->usable ? stage_test(s, st->count, st->residual) : TEST_IMPOSSIBLE;
    if (result == TEST_ZERO) {
        set_proved(v, s);
        if (c->request->certify && s == &c->classical) certify(c, st->count, st->residual, v);
        return;
    }
    // A certificate divides, perhaps by what is 0 here: a state that shows the contrary comes first
    if (look_for_witness(c, plain, st, v)) return;
    if (result == TEST_IMPOSSIBLE && s == &c->classical) certify(c, st->count, st->residual, v);
    if (v->verdict == VERDICT_PROVED) return;
    if (judge_on_pieces(c, s->eq, false, st, v)) return;
    if (result == TEST_NONZERO && holds_as_stated(c, s, st->count, st->residual, v)) return;
    if (judge_on_pieces(c, s->eq, true, st, v)) return;
    if (result == TEST_NONZERO && look_closely(c, plain, st, v)) return;
    v->remark = result == TEST_IMPOSSIBLE
                    ? "no random point of the motion could be made"
                    : "not an identity in algebra, yet zero wherever it was tried";
}

void judge(court *c, stage_motion *s, const statement *st, verdict *v) {
    const equations *plain = s == &c->classical && c->has_branches ? c->plain : s->eq;
    judge_by_algebra(c, s, plain, st, v);
    if (v->verdict != VERDICT_PROVED || c->request->algebra_alone) return;
    look l;
    look_init(&l);
    look_at_statement(c, plain, st, !v->remark, &l);
    weigh(c, plain, st, &l, v);
    if (v->verdict == VERDICT_PROVED) set_scope(c, st, &l, v);
    look_clear(&l);
    weigh_motion(c, s, v);
}

verdict *begin_verdict(court *c, const char *kind, const char *name) {
    model_push(c->out, verdicts,
               (verdict){.kind = kind,
                         .name = name,
                         .verdict = VERDICT_UNDECIDED,
                         .method = "",
                         .side = {EXPR_NONE, EXPR_NONE}});
    return &c->out->verdicts[c->out->verdicts_count - 1];
}
