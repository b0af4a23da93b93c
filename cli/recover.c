// hamel recover: the file of a run that was cut short.
#include "session.h"
#include "shared_options.h"

static int run(const arguments *a) {
    session s = {.ctx = session_context(a)};
    char *result = NULL;
    const hamel_status made = hamel_recover(s.ctx, a->words[0], given_format(a), &result);
    return session_finish(a, &s, made, result);
}

const command command_recover = {
    .name = "recover",
    .purpose = "the file of a run that was killed or whose disk was full, from its journal",
    .description = "While a run goes on its rows are in FILE.journal, beside the FILE that -o "
                   "names. Where the run could not end in good order the journal stays: `recover` "
                   "makes FILE of every whole row in it, and removes it. To go on with the run "
                   "instead, use `simulate MODEL --resume FILE`.",
    .operands = {{"FILE", VALUE_FILE, .help = "the file that was to be written, or its journal"}},
    .options = (const option *const[]){&option_json, &option_limit, NULL},
    .examples = {{"recover run.h5", "make run.h5 of run.h5.journal"}},
    .run = run,
};
