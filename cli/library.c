// hamel models, show, new: the built-in library and a start for a model of one's own.
#include "cli.h"

#include <ctype.h>
#include <stdio.h>
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

void print_json_string(const char *s) {
    putchar('"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') printf("\\%c", *s);
        else if (*s == '\n') fputs("\\n", stdout);
        else if (*s == '\t') fputs("\\t", stdout);
        else if ((unsigned char)*s >= 0x20) putchar(*s);
    }
    putchar('"');
}

static int run_models(const options *o) {
    char title[256];
    if (o->format == HAMEL_JSON) fputs("{\"models\":[", stdout);
    for (size_t i = 0; i < hamel_library_count(); i++) {
        title_of(i, title, sizeof title);
        if (o->format == HAMEL_JSON) {
            fputs(i ? ",{\"name\":" : "{\"name\":", stdout);
            print_json_string(hamel_library_name(i));
            fputs(",\"title\":", stdout);
            print_json_string(title);
            putchar('}');
        } else {
            printf("%-32s %s\n", hamel_library_name(i), title);
        }
    }
    if (o->format == HAMEL_JSON) fputs("]}\n", stdout);
    return HAMEL_OK;
}

static int run_show(const options *o) {
    if (!o->model) {
        fputs("hamel: error: which model?\n  = `hamel models` lists the library\n", stderr);
        return HAMEL_USAGE;
    }
    for (size_t i = 0; i < hamel_library_count(); i++) {
        if (strcmp(hamel_library_name(i), o->model) != 0) continue;
        if (o->format == HAMEL_JSON) {
            fputs("{\"name\":", stdout);
            print_json_string(o->model);
            fputs(",\"text\":", stdout);
            print_json_string(hamel_library_text(i, NULL));
            fputs("}\n", stdout);
        } else {
            fputs(hamel_library_text(i, NULL), stdout);
        }
        return HAMEL_OK;
    }
    fprintf(stderr,
            "hamel: error: there is no library model `%s`\n  = `hamel models` lists the library\n",
            o->model);
    return HAMEL_MODEL;
}

static bool is_name(const char *s) {
    if (!isalpha((unsigned char)*s)) return false;
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && *s != '_') return false;
    return true;
}

static int run_new(const options *o) {
    if (!o->model || !is_name(o->model)) {
        fputs("hamel: error: a model's name is a letter, then letters, digits or _\n  = usage: "
              "hamel new NAME\n",
              stderr);
        return HAMEL_USAGE;
    }
    char path[512];
    snprintf(path, sizeof path, "%s.ham", o->model);
    FILE *file = fopen(path, "wx"); // never overwrite
    if (!file) {
        fprintf(
            stderr,
            "hamel: error: cannot make `%s`: it exists already, or this folder cannot be written\n",
            path);
        return HAMEL_USAGE;
    }
    char *text = hamel_library_template(o->model);
    const bool written = fputs(text, file) >= 0;
    hamel_free(text);
    if (fclose(file) || !written) {
        fprintf(stderr, "hamel: error: cannot write `%s`\n", path);
        return HAMEL_NUMERICS;
    }
    if (o->format == HAMEL_JSON) printf("{\"file\":\"%s\"}\n", path);
    else printf("%s written; next: hamel check %s, hamel derive %s\n", path, path, path);
    return HAMEL_OK;
}

const command command_models = {.name = "models",
                                .usage = "[--json]",
                                .summary = "list the built-in library of models",
                                .accepts = OPTION_JSON,
                                .run = run_models};
const command command_show = {.name = "show",
                              .usage = "NAME [--json]",
                              .takes_argument = true,
                              .summary = "print a model of the library",
                              .accepts = OPTION_JSON,
                              .run = run_show};
const command command_new = {.name = "new",
                             .usage = "NAME [--json]",
                             .takes_argument = true,
                             .summary = "start a model: writes NAME.ham from a template",
                             .accepts = OPTION_JSON,
                             .run = run_new};
