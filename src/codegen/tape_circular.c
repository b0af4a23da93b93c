// sin, cos and tan in three-address code: which are computed together, and which from others.
#include "codegen/tape_internal.h"

#include <stdlib.h>

typedef struct {
    uint32_t sine, cosine;
} circular;

// sin and cos of one argument stand side by side: jets need both, and a compiler merges
// them. Those of a sum or difference of two angles whose sin and cos are computed anyway
// follow from the addition theorems.
static circular circular_of(builder *w, uint32_t argument) {
    if (!w->split[argument])
        return (circular){tape_emit_unary(w, TAPE_SIN, w->of[argument]),
                          tape_emit_unary(w, TAPE_COS, w->of[argument])};
    const uint32_t *term = w->prog->operands + w->prog->code[argument].first;
    const bool minus_a = w->prog->code[term[1]].node == EXPR_MINUS_ONE,
               minus_b = w->prog->code[term[3]].node == EXPR_MINUS_ONE;
    const circular a = circular_of(w, term[2]), b = circular_of(w, term[4]);
    const uint32_t sc = tape_emit(w, TAPE_MUL, a.sine, b.cosine),
                   cs = tape_emit(w, TAPE_MUL, a.cosine, b.sine);
    const uint32_t cc = tape_emit(w, TAPE_MUL, a.cosine, b.cosine),
                   ss = tape_emit(w, TAPE_MUL, a.sine, b.sine);
    if (minus_a != minus_b)
        return (circular){minus_a ? tape_emit(w, TAPE_SUB, cs, sc) : tape_emit(w, TAPE_SUB, sc, cs),
                          tape_emit(w, TAPE_ADD, cc, ss)};
    const uint32_t sine = tape_emit(w, TAPE_ADD, sc, cs);
    return (circular){minus_a ? tape_emit_unary(w, TAPE_NEG, sine) : sine,
                      tape_emit(w, TAPE_SUB, cc, ss)};
}

static bool is_unit(const builder *w, uint32_t at) {
    return w->prog->code[at].node == EXPR_ONE || w->prog->code[at].node == EXPR_MINUS_ONE;
}

// a + b, a - b ..
static bool is_pair_of_angles(const builder *w, uint32_t argument) {
    const instruction *c = &w->prog->code[argument];
    const uint32_t *term = w->prog->operands + c->first;
    return c->kind == EXPR_SUM && c->count == 5 && w->prog->code[term[0]].node == EXPR_ZERO &&
           is_unit(w, term[1]) && is_unit(w, term[3]);
}

void plan_circular(builder *w) {
    const program *g = w->prog;
    bool *sine = memory_zeros(bool, 3 * (size_t)g->length + 3), *cosine = sine + g->length + 1,
         *tangent = cosine + g->length + 1;
    for (uint32_t i = 0; i < g->length; i++) {
        bool *seen = g->code[i].kind == EXPR_SIN   ? sine
                     : g->code[i].kind == EXPR_COS ? cosine
                     : g->code[i].kind == EXPR_TAN ? tangent
                                                   : NULL;
        if (seen) seen[g->operands[g->code[i].first]] = true;
    }
    for (uint32_t i = 0; i < g->length; i++) {
        if (!sine[i] && !cosine[i]) continue;
        w->circle[i] = w->circle[i] || (sine[i] && cosine[i]) || tangent[i];
        if (!is_pair_of_angles(w, i)) continue;
        const uint32_t *term = g->operands + g->code[i].first, a = term[2], b = term[4];
        w->split[i] = (sine[a] || cosine[a]) && (sine[b] || cosine[b]);
        if (w->split[i]) w->circle[i] = w->circle[a] = w->circle[b] = true;
    }
    memory_free(sine);
}

uint32_t make_circular(builder *w, const instruction *c) {
    const uint32_t argument = w->prog->operands[c->first];
    if (!w->circle[argument])
        return tape_emit_unary(w,
                               c->kind == EXPR_SIN   ? TAPE_SIN
                               : c->kind == EXPR_COS ? TAPE_COS
                                                     : TAPE_TAN,
                               w->of[argument]);
    const circular f = circular_of(w, argument);
    return c->kind == EXPR_SIN   ? f.sine
           : c->kind == EXPR_COS ? f.cosine
                                 : tape_emit(w, TAPE_DIV, f.sine, f.cosine);
}
