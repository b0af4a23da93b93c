// The values of a run as --set and --at say them, and the model with them: what makes a run of a
// sweep anew, as `simulate` would.
#ifndef HAMEL_API_SWEEP_WORDS_H
#define HAMEL_API_SWEEP_WORDS_H

#include "api/api_internal.h"
#include "sweep/plan.h"

typedef struct {
    parse_override *set;
    uint32_t count;
    const char *at;
} sweep_words;

// In the arena of a context, behind what --at says of all runs
sweep_words sweep_words_of(const sweep_plan *plan, const double *value, const char *at,
                           context *ctx);
// A copy of the model in this context, with the values of parameters
hamel_status sweep_words_read(context *ctx, const model *like, const sweep_words *v, model **out);

#endif
