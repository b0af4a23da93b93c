// Random models: the motion by every form against that of the second evaluator.
#include "hamel.h"
#include "support/fuzz_models.h"

#include "support/typed_agreement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Compares all forms of a text at one state; `why` gets the last reason.
static agreement judge(const char *text, uint64_t seed, char why[256]) {
    agreement a = {0};
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = NULL;
    mechanics *system = NULL;
    why[0] = '\0';
    if (hamel_model_parse(ctx, "random.ham", text, strlen(text), &m) == HAMEL_OK &&
        mechanics_create(m, NULL, &system) == HAMEL_OK)
        compare_with_typed(m, system, 1, seed, NULL, &a);
    else {
        char *said = hamel_diagnostics(ctx);
        snprintf(why, 256, "%.200s", said);
        hamel_free(said);
    }
    if (a.why) snprintf(why, 256, "%s", a.why);
    hamel_context_destroy(ctx);
    return a;
}

static int is_wrong(const char *text, void *seed) {
    char why[256];
    return judge(text, *(const uint64_t *)seed, why).wrong > 0;
}

model_count fuzz_models(uint64_t seed, uint32_t cases) {
    enum { SHOWN = 3 };
    model_count count = {0};
    const bool verbose = getenv("HAMEL_VERBOSE") != NULL;
    uint32_t tried = 0;
    for (uint32_t i = 0; i < cases && run_has_time(); i++) {
        tried++;
        char text[RANDOM_TEXT], why[256];
        const uint64_t own = case_seed(seed, i) % 1000003 + 1;
        random_model(own, text);
        const agreement a = judge(text, own, why);
        count.models += a.states;
        count.refused += !a.states;
        count.compared += a.compared;
        count.wide += a.wide;
        if (verbose && (!a.states || a.wide))
            fprintf(stderr, "case %u (seed %llu): %s\n%s\n", i, (unsigned long long)own, why, text);
        count.wrong += a.wrong;
        if (!a.wrong || count.wrong > SHOWN + a.wrong) continue;
        fprintf(stderr, "case %u (case seed %llu): %s\n%s", i, (unsigned long long)own, why, text);
        uint64_t kept = own;
        shrink_text(text, is_wrong, &kept);
        judge(text, own, why);
        fprintf(stderr, "shrunk: %s\n%s", why, text);
    }
    fprintf(
        stderr,
        "%u models, seed %llu: %u moved, %u refused; %u forms compared, %u wrong, %u too wide\n",
        tried, (unsigned long long)seed, count.models, count.refused, count.compared, count.wrong,
        count.wide);
    return count;
}
