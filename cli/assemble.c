// hamel assemble: the completed initial state.
#include "session.h"
#include "shared_options.h"

enum { USUAL_DIGITS = 16 };

static int run(const arguments *a) {
    session s;
    int status;
    if (!session_open(a, &s, &status)) return status;
    const unsigned digits =
        given(a, &option_digits) ? (unsigned)given_whole(a, &option_digits) : USUAL_DIGITS;
    char *result = NULL;
    const hamel_status assembled =
        hamel_model_assemble(s.model, given_text(a, &option_at), digits, given_format(a), &result);
    return session_finish(a, &s, assembled, result);
}

const command command_assemble = {
    .name = "assemble",
    .purpose = "the completed initial state: what was given, guessed and solved for, and other "
               "ways to assemble it",
    .description = "Of several solutions of the constraints the one that Newton's method reaches "
                   "from `guess` is taken. Others that were found from many starts are listed; "
                   "each is a solution, and there may be more. Every number of the state is "
                   "correct to the digits printed.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options = (const option *const[]){&option_at, &option_digits, &option_json, &option_set,
                                       &option_limit, NULL},
    .examples = {{"assemble four_bar", "a linkage that closes in two ways"},
                 {"assemble four_bar --at \"p = 1\" --digits 30", "with the crank elsewhere"}},
    .run = run,
};
