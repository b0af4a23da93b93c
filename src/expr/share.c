// The loop: the largest gain first, again and again, in a few orders of which the best is kept.
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

// What is done is sound at any time: when the work is used up the rest stays as it is.
static program *improve(const program *prog, const strategy *s, uint64_t *work) {
    working w = share_load(prog, s->inline_shared);
    share_candidates found = {.work = *work};
    share_tidy(&w);
    uint32_t rounds = 2 * prog->length; // each takes away an operation at least
    while (rounds-- && found.work < MOST_WORK && share_find(&w, s->rank, &found)) {
        share_apply(&w, &found);
        share_tidy(&w);
    }
    *work = found.work;
    share_candidates_free(&found);
    share_settle_signs(&w);
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
