// How a verdict is reached: on a statement, which is proved, refuted at a real state or left
// undecided, and on a form, which has the motion of the reference or another one.
#include "prove/pieces.h"
#include "prove/proof_session.h"

verdict *verdict_begin(proof_session *ps, const char *kind, const char *name) {
    list_push(ps->out, verdicts,
              (verdict){.kind = kind,
                        .name = name,
                        .verdict = VERDICT_UNDECIDED,
                        .method = "",
                        .side = {EXPR_NONE, EXPR_NONE}});
    return &ps->out->verdicts[ps->out->verdicts_count - 1];
}

// --- what a verdict rests on --------------------------------------------------------------------

static void set_proved(verdict *v, const modular_test *t) {
    v->verdict = VERDICT_PROVED;
    v->method = "modular";
    v->trials = t->needed;
    v->bound = modular_test_bound(t);
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
            modular_test_create(stated, ps->system, t->eq, i ? FREE_NOTHING : FREE_PARAMETERS);
        modular_test_prepare(stated, count, e);
        if (!stated->usable || modular_test_run(stated, count, e) != TEST_ZERO) continue;
        set_proved(v, stated);
        v->remark = remark[i];
        v->scope.stated_values = i == 1;
        return true;
    }
    return false;
}

// Is the motion on one of several branches of the constraints: of a root
// solved for, or of a product?
static bool is_on_a_branch(const proof_session *ps) {
    bool branch = ps->has_branches && ps->m->initial_count;
    for (uint32_t i = 0; i < ps->system->k + ps->system->h; i++)
        branch |= ps->m->constraints[ps->system->constraint[i]].is_branch;
    return branch;
}

// A proof needs a motion that is what the text says, and must say so if it holds for special
// values of the parameters only.
static void weigh_motion(proof_session *ps, const modular_test *t, verdict *v) {
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

// --- what algebra leaves open, around real states -----------------------------------------------

static uint32_t find_states(proof_session *ps, const equations *eq, state **out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < ALL_SAMPLES; i++) {
        solved_sample *s = samples_solved(&ps->samples, eq, i);
        if (s && s->status == EVALUATE_OK) out[count++] = &s->at;
    }
    return count;
}

// Given functions, then parameters too, replaced by what the model states.
// False if that changes nothing.
static bool as_stated(const proof_session *ps, modular_freedom freedom, uint32_t count,
                      const expr *e, expr *out) {
    const model *m = ps->m;
    bool changed = false;
    if (freedom == FREE_ALL) {
        for (uint32_t i = 0; i < count; i++) out[i] = e[i];
        return true;
    }
    model_concrete(m, false, count, e, out);
    // values may use others
    for (uint32_t pass = 0; freedom == FREE_NOTHING && pass < m->parameters_count; pass++)
        for (uint32_t i = 0; i < m->parameters_count; i++)
            if (m->parameters[i].value != EXPR_NONE)
                expr_substitute(m->pool, 1, &m->parameters[i].symbol, &m->parameters[i].value,
                                count, out, out);
    for (uint32_t i = 0; i < count; i++) changed |= out[i] != e[i];
    return changed;
}

static void add_words(text *t, const char *words) {
    text_format(t, "%s%s", t->length ? ", " : "", words);
}

static const char *describe(const proof_session *ps, modular_freedom freedom,
                            const pieces_result *r) {
    text t = {0};
    if (freedom == FREE_PARAMETERS) add_words(&t, "for the given functions of the model");
    if (freedom == FREE_NOTHING) add_words(&t, "for the parameter values of the model only");
    for (uint32_t i = 0; i < r->where_count; i++) {
        text_append(&t, i ? " and " : t.length ? ", where " : "where ");
        if (ps->request->write) ps->request->write(ps->m, r->where[i].of, &t);
        else text_append(&t, "a quantity");
        text_append(&t, r->where[i].sign > 0 ? " > 0" : " < 0");
    }
    if (r->on_pieces) add_words(&t, "on the pieces of the states tried");
    const char *words = t.length ? arena_copy(&ps->m->ctx->arena, t.bytes, t.length) : NULL;
    text_free(&t);
    return words;
}

typedef struct {
    const samples *samples;
    const equations *eq;
    const statement *st;
    verdict *v;
} refutation;

static void refute_there(void *judge, state *at) {
    const refutation *r = judge;
    if (r->v->verdict == VERDICT_REFUTED) return;
    witness_at(r->samples, r->eq, at, r->st->count, r->st->residual, r->v);
}

// The residuals vanish along the motion of eq around every real state tried. True: v is filled as
// proved, with words for where it holds, or as refuted at a state found on the way. For all given
// functions and parameter values, or else for those that the model states.
static bool judge_pieces(proof_session *ps, const equations *eq, bool stated, const statement *st,
                         verdict *v) {
    const uint32_t count = st->count;
    const expr *e = st->residual;
    state *states[ALL_SAMPLES];
    expr *meant = arena_array(&ps->m->ctx->arena, expr, count);
    pieces_request request = {.motion = {.system = eq->system, .eq = eq},
                              .state_count = find_states(ps, eq, states),
                              .states = states};
    for (modular_freedom freedom = stated ? FREE_PARAMETERS : FREE_ALL;
         freedom <= (stated ? FREE_NOTHING : FREE_ALL); freedom++) {
        pieces_result result;
        request.motion.freedom = freedom;
        if (!as_stated(ps, freedom, count, e, meant)) continue;
        refutation refuted = {&ps->samples, eq, st, v};
        request.against = refute_there, request.judge = &refuted;
        const bool zero = pieces_vanish(&request, count, meant, &result);
        if (zero) {
            v->verdict = VERDICT_PROVED;
            v->method = result.exact ? "certificate" : "modular";
            v->trials = result.trials, v->bound = result.bound;
            v->remark = describe(ps, freedom, &result);
            v->scope.stated_values = freedom == FREE_NOTHING;
        }
        memory_free(result.where);
        if (zero || v->verdict == VERDICT_REFUTED) return true;
    }
    return false;
}

