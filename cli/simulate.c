// hamel simulate: trajectories.
#include "cli.h"

#include <signal.h>
#include <stdio.h>

static volatile int interrupted;

// The run stops after the step under way, and what was computed is kept.
static void on_interrupt(int signal_number) {
    (void)signal_number;
    interrupted = 1;
}

static int write_out(const void *bytes, size_t size, void *data) {
    (void)data;
    return fwrite(bytes, 1, size, stdout) == size;
}

static int run(const options *o) {
    loaded l;
    int status;
    if (!load_model(o, &l, &status)) return status;
    const hamel_run asked = {.form = o->form, .method = o->method, .at = o->at, .execute = o->execute, .output = o->output, .resume = o->resume,
                             .until = o->until, .tolerance = o->tolerance, .interval = o->every, .step = o->step, .verify = o->verify,
                             .project = o->project, .write = write_out, .interrupted = &interrupted};
    signal(SIGINT, on_interrupt);
    char *result = NULL;
    const hamel_status s = hamel_model_simulate(l.model, &asked, o->format, &result);
    signal(SIGINT, SIG_DFL);
    const bool streams = o->output && o->output[0] == '-' && !o->output[1];
    return finish_to(o, &l, s, result, streams ? stderr : stdout); // the rows have standard output
}

const command command_simulate = {
    .name = "simulate",
    .usage = "MODEL [-o FILE.csv|.h5|.npz|-] [--form ID] [--method M] [--tol T] [--until T] [--every DT] [--at STATE] [--exec HOW] [--verify] [--project] [--json] "
             "[--set name=value]",
    .takes_argument = true,
    .summary = "a trajectory, with the drift of energy, invariants and constraints",
    .help = "-o FILE     where the rows go; - is CSV on standard output\n"
            "--method    auto, or an integrator\n"
            "--tol       tolerance of one step;  --step the step of a method without error control\n"
            "--every     time between rows\n"
            "--exec      compiled (by the system's C compiler, kept in the cache), interpreted, or auto: what is done first; the rows are the same\n"
            "--verify    a second run at a tighter tolerance estimates the error\n"
            "--project   an initial state that violates the constraints is moved to the nearest one in the kinetic metric\n",
    .accepts = OPTION_JSON | OPTION_SET | OPTION_FORM | OPTION_AT | OPTION_OUTPUT | OPTION_METHOD | OPTION_TOLERANCE | OPTION_UNTIL | OPTION_EVERY |
               OPTION_STEP | OPTION_EXECUTE | OPTION_VERIFY | OPTION_PROJECT | OPTION_RESUME,
    .run = run,
};
