// hamel sweep: one model from very many starts.
#include "interrupts.h"
#include "session.h"
#include "shared_options.h"
#include "sweep_options.h"
#include "terminal.h"
#include "writing.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

// --- options -------------------------------------------------------------------------------------

static const option vary = {.name = "--vary",
                            .kind = VALUE_TEXT,
                            .value = "NAME=A..B count N",
                            .usual = "the statements `sweep` of the model",
                            .help = "a parameter or an initial value and its values, as behind "
                                    "`sweep`: several make a grid",
                            .repeats = true};
static const option collect = {.name = "--collect",
                               .kind = VALUE_TEXT,
                               .value = "NAME=max(E),..",
                               .usual = "the statements `collect` of the model",
                               .help = "what is kept of each run, as behind `collect`",
                               .repeats = true};
static const option samples = {.name = "--samples",
                               .kind = VALUE_TEXT,
                               .value = "N [sobol|latin]",
                               .usual = "what the model says",
                               .help = "how many samples are drawn of distributions, and how"};
static const option seed = {.name = "--seed",
                            .kind = VALUE_TEXT,
                            .value = "S",
                            .usual = "what the model says, else 0",
                            .help = "of the samples: the same seed gives the same runs"};
enum { MOST_THREADS = 1024 };
static const option threads = {.name = "--threads",
                               .kind = VALUE_WHOLE,
                               .value = "N",
                               .least = 1,
                               .most = MOST_THREADS,
                               .usual = "as many as there are processors",
                               .help = "the results do not depend on it"};
static const option device = {.name = "--device",
                              .kind = VALUE_CHOICE,
                              .choices = (const char *const[]){"cpu", "cuda", NULL},
                              .usual = "cpu",
                              .help = "cuda: a GPU, by nvcc; it takes methods tsit5, dop853 and "
                                      "taylor"};
static const option output = {.name = "--output",
                              .letter = "-o",
                              .kind = VALUE_FILE,
                              .value = "FILE.csv|.h5|-",
                              .usual = "- without --json, --plot and --figure",
                              .help = "where the rows go, in the format the name ends in; - is CSV "
                                      "on standard output"};
enum { MOST_KEPT = 1000000 };
static const option keep = {.name = "--keep",
                            .kind = VALUE_WHOLE,
                            .value = "N",
                            .least = 1,
                            .most = MOST_KEPT,
                            .usual = "none",
                            .help = "N of the runs, spread evenly, in full beside the output: "
                                    "rows.csv has rows-0.csv, .., as `simulate` writes them"};
static const option figure = {.name = "--figure",
                              .kind = VALUE_FILE,
                              .value = "FILE.svg|.png|.pdf",
                              .help = "draws what was collected over what was varied, or the "
                                      "panels that are named, in the format the name ends in"};
static const option plot = {.name = "--plot", .help = "draws it in characters"};
static const option resume = {.name = "--resume",
                              .help = "goes on with the journal beside the file: what was finished "
                                      "before a kill is not computed again"};

// --- progress on a terminal ----------------------------------------------------------------------

static void write_time(double seconds) {
    if (isnan(seconds)) return;
    if (seconds < 100) fprintf(stderr, ", %.0f s left", seconds);
    else if (seconds < 6000) fprintf(stderr, ", %.0f min left", seconds / 60);
    else fprintf(stderr, ", %.1f h left", seconds / 3600);
}

static void draw_progress(const hamel_sweep_progress *p, void *data) {
    fprintf(stderr, "\r\033[K%llu of %llu runs", p->done, p->runs);
    if (p->failed) fprintf(stderr, ", %llu failed", p->failed);
    fprintf(stderr, ", %.4g a second", p->rate);
    write_time(p->remaining);
    fflush(stderr);
    *(bool *)data = true;
}

// --- the command ---------------------------------------------------------------------------------

static size_t list(const arguments *a, const option *o, const char **out) {
    size_t count = 0;
    for (int i = 0; i < a->given_count; i++)
        if (a->given[i].option == o) out[count++] = a->given[i].text;
    return count;
}

