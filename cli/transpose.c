// hamel transpose: transpositional relations.
#include "session.h"
#include "shared_options.h"

static const option form = {.name = "--form",
                            .kind = VALUE_FORM,
                            .value = "ID",
                            .usual = "a-model",
                            .help = "a-model, a-model-b, voronets-chaplygin-g ..; `supplementary` "
                                    "in the model states the rows that complete W"};
static const option format = {.name = "--format",
                              .kind = VALUE_TRANSPOSITION_FORMAT,
                              .usual = "text",
                              .help = "how the relations are written"};

static int run(const arguments *a) {
    session s;
    int status;
    if (!session_open(a, &s, &status)) return status;
    const char *chosen = given_text(a, &form);
    char *result = NULL;
    const hamel_status transposed =
        hamel_model_transpose(s.model, chosen ? chosen : form.usual, given_format(a), &result);
    return session_finish(a, &s, transposed, result);
}

const command command_transpose = {
    .name = "transpose",
    .purpose = "transpositional relations with W, E(L), A and det W (default: a-model)",
    .description = "delta(dx/dt) - d/dt delta(x) for free variations, and reduced to the "
                   "independent ones by Chetaev's conditions.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options =
        (const option *const[]){&form, &format, &option_json, &option_set, &option_limit, NULL},
    .examples = {{"transpose sleigh", "those of the A-model"}},
    .run = run,
};
