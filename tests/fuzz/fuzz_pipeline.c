// Fuzzes the way of a model from its text to numbers: read, classified, derived, evaluated. Which
// form, format and digits are asked for follows from the text.
#include "model_share.h"

#include <hamel.h>

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint32_t hash(const uint8_t *data, size_t size) {
    uint32_t h = 2166136261u; // FNV-1a
    for (size_t i = 0; i < size; i++) h = (h ^ data[i]) * 16777619u;
    return h;
}

static void use(hamel_model *m, uint32_t h) {
    size_t count = 0;
    while (hamel_known("forms", count, NULL)) count++;
    const char *form = hamel_known("forms", h % count, NULL);
    char *result = NULL;
    (void)hamel_model_check(m, h & 1 ? HAMEL_TEXT : HAMEL_JSON, h >> 1 & 1, &result);
    hamel_free(result), result = NULL;
    (void)hamel_model_derive(m, h & 8 ? NULL : form, (hamel_format)(h >> 4) % (HAMEL_SYMPY + 1),
                             h >> 8 & 15, &result);
    hamel_free(result), result = NULL;
    (void)hamel_model_evaluate(m, form, NULL, 1 + (h >> 12 & 31), HAMEL_TEXT, &result);
    hamel_free(result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hamel_context *context = hamel_context_create();
    if (!context) return 0;
    (void)hamel_context_limit(context, &(hamel_limits){.time = 2, .memory = 1 << 30});
    hamel_model *model = NULL;
    const hamel_status status = hamel_model_parse(context, "fuzz.ham", data, size, &model);
    model_share_count(status == HAMEL_OK);
    if (status == HAMEL_OK) use(model, hash(data, size));
    hamel_free(hamel_diagnostics(context));
    hamel_context_destroy(context);
    return 0;
}
