// What algebra leaves open, judged around real states, with words for where it holds.
#include "prove/proof_session.h"
#include "prove/pieces.h"

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
    if (!witness_has_value(r->eq, at, r->st->count, r->st->residual)) return;
    arb_t gap;
    arb_init(gap);
    for (uint32_t i = 0; i < r->st->count && r->v->verdict != VERDICT_REFUTED; i++) {
        equations_values(r->eq, at, 1, &r->st->residual[i], gap);
        witness_refute(r->samples, r->eq, at, gap, r->st, r->v);
    }
    arb_clear(gap);
}

bool pieces_judge(proof_session *ps, const equations *eq, bool stated, const statement *st,
                  verdict *v) {
    const uint32_t count = st->count;
    const expr *e = st->residual;
    state *states[ALL_SAMPLES];
    expr *meant = arena_array(&ps->m->ctx->arena, expr, count);
    pieces_request request = {.motion = {.system = eq->system,
                                         .eq = eq,
                                         .tested_count = ps->tested_count,
                                         .tested = ps->tested},
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
        pieces_result_clear(&result);
        if (zero || v->verdict == VERDICT_REFUTED) return true;
    }
    return false;
}
