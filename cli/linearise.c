// hamel linearise: the linear motion around a steady one, and its eigenvalues.
#include "session.h"
#include "shared_options.h"

static int run(const arguments *a) {
    session s;
    int status;
    if (!session_open(a, &s, &status)) return status;
    char *result = NULL;
    const hamel_status found =
        hamel_model_linearise(s.model, given_text(a, &option_at), given_format(a), &result);
    return session_finish(a, &s, found, result);
}

const command command_linearise = {
    .name = "linearise",
    .purpose = "the linear motion around a steady one: matrix, eigenvalues, stability",
    .description = "The steady motion is the one that `hamel steady` finds near the state. Changes "
                   "are seen by an observer whom the symmetries carry along, on the tangent space "
                   "of the constraints; directions along symmetries and to other steady motions "
                   "are counted as neutral.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options = (const option *const[]){&option_at, &option_json, &option_set, &option_limit, NULL},
    .examples = {{"linearise bicycle --at \"x' = 5\"", "weave, capsize and castering"}},
    .run = run,
};
