// hamel report: a page for a person.
#include "cli.h"

#include <string.h>

enum { LONGEST_NAME = 200 };

// folder/swing.ham becomes swing.html, in the working directory.
static void name_after_model(const char *path, char *name) {
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path,
               *dot = strrchr(start, '.');
    if (strcmp(path, "-") == 0) start = "system", dot = NULL;
    const int length = dot && dot > start ? (int)(dot - start) : (int)strlen(start);
    snprintf(name, LONGEST_NAME, "%.*s.html", length < LONGEST_NAME - 6 ? length : LONGEST_NAME - 6,
             start);
}

static bool write_file(const char *name, const char *page) {
    FILE *file = fopen(name, "wb");
    if (!file) return false;
    const bool written = fwrite(page, 1, strlen(page), file) == strlen(page);
    return fclose(file) == 0 && written;
}

static int run(const options *o) {
    loaded l;
    int status;
    if (!load_model(o, &l, &status)) return status;
    const hamel_run asked = {.at = o->at,
                             .method = o->method,
                             .until = o->until,
                             .tolerance = o->tolerance,
                             .interval = o->every};
    const bool json = o->format == HAMEL_JSON;
    char *result = NULL, name[LONGEST_NAME];
    hamel_status s =
        hamel_model_report(l.model, o->form, &asked, json ? HAMEL_JSON : HAMEL_HTML, &result);
    name_after_model(o->model, name);
    const char *output = o->output ? o->output : json ? "-" : name;
    if (!result || strcmp(output, "-") == 0) return finish(o, &l, s, result);
    const bool written = write_file(output, result);
    if (written) printf("%s\n", output);
    else fprintf(stderr, "hamel: error: cannot write `%s`\n", output);
    *result = 0; // nothing of it for standard output
    return finish(o, &l, written ? s : HAMEL_NUMERICS, result);
}

const command command_report = {
    .name = "report",
    .usage = "MODEL [-o FILE.html|-] [--form ID[,ID..]|all] [--method M] [--tol T] [--until T] "
             "[--every DT] [--at STATE] [--json] [--set name=value]",
    .takes_argument = true,
    .summary = "a page to read, send and show: model, classification, equations, proofs, motion",
    .help = "One HTML file that needs nothing else: it opens from the disk, without a network.\n"
            "-o FILE     where it goes (default: NAME.html in the working directory); - is "
            "standard output\n"
            "--form      the forms that get a tab and are compared (default: all that apply); a "
            "single one also makes the run\n"
            "--json      only the data that the page carries: the run and its scene\n"
            "Where there can be no run (a parameter without a value) or no verdict, the page says "
            "why.\n",
    .accepts = OPTION_JSON | OPTION_SET | OPTION_FORM | OPTION_AT | OPTION_OUTPUT | OPTION_METHOD |
               OPTION_TOLERANCE | OPTION_UNTIL | OPTION_EVERY,
    .run = run,
};
