// hamel derive: equations of motion.
#include "session.h"
#include "shared_options.h"

#include <string.h>

static const option forms = {.name = "--form",
                             .kind = VALUE_FORMS,
                             .value = "ID,..|all",
                             .usual = "maggi, or multipliers where maggi does not apply",
                             .help =
                                 "the formalisms, with commas between; `hamel forms` lists them"};
static const option format = {.name = "--format",
                              .kind = VALUE_FORMAT,
                              .usual = "text",
                              .help = "how the equations are written"};
static const option stats = {.name = "--stats",
                             .help = "adds the number of operations after sharing, which is what "
                                     "generated code would execute"};
static const option raw = {.name = "--raw",
                           .help = "skips simplification: every common subexpression gets a name"};
static const option full = {.name = "--full",
                            .help = "lists every quantity of a form; without it those that are too "
                                    "long are named only"};

static const option bib = {.name = "--bib",
                           .kind = VALUE_FILE,
                           .value = "FILE.bib",
                           .help = "writes the sources of the forms as BibTeX; with --format latex "
                                   "the equations cite them"};

static hamel_status write_sources(const arguments *a, const session *s) {
    char *sources = NULL;
    hamel_status status =
        hamel_model_references(s->model, given_text(a, &forms), HAMEL_BIBTEX, &sources);
    if (!status) status = hamel_file_write(s->ctx, given_text(a, &bib), sources, strlen(sources));
    hamel_free(sources);
    return status;
}

static int run(const arguments *a) {
    session s;
    int status;
    if (!session_open(a, &s, &status)) return status;
    const unsigned flags =
        (given(a, &stats) ? HAMEL_DERIVE_STATS : 0u) | (given(a, &raw) ? HAMEL_DERIVE_RAW : 0u) |
        (given(a, &full) ? HAMEL_DERIVE_FULL : 0u) | (given(a, &bib) ? HAMEL_DERIVE_CITE : 0u);
    char *result = NULL;
    hamel_status derived =
        hamel_model_derive(s.model, given_text(a, &forms), given_format(a), flags, &result);
    if (!derived && given(a, &bib)) derived = write_sources(a, &s);
    return session_finish(a, &s, derived, result);
}

const command command_derive = {
    .name = "derive",
    .purpose = "equations of motion by one or more formalisms (default: maggi)",
    .description = "--json is the same as --format json.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options = (const option *const[]){&forms, &format, &bib, &stats, &raw, &full, &option_json,
                                       &option_set, &option_limit, NULL},
    .examples = {{"derive sleigh --form hamel,voronec", "the equations by two formalisms"},
                 {"derive pendulum --format latex", "LaTeX to paste into a paper"}},
    .run = run,
};
