// Random expressions and their rates, evaluated by the pool and by the second
// evaluator at random states.
#include "hamel.h"
#include "support/fuzz_expressions.h"

#include "support/support.h"
#include "typed/typed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 128, SHARP = 30, SHOWN = 5 };

typedef enum { CASE_AGREES, CASE_WRONG, CASE_EXTENDED, CASE_LOST, CASE_UNKNOWN } case_result;

// Most values are eighths between -3 and 3; now and then 0, 1 or -1.
static void random_value(uint64_t *random, arb_t v) {
    static const double special[] = {0, 1, -1};
    if (random_next(random) % 12 == 0) arb_set_d(v, special[random_next(random) % 3]);
    else arb_set_d(v, (double)(random_next(random) % 49) / 8 - 3);
}

static void random_point(state *s, uint64_t seed) {
    const model *m = s->model;
    uint64_t random = seed;
    arb_t v;
    arb_init(v);
    static const double parameters[] = {1.5, -2, 0.25, 3}; // as the declarations say
    for (uint32_t i = 0; i < m->parameters_count; i++) {
        arb_set_d(v, parameters[i]);
        state_set(s, m->parameters[i].symbol, v);
    }
    random_value(&random, v);
    state_set(s, m->time, v);
    for (uint32_t i = 0; i < m->coordinates_count; i++)
        for (uint32_t order = 0; order < 4; order++) {
            random_value(&random, v);
            state_set(s, expr_symbol_of_order(m->pool, m->coordinates[i], order), v);
        }
    arb_clear(v);
}

static bool is_sharp(const arb_t v) {
    return arb_is_finite(v) && (arb_is_exact(v) || arb_rel_accuracy_bits(v) > SHARP);
}

static bool exclude_one_another(const arb_t a, const arb_t b) {
    return arb_is_finite(a) && arb_is_finite(b) && !arb_overlaps(a, b);
}

static case_result compare_values(const typed_finding *found, const arb_t typed,
                                  const arb_t pooled) {
    const bool has_typed = found->status == TYPED_OK && arb_is_finite(typed),
               has_pooled = arb_is_finite(pooled);
    if (has_typed && has_pooled) {
        if (!arb_overlaps(typed, pooled)) return CASE_WRONG;
        return is_sharp(typed) || is_sharp(pooled) ? CASE_AGREES : CASE_UNKNOWN;
    }
    if (found->status == TYPED_UNDEFINED && is_sharp(pooled)) return CASE_EXTENDED;
    return has_typed && is_sharp(typed) ? CASE_LOST : CASE_UNKNOWN;
}

// The observable `it` of a text at a random state.
static case_result judge(const char *expression, uint64_t seed, bool speak) {
    char whole[RANDOM_TEXT + 2048];
    snprintf(whole, sizeof whole, "%sobserve it = %s\n", random_declarations, expression);
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = NULL;
    case_result result = CASE_UNKNOWN;
    if (hamel_model_parse(ctx, "random.ham", whole, strlen(whole), &m) == HAMEL_OK &&
        m->observables_count) {
        state s;
        expr value[2] = {m->observables[0].value, expr_ddt(m->pool, m->observables[0].value)};
        state_init(&s, m, BITS);
        random_point(&s, seed);
        model_concrete(m, false, 2, value, value);
        state_reserve(&s);
        arb_t typed, pooled, rate, pooled_rate;
        arb_init(typed), arb_init(pooled), arb_init(rate), arb_init(pooled_rate);
        expr_value_arb(m->pool, value[0], s.value, BITS, pooled);
        expr_value_arb(m->pool, value[1], s.value, BITS, pooled_rate);
        const typed_finding found = typed_value(&m->observables[0].typed, &s, typed, NULL),
                            found_rate = typed_value(&m->observables[0].typed, &s, typed, rate);
        result = compare_values(&found, typed, pooled);
        if (found_rate.status == TYPED_OK && exclude_one_another(rate, pooled_rate))
            result = CASE_WRONG;
        if (speak) {
            fprintf(stderr, "  as typed: "), arb_fprintd(stderr, typed, 20);
            fprintf(stderr, " (%s)\n  the pool: ", found.reason ? found.reason : "ok"),
                arb_fprintd(stderr, pooled, 20);
            fprintf(stderr, "\n  rates: "), arb_fprintd(stderr, rate, 20);
            fprintf(stderr, ", "), arb_fprintd(stderr, pooled_rate, 20);
            fprintf(stderr, "\n");
        }
        arb_clear(typed), arb_clear(pooled), arb_clear(rate), arb_clear(pooled_rate);
        state_clear(&s);
    }
    hamel_context_destroy(ctx);
    return result;
}

typedef struct {
    uint64_t seed;
    case_result kind;
} failure;

static int still_fails(const char *expression, void *data) {
    const failure *f = data;
    return judge(expression, f->seed, false) == f->kind;
}

static void show(const char *what, char text[RANDOM_TEXT], uint64_t seed, case_result kind) {
    fprintf(stderr, "%s (case seed %llu): %s\n", what, (unsigned long long)seed, text);
    judge(text, seed, true);
    failure f = {seed, kind};
    shrink_text(text, still_fails, &f);
    fprintf(stderr, "  shrunk: %s\n", text);
    judge(text, seed, true);
}

fuzz_count fuzz_expressions(uint64_t seed, uint32_t cases) {
    fuzz_count count = {0};
    uint32_t shown_extended = 0, shown_lost = 0;
    const bool verbose = getenv("HAMEL_VERBOSE") != NULL;
    for (uint32_t i = 0; i < cases && run_has_time(); i++) {
        count.cases++;
        char text[RANDOM_TEXT];
        const uint64_t own = case_seed(seed, i);
        random_expression(own, text);
        const case_result result = judge(text, own, false);
        count.agree += result == CASE_AGREES;
        count.extended += result == CASE_EXTENDED;
        count.lost += result == CASE_LOST;
        count.unknown += result == CASE_UNKNOWN;
        if (result == CASE_WRONG && count.wrong++ < SHOWN) {
            fprintf(stderr, "case %u: ", i);
            show("wrong", text, own, result);
        }
        if (verbose && result == CASE_EXTENDED && shown_extended++ < SHOWN)
            show("extended", text, own, result);
        if (verbose && result == CASE_LOST && shown_lost++ < SHOWN) show("lost", text, own, result);
    }
    fprintf(stderr,
            "%u expressions, seed %llu: %u agree, %u wrong, %u have a value only in the pool, %u "
            "only as typed, %u unknown\n",
            count.cases, (unsigned long long)seed, count.agree, count.wrong, count.extended,
            count.lost, count.unknown);
    return count;
}
