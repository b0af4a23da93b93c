// Collecting: a polynomial as a sum over monomials in velocities, accelerations and multipliers, the way equations of
// motion are printed.
#include "normal/ring.h"

#include <stdlib.h>
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
    return i < R->generator_count && (choice == COLLECT_FASTEST ? R->generators[i].fastest : R->generators[i].moving);
}

static group *find_group(ring *R, groups *list, const ulong *key, size_t bytes) {
    for (uint32_t i = list->count; i-- > 0;) // lexicographic order: the group is likely the newest
        if (memcmp(list->items[i].key, key, bytes) == 0) return &list->items[i];
    array_reserve(list->items, list->count, list->capacity);
    group *g = &list->items[list->count++];
    g->key = memory_resize(NULL, bytes);
    memcpy(g->key, key, bytes);
    fmpz_mpoly_init(g->coefficient, R->ctx);
    return g;
}

static groups collect(ring *R, const fmpz_mpoly_t f, collect_choice choice) {
    const uint32_t nvars = (uint32_t)fmpz_mpoly_ctx_nvars(R->ctx);
    const size_t bytes = sizeof(ulong) * nvars;
    ulong *exponents = memory_resize(NULL, bytes), *key = memory_resize(NULL, bytes);
    groups list = {0};
    for (slong i = 0; i < f->length; i++) {
        fmpz_mpoly_get_term_exp_ui(exponents, f, i, R->ctx);
        for (uint32_t j = 0; j < nvars; j++) {
            const bool chosen = is_chosen(R, j, choice);
            key[j] = chosen ? exponents[j] : 0;
            if (chosen) exponents[j] = 0;
        }
        group *g = find_group(R, &list, key, bytes);
        fmpz_mpoly_push_term_fmpz_ui(g->coefficient, f->coeffs + i, exponents, R->ctx); // stays in order within a group
    }
    free(exponents);
    free(key);
    return list;
}

static void groups_clear(ring *R, groups *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        free(list->items[i].key);
        fmpz_mpoly_clear(list->items[i].coefficient, R->ctx);
    }
    free(list->items);
}

uint32_t collect_group_count(ring *R, const fmpz_mpoly_t f, collect_choice choice) {
    groups list = collect(R, f, choice);
    const uint32_t count = list.count;
    groups_clear(R, &list);
    return count;
}

static expr coefficient_form(ring *R, const fmpz_mpoly_t f) {
    const expr plain = rebuild_expanded(R, f);
    return f->length < 2 ? plain : shorter(R->p, plain, rebuild_factored(R, f));
}

expr rebuild_collected(ring *R, const fmpz_mpoly_t f, collect_choice choice) {
    groups list = collect(R, f, choice);
    expr *terms = memory_resize(NULL, sizeof(expr) * (list.count + 1));
    for (uint32_t i = 0; i < list.count; i++)
        terms[i] =
            expr_mul(R->p, coefficient_form(R, list.items[i].coefficient), rebuild_monomial(R, list.items[i].key));
    const expr e = list.count ? expr_sum(R->p, list.count, terms) : EXPR_ZERO;
    free(terms);
    groups_clear(R, &list);
    return e;
}

expr rebuild_split(ring *R, const fraction *f, collect_choice choice) {
    groups list = collect(R, fmpz_mpoly_q_numref(f), choice);
    expr *terms = memory_resize(NULL, sizeof(expr) * (list.count + 1));
    fraction part;
    fmpz_mpoly_q_init(&part, R->ctx);
    for (uint32_t i = 0; i < list.count; i++) {
        fmpz_mpoly_set(fmpz_mpoly_q_numref(&part), list.items[i].coefficient, R->ctx);
        fmpz_mpoly_set(fmpz_mpoly_q_denref(&part), fmpz_mpoly_q_denref(f), R->ctx);
        fmpz_mpoly_q_canonicalise(&part, R->ctx);
        const expr top = coefficient_form(R, fmpz_mpoly_q_numref(&part)),
                   bottom = rebuild_factored(R, fmpz_mpoly_q_denref(&part));
        terms[i] = expr_mul(R->p, expr_div(R->p, top, bottom), rebuild_monomial(R, list.items[i].key));
    }
    const expr e = list.count ? expr_sum(R->p, list.count, terms) : EXPR_ZERO;
    fmpz_mpoly_q_clear(&part, R->ctx);
    free(terms);
    groups_clear(R, &list);
    return e;
}
