// What the second route costs: `prove` over the library with it and without it, in one process, the
// least processor time of several repetitions.
//
//   second_route [REPETITIONS]
//
// Prints a line for each model where it matters: seconds with, seconds without, the
// share; then the share of the whole.
#include "bound.h"

#include "api/api_internal.h"
#include "prove/prove.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double MOST = 0.30, WORTH_A_LINE = 0.05; // share of the whole; seconds

static double spent(void) { return (double)clock() / CLOCKS_PER_SEC; }

// Processor seconds of one judgement; negative if the model cannot be judged.
static double judge(size_t number, bool algebra_alone) {
    size_t size;
    const char *text = hamel_library_text(number, &size), *name = hamel_library_name(number);
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = NULL;
    const mechanics *s = NULL;
    double seconds = -1;
    if (!hamel_model_parse(ctx, name, text, size, &m) && !api_mechanics(m, &s)) {
        judgement j = {0};
        const double start = spent();
        if (!prove_model(m, s, &(prove_request){.algebra_alone = algebra_alone}, &j))
            seconds = spent() - start;
        judgement_free(&j);
    }
    hamel_context_destroy(ctx);
    return seconds;
}

static double least(size_t number, bool algebra_alone, int repetitions) {
    double best = judge(number, algebra_alone);
    for (int i = 1; i < repetitions; i++) {
        const double seconds = judge(number, algebra_alone);
        if (seconds < best) best = seconds;
    }
    return best;
}

int main(int argc, char **argv) {
    const int repetitions = argc > 1 ? atoi(argv[1]) : 3;
    double with = 0, without = 0;
    for (size_t i = 0; i < hamel_library_count(); i++) {
        const double both = least(i, false, repetitions), algebra = least(i, true, repetitions);
        if (both < 0 || algebra < 0) continue;
        with += both, without += algebra;
        if (both > WORTH_A_LINE)
            printf("%-28s %.3f s with, %.3f s without: %3.0f %%\n", hamel_library_name(i), both,
                   algebra, 100 * (both - algebra) / both);
    }
    const double share = with > 0 ? (with - without) / with : 1;
    printf("the whole library: %.2f s with, %.2f s without\n", with, without);
    return !bound("the second route, of the time of `prove` over the library", 100 * share,
                  100 * MOST, "%");
}
