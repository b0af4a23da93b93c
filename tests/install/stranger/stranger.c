// Exits 0 if the installed library opens a model and simulates it.
#include <hamel.h>

int main(void) {
    hamel_context *context = hamel_context_create();
    hamel_model *model = 0;
    char *summary = 0;
    const hamel_run run = {.execute = "compiled"};
    int status = hamel_model_open(context, "sleigh", &model);
    if (!status) status = hamel_model_simulate(model, &run, HAMEL_TEXT, &summary);
    hamel_free(summary);
    hamel_context_destroy(context);
    return status;
}
