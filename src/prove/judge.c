// One statement: proved, refuted at a real state, or undecided.
#include "prove/court.h"

#include <stdlib.h>

void set_proved(verdict *v, const stage_motion *s) {
    v->verdict = VERDICT_PROVED;
    v->method = "modular";
    v->trials = s->needed;
    v->bound = stage_bound(s);
}

const closed_motion *closed_motion_of(court *c) {
    if (!c->closed.eq) c->closed = closed_motion_create(c->reference), c->basis = basis_create(c->system);
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
    const bool nonzero = witness_against(&c->room, c->has_branches ? c->plain : s->eq, count, e, &seen);
    free(seen.witness);
    if (nonzero) return TEST_NONZERO;
    return is_certified(c, count, e) ? TEST_ZERO : TEST_IMPOSSIBLE;
}

// Not true in general, but for the functions or also the parameter values that the model states?
static bool holds_as_stated(court *c, const stage_motion *s, uint32_t count, const expr *e, verdict *v) {
    static const char *const remark[2] = {"for the given functions of the model",
                                          "for the parameter values of the model only"};
    if (s != &c->classical) return false;
    for (int i = 0; i < 2; i++) {
        stage_motion *stated = &c->stated[i];
        if (!(i ? c->m->parameters_count : c->m->givens_count)) continue;
        if (!stated->eq)
            stage_create(stated, c->system, s->eq, i ? FREE_NOTHING : FREE_PARAMETERS, c->tested_count, c->tested);
        stage_prepare(stated, count, e);
        if (!stated->usable || stage_test(stated, count, e) != TEST_ZERO) continue;
        set_proved(v, stated);
        v->remark = remark[i];
        return true;
    }
    return false;
}

bool holds_on_every_path(court *c, uint32_t count, const expr *e) {
    if (!c->paths.usable) return false;
    stage_prepare(&c->paths, count, e);
    return stage_test(&c->paths, count, e) == TEST_ZERO;
}

void judge(court *c, stage_motion *s, uint32_t count, const expr *e, verdict *v) {
    stage_prepare(s, count, e);
    const test_result result = s->usable ? stage_test(s, count, e) : TEST_IMPOSSIBLE;
    const equations *plain = s == &c->classical && c->has_branches ? c->plain : s->eq;
    // True on one branch of the constraints only
    if (result != TEST_NONZERO && plain != s->eq && witness_against(&c->room, plain, count, e, v)) {
        if (result == TEST_ZERO) v->remark = "it holds on another branch of the constraints";
        return;
    }
    if (result == TEST_ZERO) {
        set_proved(v, s);
        if (c->request->certify && s == &c->classical) certify(c, count, e, v);
        return;
    }
    // A certificate divides, perhaps by what is 0 here: a state that shows the contrary comes first
    if (witness_against(&c->room, plain, count, e, v)) return;
    if (result == TEST_IMPOSSIBLE && s == &c->classical) certify(c, count, e, v);
    if (v->verdict == VERDICT_PROVED) return;
    if (result == TEST_NONZERO && holds_as_stated(c, s, count, e, v)) return;
    v->remark = result == TEST_IMPOSSIBLE ? "no random point of the motion could be made"
                                          : "not an identity in algebra, yet zero wherever it was tried";
}

verdict *begin_verdict(court *c, const char *kind, const char *name) {
    model_push(
        c->out, verdicts,
        (verdict){
            .kind = kind, .name = name, .verdict = VERDICT_UNDECIDED, .method = "", .side = {EXPR_NONE, EXPR_NONE}});
    return &c->out->verdicts[c->out->verdicts_count - 1];
}
