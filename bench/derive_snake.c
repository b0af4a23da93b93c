// Times the derivation of the snake of N links: text to model to equations, in one process,
// the least of several repetitions.
//
//   derive_snake FORM STAGE N [REPETITIONS]
//
// FORM is multipliers or maggi. STAGE is how far to go: model (read and analysed),
// residuals, affine (matrix and right-hand side too). Prints one line: N, seconds in all,
// seconds after the model, nodes in the pool.
#include "api/api_internal.h"
#include "derive/formalism.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    double whole, derivation; // seconds
    uint32_t nodes;
} measure;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char *snake_text(size_t *size) {
    for (size_t i = 0; i < hamel_library_count(); i++)
        if (strcmp(hamel_library_name(i), "snake") == 0) return hamel_library_text(i, size);
    return NULL;
}

static int derive(const mechanics *s, const char *form, const char *stage) {
    if (strcmp(stage, "model") == 0) return 0;
    const formalism *f = formalism_find(form);
    if (!f || formalism_refusal(f, s)) return 1;
    equations *eq = formalism_derive(f, s);
    if (strcmp(stage, "affine") == 0) {
        const size_t n = eq->unknown_count;
        expr *out = malloc(sizeof(expr) * (n * n + n));
        equations_affine(eq, out, out + n * n);
        free(out);
    }
    equations_free(eq);
    return context_status(s->model->ctx) != HAMEL_OK;
}

static int run(const char *form, const char *stage, const char *links, measure *least) {
    size_t size;
    const char *text = snake_text(&size);
    if (!text) return 1;
    char count[32];
    snprintf(count, sizeof count, "N=%s", links);
    const double start = now();
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = NULL;
    const mechanics *s = NULL;
    int failed = hamel_context_set(ctx, count) || hamel_model_parse(ctx, "snake", text, size, &m) ||
                 api_mechanics(m, &s);
    const double ready = now();
    if (!failed) failed = derive(s, form, stage);
    const double end = now();
    if (!failed) {
        if (end - start < least->whole) least->whole = end - start;
        if (end - ready < least->derivation) least->derivation = end - ready;
        least->nodes = pool_size(ctx->pool);
    }
    hamel_context_destroy(ctx);
    return failed;
}

int main(int count, char **argument) {
    if (count < 4) {
        fprintf(stderr,
                "usage: derive_snake multipliers|maggi model|residuals|affine N [repetitions]\n");
        return 1;
    }
    const int repetitions = count > 4 ? atoi(argument[4]) : 5;
    measure least = {1e300, 1e300, 0};
    for (int i = 0; i < repetitions; i++) {
        if (run(argument[1], argument[2], argument[3], &least)) {
            fprintf(stderr, "derive_snake: the derivation failed\n");
            return 2;
        }
    }
    printf("%s %.6f %.6f %u\n", argument[3], least.whole, least.derivation, least.nodes);
    return 0;
}
