// hamel fmt: texts of models in the canonical layout.
#include "session.h"
#include "shared_options.h"
#include "writing.h"

#include <string.h>

enum { LEAST_WIDTH = 20, MOST_WIDTH = 10000 };

static const option check = {
    .name = "--check",
    .help = "write nothing: name the files that would change, with status 3 if there is one"};
static const option width = {.name = "--width",
                             .kind = VALUE_WHOLE,
                             .value = "N",
                             .least = LEAST_WIDTH,
                             .most = MOST_WIDTH,
                             .usual = "lines of more than 150, at 100",
                             .help = "break lines that are longer than N columns"};

typedef struct {
    const arguments *asked;
    int status; // of the program: the gravest so far
    int named;  // files that were written or would be, so far
} job;

static void name_file(job *j, const char *file) {
    const bool json = given_format(j->asked) == HAMEL_JSON;
    if (json) {
        if (j->named) putchar(',');
        print_json_string(file);
    } else {
        write_shown(file, stdout);
        putchar('\n');
    }
    j->named++;
}

// What a file holds, laid out: to standard output, to the file, or just looked at
static hamel_status hand_over(job *j, hamel_context *ctx, const char *file, const char *text,
                              size_t size, int changes) {
    const bool standard = strcmp(file, "-") == 0;
    if (given(j->asked, &check)) {
        if (changes) name_file(j, standard ? "(standard input)" : file);
        return changes ? HAMEL_REFUTED : HAMEL_OK;
    }
    if (standard) return fwrite(text, 1, size, stdout), HAMEL_OK;
    if (!changes) return HAMEL_OK;
    const hamel_status written = hamel_file_write(ctx, file, text, size);
    if (!written) name_file(j, file);
    return written;
}

static void format_file(job *j, const char *file) {
    hamel_context *ctx = session_context(j->asked);
    char *text = NULL;
    size_t size = 0;
    int changes = 0;
    hamel_status status = hamel_file_format(ctx, file, (unsigned)given_whole(j->asked, &width),
                                            &text, &size, &changes);
    if (!status) status = hand_over(j, ctx, file, text, size, changes);
    hamel_free(text);
    session_tell(ctx);
    hamel_context_destroy(ctx);
    const bool graver = status && (!j->status || j->status == HAMEL_REFUTED);
    if (graver) j->status = (int)status;
}

static int run(const arguments *a) {
    job j = {.asked = a};
    const bool json = given_format(a) == HAMEL_JSON;
    bool standard = !a->word_count;
    for (int i = 0; i < a->word_count; i++) standard |= strcmp(a->words[i], "-") == 0;
    if (json && standard && !given(a, &check))
        return complain(a, HAMEL_USAGE, "leave --json away, or name a file",
                        "the text of standard input goes to standard output, where --json has its "
                        "document");
    if (json) fputs("{\"changed\":[", stdout);
    for (int i = 0; i < a->word_count; i++) format_file(&j, a->words[i]);
    if (!a->word_count) format_file(&j, "-");
    if (json) printf("],\"status\":%d}\n", j.status);
    return j.status;
}

const command command_fmt = {
    .name = "fmt",
    .purpose = "lay out the texts of models: blanks, indentation, long lines",
    .description =
        "Each file is written anew where its layout changes, whole or not at all, and named. "
        "Tokens and comments stay what they are and where they are, and so do the line ends that "
        "you chose. A text that cannot be read as a model is refused, and left as it is. Without a "
        "FILE, and for `-`, standard input is laid out on standard output.",
    .operands = {{"FILE", VALUE_FILE, "a file with a model, or - for standard input",
                  .endings = "ham", .optional = true, .repeats = true}},
    .options = (const option *const[]){&check, &width, &option_json, &option_limit, NULL},
    .examples = {{"fmt swing.ham", "lays out the file, in its place"},
                 {"fmt --check swing.ham", "status 3 if that would change it"}},
    .run = run,
};
