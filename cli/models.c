// hamel models: the built-in library.
#include "shared_options.h"
#include "writing.h"

#include <string.h>

// The title is the string after `system NAME` in the text, if there is one.
static void title_of(size_t index, char *out, size_t room) {
    const char *text = hamel_library_text(index, NULL), *line = text;
    *out = '\0';
    while (line && strncmp(line, "system ", 7) != 0)
        line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
    if (!line) return;
    const size_t length = strcspn(line, "\n");
    const char *open = memchr(line, '"', length);
    if (!open) return;
    const size_t size = strcspn(open + 1, "\"\n");
    snprintf(out, room, "%.*s", (int)size, open + 1);
}

static int run(const arguments *a) {
    const bool json = given_format(a) == HAMEL_JSON;
    char title[256];
    if (json) fputs("{\"models\":[", stdout);
    for (size_t i = 0; i < hamel_library_count(); i++) {
        title_of(i, title, sizeof title);
        if (json) {
            fputs(i ? ",{\"name\":" : "{\"name\":", stdout);
            print_json_string(hamel_library_name(i));
            fputs(",\"title\":", stdout);
            print_json_string(title);
            putchar('}');
        } else {
            printf("%-32s %s\n", hamel_library_name(i), title);
        }
    }
    if (json) fputs("]}\n", stdout);
    return HAMEL_OK;
}

const command command_models = {
    .name = "models",
    .purpose = "list the built-in library of models",
    .options = (const option *const[]){&option_json, NULL},
    .examples = {{"models", "names and titles"}},
    .run = run,
};
