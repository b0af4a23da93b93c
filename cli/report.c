// hamel report: a page for a person.
#include "page_pdf.h"
#include "session.h"
#include "shared_options.h"
#include "writing.h"

#include <stdlib.h>
#include <string.h>

static const option output = {.name = "--output",
                              .letter = "-o",
                              .kind = VALUE_FILE,
                              .value = "FILE.html|.pdf|-",
                              .usual = "NAME.html in the working directory",
                              .help = "where the page goes, as PDF if its name says so; - is "
                                      "standard output"};
static const option forms = {.name = "--form",
                             .kind = VALUE_FORMS,
                             .value = "ID,..|all",
                             .usual = "all that apply",
                             .help = "the forms that get a tab and are compared; a single one also "
                                     "makes the run"};

enum { LONGEST_NAME = 200 };

// A name that promises another format: a.docx. One without an ending promises nothing.
static bool promises_another_format(const char *file) {
    const char *slash = strrchr(file, '/'), *dot = strrchr(slash ? slash : file, '.');
    if (!dot || !dot[1] || strcmp(file, "-") == 0) return false;
    for (const char *c = dot + 1; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789", *c)) return false;
    return strcmp(dot, ".html") && strcmp(dot, ".htm") && strcmp(dot, ".json") &&
           strcmp(dot, ".pdf");
}

// The page, printed; a status
static int write_pdf(const arguments *a, session *s, const char *file, const char *html) {
    page_pdf made = page_print(html);
    if (made.bytes) {
        const hamel_status status = hamel_file_write(s->ctx, file, made.bytes, made.size);
        free(made.bytes);
        return (int)status;
    }
    if (made.no_program)
        return complain(a, HAMEL_NUMERICS,
                        "install chromium (in Debian 12: chromium), or weasyprint, which leaves "
                        "plots and animation out; or write FILE.html, and print it in a browser",
                        "cannot make `%s`: there is no program here that prints a page", file);
    return complain(a, HAMEL_NUMERICS, "write FILE.html, and print it in a browser",
                    "cannot make `%s`: %s", file, made.why);
}

static int run(const arguments *a) {
    session s;
    int status;
    if (given(a, &output) && promises_another_format(given_text(a, &output)))
        return complain(a, HAMEL_USAGE, "`hamel plot` draws figures as PDF, PNG and SVG",
                        "the report is a page: -o wants FILE.html or FILE.pdf, not `%s`",
                        given_text(a, &output));
    if (!session_open(a, &s, &status)) return status;
    const hamel_run asked = shared_run(a);
    const bool json = given_format(a) == HAMEL_JSON;
    char *result = NULL, name[LONGEST_NAME];
    hamel_status made = hamel_model_report(s.model, given_text(a, &forms), &asked,
                                           json ? HAMEL_JSON : HAMEL_HTML, &result);
    name_after_model(a->words[0], ".html", name, sizeof name);
    const char *file = given(a, &output) ? given_text(a, &output) : json ? "-" : name;
    if (!result || strcmp(file, "-") == 0) return session_finish(a, &s, made, result);
    const int written = !json && ends_with(file, ".pdf")
                            ? write_pdf(a, &s, file, result)
                            : (int)hamel_file_write(s.ctx, file, result, strlen(result));
    if (!written) write_shown(file, stdout), putchar('\n');
    *result = 0; // nothing of it for standard output
    return session_finish(a, &s, written ? (hamel_status)written : made, result);
}

const command command_report = {
    .name = "report",
    .purpose = "a page to read, send and show: model, classification, equations, proofs, motion",
    .description = "One HTML file that needs nothing else: it opens from the disk, without a "
                   "network. Where there can be no run (a parameter without a value) or no "
                   "verdict, the page says why. --json gives only the data that the page carries: "
                   "the run and its scene.\n"
                   "FILE.pdf is the page as a browser prints it: chromium, or weasyprint, which "
                   "runs no scripts and leaves plots and animation out.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options = (const option *const[]){&output, &forms, &option_method, &option_tol, &option_until,
                                       &option_every, &option_at, &option_json, &option_set,
                                       &option_limit, NULL},
    .examples = {{"report sleigh", "writes sleigh.html, to be opened in a browser"}},
    .run = run,
};
