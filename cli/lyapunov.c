// hamel lyapunov: how fast nearby motions part.
#include "interrupts.h"
#include "session.h"
#include "shared_options.h"

static int run(const arguments *a) {
    session s;
    int status;
    if (!session_open(a, &s, &status)) return status;
    const hamel_run asked = shared_run(a);
    hamel_limits limits = given_limits(a, &option_limit);
    limits.interrupted = interrupts_heed();
    hamel_context_limit(s.ctx, &limits);
    char *result = NULL;
    const hamel_status found = hamel_model_lyapunov(s.model, &asked, given_format(a), &result);
    interrupts_leave();
    return session_finish(a, &s, found, result);
}

const command command_lyapunov = {
    .name = "lyapunov",
    .purpose = "Lyapunov exponents of a motion, with error bars",
    .description = "The mean rates at which small changes of the state grow along the motion, on "
                   "the constraint manifold, by the variational equations and repeated "
                   "orthonormalisation. Error bars come from means over parts of the run: a longer "
                   "run makes them smaller. Ctrl-C, or --limit time=S, ends the run with what was "
                   "found up to there.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options = (const option *const[]){&option_until, &option_at, &option_tol, &option_form,
                                       &option_method, &option_exec, &option_json, &option_set,
                                       &option_limit, NULL},
    .examples = {{"lyapunov double_pendulum --until 500", "is the motion chaotic?"}},
    .run = run,
};
