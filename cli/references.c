// hamel references: the sources, as text or for a paper.
#include "session.h"
#include "shared_options.h"

#include <stdlib.h>
#include <string.h>

static const option format = {.name = "--format",
                              .kind = VALUE_SOURCE_FORMAT,
                              .usual = "text",
                              .help = "how the sources are written"};

// The words, with commas between; NULL: none were given. The caller frees it.
static char *joined(const arguments *a) {
    size_t length = 1;
    for (int i = 0; i < a->word_count; i++) length += strlen(a->words[i]) + 1;
    char *names = a->word_count ? calloc(length, 1) : NULL;
    for (int i = 0; i < a->word_count && names; i++) {
        if (i) strcat(names, ",");
        strcat(names, a->words[i]);
    }
    return names;
}

static int run(const arguments *a) {
    session s = {.ctx = session_context(a)};
    char *names = joined(a), *result = NULL;
    const hamel_status listed = hamel_references(s.ctx, names, given_format(a), &result);
    free(names);
    return session_finish(a, &s, listed, result);
}

const command command_references = {
    .name = "references",
    .purpose = "the sources that outputs name by keys such as T18: authors, year, title",
    .description = "A NAME is the key of a source, or the id of a formalism, which stands for the "
                   "sources it comes from. Without one, all are listed.",
    .operands = {{"NAME", VALUE_TEXT, .help = "key of a source, or id of a formalism",
                  .optional = true, .repeats = true}},
    .options = (const option *const[]){&format, &option_json, &option_limit, NULL},
    .examples = {{"references T18 maggi", "a paper, and the sources of Maggi's equations"},
                 {"references --format bibtex", "all sources, for LaTeX"}},
    .run = run,
};
