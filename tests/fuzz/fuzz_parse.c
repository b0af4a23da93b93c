// Fuzzes the parser through the public API: no text may crash it, leak, hang or outgrow its limits.
#include "model_share.h"

#include <hamel.h>

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hamel_context *context = hamel_context_create();
    if (!context) return 0;
    hamel_model *model = NULL;
    const hamel_status status = hamel_model_parse(context, "fuzz.ham", data, size, &model);
    model_share_count(status == HAMEL_OK);
    if (status == HAMEL_OK) {
        char *description = NULL;
        (void)hamel_model_describe(model, HAMEL_TEXT, &description);
        hamel_free(description);
    }
    hamel_free(hamel_diagnostics(context)); // rendered, so that every caret is drawn
    hamel_context_destroy(context);
    return 0;
}
