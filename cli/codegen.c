// hamel codegen: the equations as stand-alone code.
#include "session.h"
#include "shared_options.h"

static const option target = {.name = "--target", .kind = VALUE_TARGET, .help = "what is written"};
static const option output = {.name = "--output",
                              .letter = "-o",
                              .kind = VALUE_FOLDER,
                              .value = "FOLDER",
                              .usual = "NAME-TARGET, for an FMU NAME.fmu",
                              .help = "where it goes, for an FMU a folder or NAME.fmu; what is "
                                      "there and hamel did not make is left alone"};

static const option form = {.name = "--form",
                            .kind = VALUE_FORM,
                            .value = "ID",
                            .usual =
                                "the cheapest to run of those in the variables of maggi, or of "
                                "multipliers where maggi does not apply",
                            .help = "the formalism; `hamel forms` lists them"};

static int run(const arguments *a) {
    session s;
    int status;
    if (!session_open(a, &s, &status)) return status;
    char *result = NULL;
    const hamel_status made =
        hamel_model_codegen(s.model, given_text(a, &target), given_text(a, &form),
                            given_text(a, &option_at), given_text(a, &output), &result);
    return session_finish(a, &s, made, result);
}

const command command_codegen = {
    .name = "codegen",
    .purpose = "the equations as stand-alone code, or as a paper",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options = (const option *const[]){&target, &output, &form, &option_at, &option_set,
                                       &option_limit, NULL},
    .examples = {{"codegen sleigh -o sleigh-c", "a C project; `make` in it builds a program"},
                 {"codegen sleigh --target python", "a NumPy module and a program for SciPy"},
                 {"codegen rattleback --target fmu", "rattleback.fmu, for Simulink and others"}},
    .run = run,
};
