// One form evaluated at one state, to as many digits as were asked for. evaluation_job_prepare()
// checks what was asked, evaluation_job_run() derives and evaluates in balls until all digits are
// right, evaluation_job_number() writes a number with them; evaluation_job_close() comes last in
// every case.
#ifndef HAMEL_API_EVALUATION_JOB_H
#define HAMEL_API_EVALUATION_JOB_H

#include "api/api_internal.h"
#include "equations/evaluate.h"

struct formalism;

typedef struct {
    equations *eq;
    completion_request where;
    unsigned digits;
    state x;
    evaluation e;
} evaluation_job;

// The form by its id, the digits and the state (as --at states it; NULL: the model's own),
// checked. HAMEL_OK, or what was reported.
hamel_status evaluation_job_prepare(model *m, const char *form, const char *at, unsigned digits,
                                    const struct formalism **f, evaluation_job *out);
// Derive and evaluate; the result is in j->x and j->e. In every case evaluation_job_close() comes
// after it.
hamel_status evaluation_job_run(model *m, const struct formalism *f, evaluation_job *j);
void evaluation_job_close(evaluation_job *j);

// A number with the digits asked for; a ball around 0 is 0.
const char *evaluation_job_number(const evaluation_job *j, arb_srcptr v);

// The parts that other calls with digits use: HAMEL_USAGE after saying how many there may be; is a
// number known to so many; the number with them, in the arena.
hamel_status api_check_digits(context *ctx, unsigned digits);
bool api_is_accurate(arb_srcptr v, unsigned digits);
const char *api_number(context *ctx, unsigned digits, arb_srcptr v);

#endif
