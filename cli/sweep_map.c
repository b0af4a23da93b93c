// Maps of what becomes of runs.
#include "sweep_map.h"

#include "interrupts.h"
#include "session.h"
#include "shared_options.h"
#include "terminal.h"

#include <unistd.h>

enum { MOST_CELLS = 4096, MOST_DEPTH = 12, MOST_THREADS = 1024 };
static const option map_vary = {.name = "--vary",
                                .kind = VALUE_TEXT,
                                .value = "NAME=A..B",
                                .help = "what the map is over, twice",
                                .repeats = true};
static const option map_by = {
    .name = "--by",
    .kind = VALUE_TEXT,
    .value = "QUANTITY",
    .usual = "how the run ended",
    .help = "the class of a run is this expression where it ends, rounded to a "
            "whole number"};
static const option map_cells = {.name = "--cells",
                                 .kind = VALUE_WHOLE,
                                 .value = "N",
                                 .least = 1,
                                 .most = MOST_CELLS,
                                 .usual = "16",
                                 .help = "cells on each side at first"};
static const option map_depth = {
    .name = "--depth",
    .kind = VALUE_WHOLE,
    .value = "N",
    .least = 1,
    .most = MOST_DEPTH,
    .usual = "4",
    .help = "how often cells whose corners are of several classes are halved"};
static const option map_whole = {.name = "--whole",
                                 .help =
                                     "looks at all points of the finest raster, to find what the "
                                     "first cells miss"};
static const option map_threads = {.name = "--threads",
                                   .kind = VALUE_WHOLE,
                                   .value = "N",
                                   .least = 1,
                                   .most = MOST_THREADS,
                                   .usual = "as many as there are processors",
                                   .help = "the results do not depend on it"};
static const option map_output = {.name = "--output",
                                  .letter = "-o",
                                  .kind = VALUE_FILE,
                                  .value = "FILE.csv",
                                  .usual = "none",
                                  .help = "the cells in the end, with the class of each"};
static const option map_figure = {.name = "--figure",
                                  .kind = VALUE_FILE,
                                  .value = "FILE.svg|.png|.pdf",
                                  .help = "draws the classes, in the format the name ends in"};
static const option map_plot = {.name = "--plot", .help = "draws the classes in characters"};

static const option map_stability = {
    .name = "--stability",
    .help = "the class of a point is what eigenvalues say of the steady motion there; "
            "nothing is run"};

#define OPTIONS                                                                                    \
    &map_vary, &map_by, &map_cells, &map_depth, &map_whole, &map_threads, &map_output,             \
        &map_figure, &map_plot, &option_until, &option_at, &option_form, &option_method,           \
        &option_tol, &option_step, &option_exec, &option_project, &option_json, &option_set,       \
        &option_limit, NULL
const option *const basin_options[] = {OPTIONS};
const option *const map_options[] = {&map_stability, OPTIONS};

static void draw_progress(const hamel_sweep_progress *p, void *data) {
    fprintf(stderr, "\r\033[K%llu of %llu points, and perhaps more", p->done, p->runs);
    fflush(stderr);
    *(bool *)data = true;
}

static int refuse(const arguments *a) {
    if (given(a, &map_plot) && given(a, &map_figure))
        return complain(a, HAMEL_USAGE, "give one of them",
                        "--plot draws in characters, and --figure in a file");
    if (given(a, &map_plot) && given_format(a) == HAMEL_JSON)
        return complain(a, HAMEL_USAGE, "leave --json out, or give a file with --figure",
                        "--plot draws behind a summary in words");
    static const option *const OF_RUNS[] = {&map_by,      &map_threads,   &option_until,
                                            &option_form, &option_method, &option_tol,
                                            &option_step, &option_exec,   &option_project};
    for (size_t i = 0; i < sizeof OF_RUNS / sizeof *OF_RUNS && given(a, &map_stability); i++)
        if (given(a, OF_RUNS[i]))
            return complain(a, HAMEL_USAGE, "leave one of them out",
                            "%s is for runs, and --stability makes none", OF_RUNS[i]->name);
    return HAMEL_OK;
}

int map_run(const arguments *a) {
    session s;
    int status = refuse(a);
    if (status || !session_open(a, &s, &status)) return status;
    const char *varied[MOST_GIVEN];
    bool drawn = false;
    hamel_plot drawing = {.output = given_text(a, &map_figure)};
    terminal_fit(&drawing, stdout);
    hamel_map asked = {.vary = varied,
                       .by = given_text(a, &map_by),
                       .cells = (unsigned)given_whole(a, &map_cells),
                       .depth = (unsigned)given_whole(a, &map_depth),
                       .whole = given(a, &map_whole),
                       .stability = given(a, &map_stability),
                       .threads = (unsigned)given_whole(a, &map_threads),
                       .output = given_text(a, &map_output),
                       .figure = given(a, &map_plot) || drawing.output ? &drawing : NULL,
                       .progress = isatty(STDERR_FILENO) ? draw_progress : NULL,
                       .data = &drawn};
    for (int i = 0; i < a->given_count; i++)
        if (a->given[i].option == &map_vary) varied[asked.vary_count++] = a->given[i].text;
    hamel_run how = shared_run(a);
    how.write = terminal_write;
    hamel_limits limits = given_limits(a, &option_limit);
    how.interrupted = interrupts_heed();
    hamel_context_limit(s.ctx, &limits);
    char *result = NULL;
    const hamel_status found = hamel_model_map(s.model, &asked, &how, given_format(a), &result);
    interrupts_leave();
    if (drawn) fputs("\r\033[K", stderr);
    return session_finish(a, &s, found, result);
}
