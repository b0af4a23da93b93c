// hamel prove: verdicts.
#include "cli.h"

static int run(const options *o) {
    loaded l;
    int status;
    if (!load_model(o, &l, &status)) return status;
    char *result = NULL;
    const hamel_status s = hamel_model_prove_seeded(l.model, o->form ? o->form : "all", o->certify,
                                                    o->seed, o->format, &result);
    return finish(o, &l, s, result);
}

const command command_prove = {
    .name = "prove",
    .usage = "MODEL [--certify] [--seed N] [--form ID[,ID..]|all] [--json] [--set name=value]",
    .takes_argument = true,
    .summary =
        "verdicts: do the forms agree, do claims and invariants hold, where does the energy go",
    .help = "Every line is proved, refuted (with a state and the residual there) or undecided. "
            "Proofs are by random primes, with\n"
            "the probability of error given; --certify asks for proofs by normal form, with no "
            "probability in them, where the\n"
            "size allows. Primes and states are drawn from a seed made of the model's text: the "
            "same model gives the same\n"
            "words; --seed N draws others. Exit status 3 if something was refuted, 4 if something "
            "was not decided.\n",
    .accepts = OPTION_JSON | OPTION_SET | OPTION_FORM | OPTION_CERTIFY | OPTION_SEED,
    .run = run,
};
