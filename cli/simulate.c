// hamel simulate: trajectories.
#include "cli.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile int interrupted;

// The run stops after the step under way, and what was computed is kept. Asked
// twice, the program ends at once.
static void on_interrupt(int signal_number) {
    interrupted = 1;
    signal(signal_number, SIG_DFL);
}

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

static void say_how_to_continue(const options *o) {
    const char *file = o->resume ? o->resume : o->output;
    if (!file || strcmp(file, "-") == 0) return;
    fprintf(stderr, "hamel: interrupted: what was computed is in `%s`\n", file);
    if (!ends_with(file, ".h5")) {
        fputs("  = a run can go on only from an .h5 file: give -o FILE.h5 next time\n", stderr);
        return;
    }
    fprintf(stderr, "  = it goes on with `hamel simulate %s", o->model);
    for (int i = 0; i < o->set_count; i++) fprintf(stderr, " --set '%s'", o->set[i]);
    fprintf(stderr, " --resume %s`, to another end with `--until T`\n", file);
}

static bool is_understood(const options *o) {
    if (o->more_count && !o->plot)
        fprintf(stderr,
                "hamel: error: one argument too many: `%s`\n  = curves are drawn with --plot\n",
                o->more[0]);
    else if (o->plot && o->format == HAMEL_JSON)
        fputs("hamel: error: --plot draws behind a summary in words\n  = leave --json out, or "
              "write a file with `hamel plot`\n",
              stderr);
    else return true;
    return false;
}

static int run(const options *o) {
    loaded l;
    int status;
    if (!is_understood(o)) return HAMEL_USAGE;
    if (!load_model(o, &l, &status)) return status;
    const bool streams = o->output && strcmp(o->output, "-") == 0;
    const hamel_plot plot = plot_on_terminal(o, streams ? stderr : stdout);
    bool drawn = false; // write_to_standard_output needs no data, draw_progress this
    const hamel_run asked = {
        .form = o->form,
        .method = o->method,
        .at = o->at,
        .execute = o->execute,
        .precision = o->precision,
        .output = o->output,
        .resume = o->resume,
        .until = o->until,
        .tolerance = o->tolerance,
        .interval = o->every,
        .step = o->step,
        .verify = o->verify,
        .project = o->project,
        .plot = o->plot ? &plot : NULL,
        .write = write_to_standard_output,
        .data = &drawn,
        .interrupted = &interrupted,
        .progress =
            isatty(STDERR_FILENO) && !(streams && isatty(STDOUT_FILENO)) ? draw_progress : NULL};
    signal(SIGINT, on_interrupt);
    char *result = NULL;
    const hamel_status s = hamel_model_simulate(l.model, &asked, o->format, &result);
    signal(SIGINT, SIG_DFL);
    if (drawn) erase_progress();
    const bool stopped = interrupted && s == HAMEL_NUMERICS && result;
    // the rows have standard output
    status = finish_to(o, &l, s, result, streams ? stderr : stdout);
    if (stopped) say_how_to_continue(o);
    return status;
}

const command command_simulate = {
    .name = "simulate",
    .usage = "MODEL [--plot [X:Y ..]] [-o FILE.csv|.h5|.npz|-] [--form ID] [--method M] [--tol T] "
             "[--until T] [--every DT] [--at STATE] [--exec HOW] [--precision double|long|quad] "
             "[--verify] [--project] [--resume FILE.h5] [--json] [--set name=value]",
    .takes_argument = true,
    .extra_arguments = MOST_MORE,
    .summary = "a trajectory, with the drift of energy, invariants and constraints",
    .help =
        "--plot      draws y against x, the coordinates against t, or what is named: see `hamel "
        "help plot`\n"
        "-o FILE     where the rows go, in the format its name ends in; - is CSV on standard "
        "output\n"
        "--method    auto, or an integrator\n"
        "--tol       tolerance of one step;  --step the step of a method without error control\n"
        "--every     time between rows\n"
        "--precision long (1e-19) or quad (1e-33): taylor in wider numbers than double, at that "
        "tolerance unless --tol is given; CSV has all their digits\n"
        "--exec      compiled (by the system's C compiler, kept in the cache), interpreted, or "
        "auto: what is done first; the rows are the same\n"
        "--verify    a second run at a tighter tolerance estimates the error\n"
        "--project   an initial state that violates the constraints is moved to the nearest one in "
        "the kinetic metric\n"
        "--resume    go on with the run in this .h5 file, to its end or to --until; a run stopped "
        "by Ctrl-C or killed goes on where it was\n",
    .accepts = OPTION_JSON | OPTION_SET | OPTION_FORM | OPTION_AT | OPTION_OUTPUT | OPTION_METHOD |
               OPTION_TOLERANCE | OPTION_UNTIL | OPTION_EVERY | OPTION_STEP | OPTION_EXECUTE |
               OPTION_VERIFY | OPTION_PROJECT | OPTION_RESUME | OPTION_PRECISION | OPTION_PLOT,
    .run = run,
};
