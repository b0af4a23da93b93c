// The options that several commands have.
#include "shared_options.h"

const option option_set = {.name = "--set",
                           .kind = VALUE_TEXT,
                           .value = "name=value",
                           .help = "another value for a `param` or `const` of the model",
                           .of_run = true,
                           .repeats = true};
const option option_limit = {
    .name = "--limit",
    .kind = VALUE_LIMITS,
    .value = "time=S,memory=N,..",
    .usual = "no limit of time; memory: three quarters of the machine's, 16G at most; nodes=8M, "
             "rows=100M, bytes=1G",
    .help = "what may be spent before the command ends with status 6: seconds, bytes of memory, "
            "nodes of expressions, rows of a run, bytes of rows in memory or in a file; "
            "k, M, G, T are allowed",
    .repeats = true};
const option option_json = {.name = "--json",
                            .kind = VALUE_FORMAT,
                            .implied = "json",
                            .help = "the result as one JSON document"};
const option option_matrix_format = {.name = "--format",
                                     .kind = VALUE_MATRIX_FORMAT,
                                     .usual = "text",
                                     .help = "how the matrices are written"};
const option option_form = {.name = "--form",
                            .kind = VALUE_FORM,
                            .value = "ID",
                            .usual = "maggi, or multipliers where maggi does not apply",
                            .help = "the formalism; `hamel forms` lists them",
                            .of_run = true};
enum { MOST_DIGITS = 100000 };
const option option_digits = {.name = "--digits",
                              .kind = VALUE_WHOLE,
                              .value = "N",
                              .least = 1,
                              .most = MOST_DIGITS,
                              .usual = "16",
                              .help = "digits of every number, all of them correct"};
const option option_at = {.name = "--at",
                          .kind = VALUE_TEXT,
                          .value = "STATE",
                          .usual = "the `initial` of the model",
                          .help = "changes to the initial state, such as \"t=0, x=1, x'=2\"",
                          .of_run = true};

// --- of a run ------------------------------------------------------------------------------------

const option option_method = {.name = "--method",
                              .kind = VALUE_METHOD,
                              .value = "M",
                              .usual = "what the model says, else auto",
                              .help = "the integrator",
                              .of_run = true};
const option option_tol = {.name = "--tol",
                           .kind = VALUE_POSITIVE,
                           .value = "T",
                           .usual = "what the model says, else 1e-10",
                           .help = "tolerance of one step",
                           .of_run = true};
const option option_until = {.name = "--until",
                             .kind = VALUE_NUMBER,
                             .value = "T",
                             .usual = "what the model says, else 10",
                             .help = "the time at which the run ends",
                             .of_run = true};
const option option_every = {.name = "--every",
                             .kind = VALUE_POSITIVE,
                             .value = "DT",
                             .usual = "what the model says, else chosen",
                             .help = "time between rows",
                             .of_run = true};
const option option_step = {.name = "--step",
                            .kind = VALUE_POSITIVE,
                            .value = "DT",
                            .usual = "what the tolerance asks for at the start",
                            .help = "the step of a method without error control",
                            .of_run = true};
const option option_exec = {.name = "--exec",
                            .kind = VALUE_CHOICE,
                            .choices =
                                (const char *const[]){"auto", "compiled", "interpreted", NULL},
                            .usual = "auto, whichever is done first",
                            .help = "compiled by the system's C compiler and kept in the cache, or "
                                    "interpreted; the rows are the same",
                            .of_run = true};
const option option_project = {.name = "--project",
                               .help = "an initial state that violates the constraints is moved to "
                                       "the nearest one in the kinetic metric",
                               .of_run = true};

hamel_run shared_run(const arguments *a) {
    return (hamel_run){.form = given_text(a, &option_form),
                       .method = given_text(a, &option_method),
                       .at = given_text(a, &option_at),
                       .execute = given_text(a, &option_exec),
                       .until = given_number(a, &option_until),
                       .tolerance = given_number(a, &option_tol),
                       .interval = given_number(a, &option_every),
                       .step = given_number(a, &option_step),
                       .project = given(a, &option_project)};
}
