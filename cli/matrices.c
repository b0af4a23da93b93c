// hamel matrices: mass matrix, forces and constraint matrix of a form.
#include "session.h"
#include "shared_options.h"

static int run(const arguments *a) {
    session s;
    int status;
    if (!session_open(a, &s, &status)) return status;
    char *result = NULL;
    const hamel_status found =
        hamel_model_matrices(s.model, given_text(a, &option_form), given_format(a), &result);
    return session_finish(a, &s, found, result);
}

const command command_matrices = {
    .name = "matrices",
    .purpose = "mass matrix, forces and constraint matrix of a form, as expressions",
    .description = "The equations of a form are M x + F = 0 in its unknowns x, accelerations and "
                   "multipliers; the constraint matrix holds the derivatives of the constraints "
                   "by the velocities. --json is the same as --format json.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options = (const option *const[]){&option_form, &option_matrix_format, &option_json,
                                       &option_set, &option_limit, NULL},
    .examples = {{"matrices sleigh --form multipliers --format numpy",
                  "the augmented mass matrix as Python code"}},
    .run = run,
};
