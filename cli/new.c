// hamel new: a start for a model of one's own.
#include "shared_options.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool is_name(const char *s) {
    if (!isalpha((unsigned char)*s)) return false;
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && *s != '_') return false;
    return true;
}

static int run(const arguments *a) {
    const char *name = a->words[0];
    if (!is_name(name))
        return complain(a, HAMEL_USAGE, "usage: hamel new NAME",
                        "a model's name is a letter, then letters, digits or _, not `%s`", name);
    char path[512];
    if (snprintf(path, sizeof path, "%s.ham", name) >= (int)sizeof path)
        return complain(a, HAMEL_USAGE, NULL, "this name is too long for a file");
    char *text = hamel_library_template(name);
    if (!text) return complain(a, HAMEL_LIMIT, "allow the process more memory", "memory exhausted");
    FILE *file = fopen(path, "wx"); // never overwrite
    const int why = errno;
    if (!file) hamel_free(text);
    if (!file && why == EEXIST)
        return complain(a, HAMEL_USAGE, "choose another name, or another folder",
                        "`%s` exists already", path);
    if (!file && why == ENOMEM)
        return complain(a, HAMEL_LIMIT, "allow the process more memory", "memory exhausted");
    if (!file)
        return complain(a, HAMEL_NUMERICS, "choose another folder", "cannot write `%s`: %s", path,
                        strerror(why));
    const bool written = fputs(text, file) >= 0 && fflush(file) == 0;
    const int failure = errno;
    hamel_free(text);
    const bool closed = fclose(file) == 0;
    if (!written || !closed) {
        const int reason = written ? errno : failure;
        remove(path);
        return complain(a, HAMEL_NUMERICS, "choose another folder", "cannot write `%s`: %s", path,
                        strerror(reason));
    }
    if (given_format(a) == HAMEL_JSON) printf("{\"file\":\"%s\"}\n", path);
    else printf("%s written; next: hamel check %s, hamel derive %s\n", path, path, path);
    return HAMEL_OK;
}

const command command_new = {
    .name = "new",
    .purpose = "start a model: writes NAME.ham from a template",
    .description = "Never over an existing file.",
    .operands = {{"NAME", VALUE_TEXT, .help = "a letter, then letters, digits or _"}},
    .options = (const option *const[]){&option_json, NULL},
    .examples = {{"new swing", "writes swing.ham, a model that can be checked and run"}},
    .run = run,
};
