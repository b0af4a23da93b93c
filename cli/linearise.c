// hamel linearise: the linear motion around a steady one, and its eigenvalues.
#include "session.h"
#include "shared_options.h"

static const option symbolic = {.name = "--symbolic",
                                .help = "matrices as expressions in the parameters and the "
                                        "velocities of the motion, where that is known exactly"};
static const option split = {.name = "--split",
                             .kind = VALUE_TEXT,
                             .value = "NAMES",
                             .help = "takes M, C and K apart as polynomials in these parameters "
                                     "and velocities, such as \"x', g\""};

static int run(const arguments *a) {
    session s;
    int status;
    if (!session_open(a, &s, &status)) return status;
    char *result = NULL;
    const hamel_status found = hamel_model_linearise(
        s.model, given_text(a, &option_at), given_text(a, &split),
        given(a, &symbolic) ? HAMEL_LINEARISE_SYMBOLIC : 0u, given_format(a), &result);
    return session_finish(a, &s, found, result);
}

const command command_linearise = {
    .name = "linearise",
    .also = "linearize",
    .purpose = "the linear motion around a steady one: matrices, eigenvalues, stability",
    .description = "The steady motion is the one that `hamel steady` finds near the state. Changes "
                   "are seen by an observer whom the symmetries carry along, on the tangent space "
                   "of the constraints; directions along symmetries and to other steady motions "
                   "are counted as neutral. --json is the same as --format json.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options = (const option *const[]){&option_at, &symbolic, &split, &option_matrix_format,
                                       &option_json, &option_set, &option_limit, NULL},
    .examples = {{"linearise bicycle --at \"x' = 5\"", "weave, capsize and castering"},
                 {"linearise bicycle --split \"x', g\"", "as the benchmark has it: C1, K0 and K2"}},
    .run = run,
};
