// Common parts computed once: the largest gain first, again and again, in a few orders of which the
// best is kept; then the signs are settled.
#include "expr/share_internal.h"

enum {
    MOST_WORK = 60000000,       // in occurrences looked at: a second or two
    MOST_INSTRUCTIONS = 400000, // beyond, even that would be too little to be of use
};

typedef struct {
    bool inline_shared;    // products with several users are spread out, too
    int rank[SHARE_KINDS]; // of equal gains
} strategy;

static const strategy strategies[] = {
    {false, {[SHARE_FACTOR] = 3, [SHARE_TERMS] = 2, [SHARE_PAIR] = 1, [SHARE_INVERSE] = 0}},
    {true, {[SHARE_FACTOR] = 3, [SHARE_TERMS] = 2, [SHARE_PAIR] = 1, [SHARE_INVERSE] = 0}},
    {true, {[SHARE_FACTOR] = 1, [SHARE_TERMS] = 0, [SHARE_PAIR] = 2, [SHARE_INVERSE] = 3}},
    {false, {[SHARE_FACTOR] = 1, [SHARE_TERMS] = 0, [SHARE_PAIR] = 2, [SHARE_INVERSE] = 3}},
};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

// A long program has one order only, which came out best, or within a hundredth of
// it, wherever all were tried.
enum { LONG = 2000, FOR_LONG = 1 };

// --- signs of outputs and arguments --------------------------------------------------------------
// -x costs an operation unless x can be computed as -x in the first place. A sum changes its sign
// for nothing, so does a product with a number or with a sum of its own. The terms that use it
// change theirs, for nothing too where they stand in a sum or have a number.

static bool term_has_number(const working *w, const term *t) {
    for (uint32_t i = 0; i < t->count; i++)
        if (w->parts[t->factors[i].key].kind == EXPR_NUMBER) return true;
    return false;
}

typedef struct {
    uint32_t plus, minus; // outputs and arguments
    uint32_t terms;       // with an odd power of it
    bool fixed;           // used where a change of sign would cost
} demand;

static bool absorbs(const working *w, const part *n, uint32_t i) {
    return n->term_count > 1 || term_has_number(w, &n->terms[i]);
}

static demand *list_demands(const working *w) {
    demand *d = memory_zeros(demand, w->count);
    for (uint32_t i = 0; i < w->output_count; i++)
        if (w->outputs[i].sign > 0) d[w->outputs[i].key].plus++;
        else d[w->outputs[i].key].minus++;
    for (uint32_t k = 0; k < w->count; k++) {
        const part *n = &w->parts[k];
        for (uint32_t i = 0; i < n->link_count; i++)
            if (n->links[i].sign > 0) d[n->links[i].key].plus++;
            else d[n->links[i].key].minus++;
        for (uint32_t i = 0; i < n->term_count; i++)
            for (uint32_t j = 0; j < n->terms[i].count; j++) {
                const factor f = n->terms[i].factors[j];
                if (f.power % 2 == 0) continue;
                d[f.key].terms++;
                if (!absorbs(w, n, i)) d[f.key].fixed = true;
            }
    }
    return d;
}

// A sum that only this product uses, once: its sign is free.
static bool has_own_sum(const working *w, const demand *d, const part *product, uint32_t *sum) {
    for (uint32_t j = 0; j < product->terms[0].count; j++) {
        const factor f = product->terms[0].factors[j];
        const demand *of = &d[f.key];
        *sum = f.key;
        if (f.power % 2 && w->parts[f.key].term_count > 1 && of->terms == 1 && !of->plus &&
            !of->minus)
            return true;
    }
    return false;
}

static void turn(link *l, const bool *turned) {
    if (turned[l->key]) l->sign = -l->sign;
}

// The turned parts change their signs, and with them everything that refers to them.
static void turn_all(working *w, const bool *turned) {
    for (uint32_t i = 0; i < w->output_count; i++) turn(&w->outputs[i], turned);
    for (uint32_t k = 0; k < w->count; k++) {
        part *n = &w->parts[k];
        for (uint32_t i = 0; i < n->link_count; i++) turn(&n->links[i], turned);
        for (uint32_t i = 0; i < n->term_count; i++) {
            term *t = &n->terms[i];
            for (uint32_t j = 0; j < t->count; j++)
                if (turned[t->factors[j].key] && t->factors[j].power % 2) t->sign = -t->sign;
            if (turned[k]) t->sign = -t->sign;
        }
    }
}

static void settle_signs(working *w) {
    demand *d = list_demands(w);
    bool *turned = memory_zeros(bool, w->count);
    for (uint32_t k = 0; k < w->count; k++) {
        const part *n = &w->parts[k];
        uint32_t own;
        if (n->kind != EXPR_SUM || !d[k].minus || d[k].plus || d[k].fixed) continue;
        if (absorbs(w, n, 0)) turned[k] = true;
        // the product's own sign stays
        else if (has_own_sum(w, d, n, &own)) turned[k] = turned[own] = true;
    }
    turn_all(w, turned);
    memory_free(turned);
    memory_free(d);
}

// --- the loop ------------------------------------------------------------------------------------

static void working_free(working *w) {
    for (uint32_t i = 0; i < w->count; i++) {
        for (uint32_t j = 0; j < w->parts[i].term_count; j++)
            memory_free(w->parts[i].terms[j].factors);
        memory_free(w->parts[i].terms);
        memory_free(w->parts[i].links);
    }
    memory_free(w->parts);
    memory_free(w->outputs);
    memory_free(w->number_part);
}

// What is done is sound at any time: when the work is used up the rest stays as it is.
static program *improve(const program *prog, const strategy *s, uint64_t *work) {
    working w = share_load(prog, s->inline_shared);
    share_candidates found = {.work = *work};
    uint32_t rounds = 2 * prog->length; // each takes away an operation at least
    do {
        share_tidy(&w);
        while (rounds && found.work < MOST_WORK && share_find(&w, s->rank, &found)) {
            share_apply(&w, &found);
            share_tidy(&w);
            rounds--;
        }
    } while (share_collect(&w));
    *work = found.work;
    share_candidates_free(&found);
    settle_signs(&w);
    program *better = share_emit(&w);
    working_free(&w);
    return better;
}

program *program_share(program *prog) {
    if (prog->length > MOST_INSTRUCTIONS) return prog;
    const bool one = prog->length > LONG;
    program *best = prog;
    uint64_t work = 0;
    for (int i = one ? FOR_LONG : 0; i < (one ? FOR_LONG + 1 : STRATEGIES) && work < MOST_WORK / 4;
         i++) {
        program *candidate = improve(prog, &strategies[i], &work);
        if (operation_counts_total(program_count(candidate)) <
            operation_counts_total(program_count(best))) {
            if (best != prog) program_free(best);
            best = candidate;
        } else {
            program_free(candidate);
        }
    }
    if (best != prog) program_free(prog);
    return best;
}
