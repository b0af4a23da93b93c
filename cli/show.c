// hamel show: a model of the library.
#include "shared_options.h"
#include "writing.h"

#include <string.h>

static int run(const arguments *a) {
    const char *name = a->words[0];
    for (size_t i = 0; i < hamel_library_count(); i++) {
        if (strcmp(hamel_library_name(i), name) != 0) continue;
        const char *text = hamel_library_text(i, NULL);
        if (given_format(a) != HAMEL_JSON) return fputs(text, stdout), HAMEL_OK;
        fputs("{\"name\":", stdout);
        print_json_string(name);
        fputs(",\"text\":", stdout);
        print_json_string(text);
        fputs("}\n", stdout);
        return HAMEL_OK;
    }
    return complain(a, HAMEL_MODEL, "`hamel models` lists the library",
                    "there is no library model `%s`", name);
}

const command command_show = {
    .name = "show",
    .purpose = "print a model of the library",
    .operands = {{.name = "NAME", .kind = VALUE_LIBRARY_MODEL}},
    .options = (const option *const[]){&option_json, NULL},
    .examples = {{"show sleigh", "the text of the sleigh"}},
    .run = run,
};
