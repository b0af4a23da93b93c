// hamel simulate: trajectories.
#include "interrupts.h"
#include "session.h"
#include "shared_options.h"
#include "terminal.h"
#include "writing.h"

#include <string.h>
#include <unistd.h>

// --- options -------------------------------------------------------------------------------------

static const option plot = {.name = "--plot",
                            .help = "draws y against x, the coordinates against t, or what is "
                                    "named: see `hamel help plot`"};
static const option output = {.name = "--output",
                              .letter = "-o",
                              .kind = VALUE_FILE,
                              .value = "FILE.csv|.h5|.npz|-",
                              .usual = "no rows are kept",
                              .help = "where the rows go, in the format its name ends in; - is CSV "
                                      "on standard output"};
static const option precision = {
    .name = "--precision",
    .kind = VALUE_CHOICE,
    .choices = (const char *const[]){"double", "long", "quad", NULL},
    .usual = "double",
    .help = "long (1e-19) or quad (1e-33): taylor in wider numbers than double, at that tolerance "
            "unless --tol is given; CSV has all their digits"};
static const option verify = {.name = "--verify",
                              .help = "a second run at a tighter tolerance estimates the error"};
static const option resume = {.name = "--resume",
                              .kind = VALUE_FILE,
                              .value = "FILE.h5",
                              .endings = "h5",
                              .help =
                                  "go on with the run in this file, to its end or to --until; a "
                                  "run stopped by Ctrl-C or killed goes on where it was"};

// --- progress on a terminal ----------------------------------------------------------------------

static void draw_progress(double fraction, void *data) {
    enum { WIDTH = 50 };
    char bar[WIDTH + 1];
    const double part = fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;
    const size_t full = (size_t)(part * WIDTH);
    memset(bar, '-', WIDTH), memset(bar, '#', full);
    bar[WIDTH] = 0;
    fprintf(stderr, "\r[%s] %3.0f %%", bar, 100 * part);
    fflush(stderr);
    *(bool *)data = true;
}

static void erase_progress(void) { fputs("\r\033[K", stderr); }

// --- after Ctrl-C --------------------------------------------------------------------------------

static void say_how_to_continue(const arguments *a) {
    const char *file = given(a, &resume) ? given_text(a, &resume) : given_text(a, &output);
    if (!file || strcmp(file, "-") == 0) return;
    fputs("hamel: interrupted: what was computed is in `", stderr);
    write_shown(file, stderr);
    fputs("`\n", stderr);
    if (!ends_with(file, ".h5")) {
        fputs("  = a run can go on only from an .h5 file: give -o FILE.h5 next time\n", stderr);
        return;
    }
    fputs("  = it goes on with `hamel simulate ", stderr);
    write_shown(a->words[0], stderr);
    for (int i = 0; i < a->given_count; i++)
        if (a->given[i].option == &option_set) {
            fputs(" --set '", stderr);
            write_shown(a->given[i].text, stderr);
            putc('\'', stderr);
        }
    fputs(" --resume ", stderr);
    write_shown(file, stderr);
    fputs("`, to another end with `--until T`\n", stderr);
}

// --- the run -------------------------------------------------------------------------------------

static int refuse(const arguments *a) {
    if (a->word_count > 1 && !given(a, &plot))
        return complain(a, HAMEL_USAGE, "curves are drawn with --plot",
                        "one argument too many: `%s`", a->words[1]);
    if (given(a, &plot) && given_format(a) == HAMEL_JSON)
        return complain(a, HAMEL_USAGE, "leave --json out, or write a file with `hamel plot`",
                        "--plot draws behind a summary in words");
    return HAMEL_OK;
}

static int run(const arguments *a) {
    session s;
    int status = refuse(a);
    if (status || !session_open(a, &s, &status)) return status;
    const char *file = given_text(a, &output);
    const bool streams = file && strcmp(file, "-") == 0;
    hamel_plot drawing = {.panels = a->words + 1, .panel_count = (size_t)a->word_count - 1};
    terminal_fit(&drawing, streams ? stderr : stdout);
    bool drawn = false; // terminal_write needs no data, draw_progress this
    hamel_run asked = shared_run(a);
    asked.precision = given_text(a, &precision);
    asked.output = file, asked.resume = given_text(a, &resume);
    asked.verify = given(a, &verify);
    asked.plot = given(a, &plot) ? &drawing : NULL;
    asked.write = terminal_write, asked.data = &drawn;
    hamel_limits limits = given_limits(a, &option_limit);
    limits.interrupted = interrupts_heed();
    hamel_context_limit(s.ctx, &limits);
    if (isatty(STDERR_FILENO) && !(streams && isatty(STDOUT_FILENO)))
        asked.progress = draw_progress;
    char *result = NULL;
    const hamel_status ended = hamel_model_simulate(s.model, &asked, given_format(a), &result);
    const bool interrupted = interrupts_leave();
    if (drawn) erase_progress();
    const bool stopped = interrupted && ended == HAMEL_NUMERICS && result;
    // the rows have standard output
    status = session_finish_to(a, &s, ended, result, streams ? stderr : stdout);
    if (stopped) say_how_to_continue(a);
    return status;
}

const command command_simulate = {
    .name = "simulate",
    .purpose = "a trajectory, with the drift of energy, invariants and constraints",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL},
                 {"X:Y", VALUE_TEXT, "with --plot, what is drawn: see `hamel help plot`",
                  .optional = true, .repeats = true}},
    .options = (const option *const[]){&plot, &output, &option_form, &option_method, &option_tol,
                                       &option_until, &option_every, &option_step, &option_at,
                                       &option_exec, &precision, &verify, &option_project, &resume,
                                       &option_json, &option_set, &option_limit, NULL},
    .examples = {{"simulate sleigh --plot", "a run, its drift and its path"},
                 {"simulate sleigh --until 100 -o sleigh.csv", "rows for a table or a script"},
                 {"simulate sleigh --tol 1e-8 --verify", "how wrong the run is"}},
    .run = run,
};
