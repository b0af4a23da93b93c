// hamel prove: verdicts.
#include "session.h"
#include "shared_options.h"

static const option forms = {
    .name = "--form",
    .kind = VALUE_FORMS,
    .value = "ID,..|all",
    .usual = "all",
    .help = "the formalisms that are compared, with commas between; `hamel forms` lists them"};
static const option certify = {.name = "--certify",
                               .help = "proofs by normal form, with no probability in them, where "
                                       "the size allows"};
static const option seed = {.name = "--seed",
                            .kind = VALUE_WHOLE,
                            .value = "N",
                            .least = 1,
                            .most = ~0ull,
                            .usual = "made of the model's text",
                            .help = "from which primes and states are drawn"};

static int run(const arguments *a) {
    session s;
    int status;
    if (!session_open(a, &s, &status)) return status;
    const char *chosen = given_text(a, &forms);
    char *result = NULL;
    const hamel_status judged =
        hamel_model_prove_seeded(s.model, chosen ? chosen : forms.usual, given(a, &certify),
                                 given_whole(a, &seed), given_format(a), &result);
    return session_finish(a, &s, judged, result);
}

const command command_prove = {
    .name = "prove",
    .purpose =
        "verdicts: do the forms agree, do claims and invariants hold, where does the energy go",
    .description =
        "Every line is proved, refuted (with a state and the residual there) or undecided. Proofs "
        "are by random primes, with the probability of error given. The same model and seed give "
        "the same words. Exit status 3 if something was refuted, 4 if something was not decided.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options = (const option *const[]){&certify, &seed, &forms, &option_json, &option_set,
                                       &option_limit, NULL},
    .examples = {{"prove sleigh", "do all forms agree on the sleigh, and what is conserved"},
                 {"prove sleigh --form maggi,voronec --certify", "by normal form"}},
    .run = run,
};