// --- a statement --------------------------------------------------------------------------------

static void judge_by_algebra(proof_session *ps, modular_test *t, const equations *plain,
                             const statement *st, verdict *v) {
    modular_test_prepare(t, st->count, st->residual);
    const test_result result =
        t->usable ? modular_test_run(t, st->count, st->residual) : TEST_IMPOSSIBLE;
    if (result == TEST_ZERO) {
        set_proved(v, t);
        if (ps->request->certify && t == &ps->classical)
            set_certificate(v, certificate_of_residuals(ps, st->count, st->residual));
        return;
    }
    // A certificate divides, perhaps by what is 0 here: a state that shows the contrary comes first
    if (typed_check_find_witness(ps, plain, st, v)) return;
    if (result == TEST_IMPOSSIBLE && t == &ps->classical)
        set_certificate(v, certificate_of_residuals(ps, st->count, st->residual));
    if (v->verdict == VERDICT_PROVED) return;
    if (judge_pieces(ps, t->eq, false, st, v)) return;
    if (result == TEST_NONZERO && holds_as_stated(ps, t, st->count, st->residual, v)) return;
    if (judge_pieces(ps, t->eq, true, st, v)) return;
    if (result == TEST_NONZERO && typed_check_closely(ps, plain, st, v)) return;
    v->remark = result == TEST_IMPOSSIBLE
                    ? "no random point of the motion could be made"
                    : "not an identity in algebra, yet zero wherever it was tried";
}

void judge_statement(proof_session *ps, modular_test *t, const statement *st, verdict *v) {
    const equations *plain = t == &ps->classical && ps->has_branches ? ps->plain : t->eq;
    judge_by_algebra(ps, t, plain, st, v);
    if (v->verdict != VERDICT_PROVED || ps->request->algebra_alone) return;
    typed_check_weigh(ps, plain, st, v);
    weigh_motion(ps, t, v);
}

// --- a form against the reference ---------------------------------------------------------------
// The same accelerations and multipliers at random points of the constraint manifold.

static bool differs(proof_session *ps, const modular_state *x, const modular_state *q,
                    uint32_t count, const expr *symbol) {
    for (uint32_t j = 0; j < count; j++) {
        const uint32_t at = expr_symbol_index(ps->system->pool, symbol[j]);
        if (x->value[at] != q->value[at]) return true;
    }
    return false;
}

// Both motions from one point; from the velocities of the form itself where it is of first order.
static test_result compare_at_point(proof_session *ps, const equations *eq, bool with_multipliers,
                                    uint32_t i) {
    const mechanics *s = ps->system;
    const modular_state *x = modular_test_point(&ps->classical, i);
    if (!x) return TEST_IMPOSSIBLE;
    modular_state p = modular_state_copy(&ps->classical.before[i]), here = {0};
    modular_status status = modular_solve(&ps->classical.motion, eq, &p);
    if (!status && equations_fix_velocities(eq)) {
        here = modular_state_copy(&p);
        status = modular_solve(&ps->classical.motion, ps->classical.eq, &here);
        x = &here;
    }
    test_result result = TEST_IMPOSSIBLE;
    if (status == MODULAR_OK) {
        const bool other =
            differs(ps, &p, x, s->n, s->qdd) ||
            (with_multipliers && differs(ps, &p, x, eq->multiplier_count, s->multiplier));
        result = other ? TEST_NONZERO : TEST_ZERO;
    }
    modular_state_free(&p);
    modular_state_free(&here);
    return result;
}

// At as many points as the statement needs. Sets `enough` if there were that many.
static test_result compare(proof_session *ps, const equations *eq, bool with_multipliers,
                           bool *enough) {
    uint32_t done = 0;
    test_result result = TEST_ZERO;
    modular_test_prepare_form(&ps->classical, eq);
    const uint32_t trials = ps->classical.needed;
    for (uint32_t i = 0; done < trials && i < trials * POINTS_PER_TRIAL && result != TEST_NONZERO;
         i++) {
        result = compare_at_point(ps, eq, with_multipliers, i);
        done += result != TEST_IMPOSSIBLE;
    }
    *enough = ps->classical.usable && trials && done >= trials;
    return result;
}

void judge_form(proof_session *ps, const equations *eq, bool with_multipliers, verdict *v) {
    bool enough;
    const test_result result = compare(ps, eq, with_multipliers, &enough);
    if (result != TEST_NONZERO && enough) set_proved(v, &ps->classical);
    if (result != TEST_NONZERO && with_multipliers && (ps->request->certify || !enough))
        set_certificate(v, certificate_of_form(ps, eq));
    weigh_motion(ps, &ps->classical, v);
    if (v->verdict == VERDICT_PROVED || v->remark ||
        witness_between(&ps->samples, ps->classical.eq, eq, with_multipliers, v))
        return;
    v->remark = enough ? "differs in algebra, yet not at any state tried"
                       : "no random point of the motion could be made";
}
