// Collecting: a polynomial as a sum over monomials in velocities, accelerations and multipliers,
// the way equations of motion are printed, or in parameters, the way energies are.
#include "normal/ring.h"

#include <string.h>

typedef struct {
    ulong *key; // exponents of the collected generators, 0 elsewhere
    fmpz_mpoly_t coefficient;
} group;

typedef struct {
    group *items;
    uint32_t count, capacity;
} groups;

static bool is_chosen(const ring *R, uint32_t i, collect_choice choice) {
    if (i >= R->generators_count) return false;
    const generator *g = &R->generators[i];
    return choice == COLLECT_MOVING    ? g->moving
           : choice == COLLECT_FASTEST ? g->fastest
                                       : g->parameter;
}

static group *find_group(ring *R, groups *list, const ulong *key, uint32_t nvars) {
    const size_t bytes = sizeof(ulong) * nvars;
    for (uint32_t i = list->count; i-- > 0;) // lexicographic order: the group is likely the newest
        if (memcmp(list->items[i].key, key, bytes) == 0) return &list->items[i];
    array_reserve(list->items, list->count, list->capacity);
    group *g = &list->items[list->count++];
    g->key = memory_array(ulong, nvars);
    memcpy(g->key, key, bytes);
    fmpz_mpoly_init(g->coefficient, R->ctx);
    return g;
}

static groups collect(ring *R, const fmpz_mpoly_t f, collect_choice choice) {
    const uint32_t nvars = (uint32_t)fmpz_mpoly_ctx_nvars(R->ctx);
    ulong *exponents = memory_array(ulong, nvars), *key = memory_array(ulong, nvars);
    groups list = {0};
    for (slong i = 0; i < f->length; i++) {
        fmpz_mpoly_get_term_exp_ui(exponents, f, i, R->ctx);
        for (uint32_t j = 0; j < nvars; j++) {
            const bool chosen = is_chosen(R, j, choice);
            key[j] = chosen ? exponents[j] : 0;
            if (chosen) exponents[j] = 0;
        }
        group *g = find_group(R, &list, key, nvars);
        // stays in order within a group
        fmpz_mpoly_push_term_fmpz_ui(g->coefficient, f->coeffs + i, exponents, R->ctx);
    }
    memory_free(exponents);
    memory_free(key);
    return list;
}

static void groups_clear(ring *R, groups *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        memory_free(list->items[i].key);
        fmpz_mpoly_clear(list->items[i].coefficient, R->ctx);
    }
    memory_free(list->items);
}

uint32_t collect_group_count(ring *R, const fmpz_mpoly_t f, collect_choice choice) {
    groups list = collect(R, f, choice);
    const uint32_t count = list.count;
    groups_clear(R, &list);
    return count;
}

bool collect_is_energy(ring *R, const fraction *f) {
    const fmpz_mpoly_struct *n = fmpz_mpoly_q_numref(f);
    if (!fmpz_mpoly_is_fmpz(fmpz_mpoly_q_denref(f), R->ctx)) return false;
    ulong *exponents = memory_array(ulong, fmpz_mpoly_ctx_nvars(R->ctx));
    bool quadratic = true;
    for (slong i = 0; i < n->length && quadratic; i++) {
        fmpz_mpoly_get_term_exp_ui(exponents, n, i, R->ctx);
        ulong degree = 0;
        for (uint32_t j = 0; j < R->generators_count; j++)
            if (R->generators[j].moving)
                degree += R->generators[j].fastest ? 3 * exponents[j] : exponents[j];
        quadratic = degree == 2;
    }
    memory_free(exponents);
    return quadratic;
}

// The shorter of expanded and factored, expanded if they are equally long.
static expr coefficient_form(ring *R, const fmpz_mpoly_t f) {
    if (f->length < 2) return rebuild_expanded(R, f);
    const expr factored = factor_rebuild(R, f);
    const uint32_t weight = expr_weight(R->p, factored);
    if (weight < rebuild_weight(R, f)) return factored;
    const expr plain = rebuild_expanded(R, f);
    uint32_t other;
    return weight_is_below(R->p, plain, weight + 1, &other) ? plain : factored;
}

static expr plain_coefficient(ring *R, const fmpz_mpoly_t f, const fraction *whole) {
    (void)whole;
    return coefficient_form(R, f);
}

static expr fraction_coefficient(ring *R, const fmpz_mpoly_t f, const fraction *whole) {
    fraction part;
    fmpz_mpoly_q_init(&part, R->ctx);
    fmpz_mpoly_set(fmpz_mpoly_q_numref(&part), f, R->ctx);
    fmpz_mpoly_set(fmpz_mpoly_q_denref(&part), fmpz_mpoly_q_denref(whole), R->ctx);
    fmpz_mpoly_q_canonicalise(&part, R->ctx);
    const expr top = coefficient_form(R, fmpz_mpoly_q_numref(&part)),
               bottom = factor_rebuild(R, fmpz_mpoly_q_denref(&part));
    fmpz_mpoly_q_clear(&part, R->ctx);
    return expr_div(R->p, top, bottom);
}

// sum of coefficient*key over the groups of f. The terms are different, so the sum weighs as much
// as they do without their numbers: given up when that reaches the limit.
static expr rebuild_groups(ring *R, const fmpz_mpoly_t f, collect_choice choice,
                           const fraction *whole, uint32_t limit,
                           expr (*form)(ring *, const fmpz_mpoly_t, const fraction *)) {
    groups list = collect(R, f, choice);
    expr *terms = memory_array(expr, list.count + 1), number, rest;
    uint32_t total = 0;
    for (uint32_t i = 0; i < list.count && total < limit; i++) {
        const expr key = rebuild_monomial(R, list.items[i].key);
        terms[i] = expr_mul(R->p, form(R, list.items[i].coefficient, whole), key);
        expr_split_coefficient(R->p, terms[i], &number, &rest);
        uint32_t weight;
        total = weight_is_below(R->p, rest, limit - total, &weight) ? total + weight : limit;
    }
    expr e = total >= limit ? EXPR_NONE
             : list.count   ? expr_sum(R->p, list.count, terms)
                            : EXPR_ZERO;
    memory_free(terms);
    groups_clear(R, &list);
    return e;
}

expr collect_rebuild(ring *R, const fmpz_mpoly_t f, collect_choice choice, uint32_t limit) {
    return rebuild_groups(R, f, choice, NULL, limit, plain_coefficient);
}

expr collect_rebuild_split(ring *R, const fraction *f, collect_choice choice, uint32_t limit) {
    return rebuild_groups(R, fmpz_mpoly_q_numref(f), choice, f, limit, fraction_coefficient);
}