// What cannot go together; HAMEL_OK
static int refuse(const arguments *a) {
    if (a->word_count > 1 && !given(a, &plot) && !given(a, &figure))
        return complain(a, HAMEL_USAGE, "panels are drawn with --plot or --figure",
                        "one argument too many: `%s`", a->words[1]);
    if (given(a, &plot) && given(a, &figure))
        return complain(a, HAMEL_USAGE, "give one of them; `hamel plot FILE.csv` draws again",
                        "--plot draws in characters, and --figure in a file");
    if (given(a, &plot) && given_format(a) == HAMEL_JSON)
        return complain(a, HAMEL_USAGE, "leave --json out, or give a file with --figure",
                        "--plot draws behind a summary in words");
    return HAMEL_OK;
}

int sweep_options_read(const arguments *a, sweep_options *out) {
    const bool draws = given(a, &plot) || given(a, &figure);
    const char *file = given_text(a, &output);
    if (!file && given_format(a) != HAMEL_JSON && !draws) file = "-";
    out->streams = file && strcmp(file, "-") == 0;
    out->drawing = (hamel_plot){.panels = a->words + 1,
                                .panel_count = a->word_count ? (size_t)a->word_count - 1 : 0,
                                .output = given_text(a, &figure)};
    terminal_fit(&out->drawing, out->streams ? stderr : stdout);
    out->asked = (hamel_sweep){.vary = out->varied,
                               .collect = out->collected,
                               .vary_count = list(a, &vary, out->varied),
                               .collect_count = list(a, &collect, out->collected),
                               .samples = given_text(a, &samples),
                               .seed = given_text(a, &seed),
                               .output = file,
                               .resume = given(a, &resume),
                               .device = given_text(a, &device),
                               .keep = given_whole(a, &keep),
                               .threads = (unsigned)given_whole(a, &threads),
                               .figure = draws ? &out->drawing : NULL};
    out->run = shared_run(a);
    out->run.write = terminal_write;
    return refuse(a);
}

static int run(const arguments *a) {
    session s;
    sweep_options o;
    int status = sweep_options_read(a, &o);
    if (status || !session_open(a, &s, &status)) return status;
    bool drawn = false;
    o.asked.progress = isatty(STDERR_FILENO) ? draw_progress : NULL;
    o.asked.data = &drawn;
    hamel_limits limits = given_limits(a, &option_limit);
    o.run.interrupted = interrupts_heed();
    hamel_context_limit(s.ctx, &limits);
    char *result = NULL;
    const hamel_status found =
        hamel_model_sweep(s.model, &o.asked, &o.run, given_format(a), &result);
    interrupts_leave();
    if (drawn) fputs("\r\033[K", stderr);
    return session_finish_to(a, &s, found, result, o.streams ? stderr : stdout);
}

const command command_sweep = {
    .name = "sweep",
    .purpose = "one model from very many starts and with many values of its parameters",
    .description =
        "What is varied and what is kept of each run stands in the model, as `sweep` and "
        "`collect`, or is given with --vary and --collect. Rows are in the order of the "
        "runs: what is varied, what is collected, how the run ended.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL},
                 {"NAME", VALUE_TEXT, "with --plot or --figure, a panel: see `hamel help plot`",
                  .optional = true, .repeats = true}},
    .options = (const option *const[]){&vary,         &collect,     &samples,       &seed,
                                       &output,       &figure,      &plot,          &keep,
                                       &resume,       &threads,     &device,        &option_until,
                                       &option_at,    &option_form, &option_method, &option_tol,
                                       &option_every, &option_step, &option_exec,   &option_project,
                                       &option_json,  &option_set,  &option_limit,  NULL},
    .examples = {{"sweep pendulum --vary \"g=1..10 count 4\" --collect \"top=max(y)\"",
                  "a row for each g"}},
    .run = run,
};
